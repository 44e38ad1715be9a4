//! A PostgreSQL server for tests: started by them, as an unprivileged user, in a temporary directory, and stopped with them.

use std::ffi::OsStr;
use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::chown;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use tempfile::TempDir;

/// `required` lets tests fail where there is no PostgreSQL, `off` skips them where there is.
const MODE: &str = "FINDWELL_POSTGRES";
pub const SUPERUSER: &str = "findwell";
/// The port of a server that listens on its socket only.
pub const DEFAULT_PORT: u16 = 5432;
/// The user of the server where tests run as root, which it refuses: `nobody`.
const NOBODY: u32 = 65_534;

/// A running server.
pub struct Cluster {
    programs: PathBuf,
    dir: TempDir,
    port: u16,
    server: Child,
}

/// Returns the folder of the programs; `None`, once said on stderr, where these tests are skipped.
fn programs() -> Option<PathBuf> {
    let mode = std::env::var(MODE).unwrap_or_default();
    let found = (mode != "off").then(find_programs).flatten();
    if found.is_none() {
        assert_ne!(mode, "required", "there is no PostgreSQL 15 or newer");
        let name = std::thread::current().name().unwrap_or("a test").to_owned();
        let line = format!("SKIPPED: {name}, because PostgreSQL is not installed or {MODE}=off\n");
        // Unlike `eprintln!`, this is shown for tests that succeed, too.
        let _ = io::stderr().write_all(line.as_bytes());
    }
    found
}

/// Returns the folder of the programs. Debian keeps them apart by version, others have them in the path.
pub fn find_programs() -> Option<PathBuf> {
    let debian = fs::read_dir("/usr/lib/postgresql").into_iter().flatten();
    let mut versions: Vec<(u32, PathBuf)> = debian
        .filter_map(|entry| {
            let path = entry.ok()?.path();
            let version = path.file_name()?.to_str()?.parse().ok()?;
            Some((version, path.join("bin")))
        })
        .filter(|(version, path)| *version >= 15 && path.join("initdb").exists())
        .collect();
    versions.sort();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders = std::env::split_paths(&path);
    let newest = versions.pop().map(|(_, path)| path);
    newest.or_else(|| folders.find(|folder| folder.join("initdb").exists()))
}

impl Cluster {
    /// Starts a server, which listens on a socket in its folder, and with `port` also on that of this machine, where it wants
    /// passwords; with these settings, too. `None` where there is no PostgreSQL.
    pub fn start(port: Option<u16>, settings: &[&str]) -> Option<Self> {
        let programs = programs()?;
        let dir = TempDir::new().expect("a directory");
        let data = dir.path().join("data");
        if is_root() {
            chown(dir.path(), Some(NOBODY), Some(NOBODY)).expect("given away");
        }
        let mut initdb = unprivileged(&programs.join("initdb"));
        initdb.args([
            "--auth-local=trust",
            "--auth-host=scram-sha-256",
            "--no-sync",
            "--encoding=UTF8",
            "--locale=C.UTF-8",
        ]);
        initdb
            .args(["--username", SUPERUSER, "--pgdata"])
            .arg(&data);
        succeed(&mut initdb);
        let mut server = unprivileged(&programs.join("postgres"));
        server.arg("-D").arg(&data).arg("-k").arg(dir.path());

        let listen = port.map_or("listen_addresses=", |_| "listen_addresses=127.0.0.1");
        let port = port.unwrap_or(DEFAULT_PORT);
        for setting in [
            listen,
            "max_connections=400",
            "shared_buffers=64MB",
            // Tests end with the machine; what a server does about that is its own business.
            "fsync=off",
            // Without statistics of its tables the server reads them whole where an index would do.
            "autovacuum_naptime=1s",
        ]
        .iter()
        .chain(settings)
        {
            server.args(["-c", setting]);
        }
        server.arg("-p").arg(port.to_string());
        let log = fs::File::create(dir.path().join("log")).expect("a log");
        let server = server
            .stdin(Stdio::null())
            .stdout(log.try_clone().expect("a log"))
            .stderr(log)
            .spawn()
            .expect("the server starts");
        let cluster = Self {
            programs,
            dir,
            port,
            server,
        };
        cluster.wait();
        Some(cluster)
    }

    /// Waits until the server responds: `pg_ctl` does that, by looking at the file of the process.
    fn wait(&self) {
        let mut tries = 0;
        while !self.sql("postgres", "SELECT 1") {
            tries += 1;
            assert!(tries < 600, "the server does not start: {}", self.log());
            std::thread::park_timeout(std::time::Duration::from_millis(50));
        }
    }

    /// What the server logged.
    pub fn log(&self) -> String {
        fs::read_to_string(self.dir.path().join("log")).unwrap_or_default()
    }

    /// Folder of the socket, and of whatever a test puts there.
    pub fn folder(&self) -> &Path {
        self.dir.path()
    }

    /// Executes statements in `database`; returns whether they succeeded.
    pub fn sql(&self, database: &str, statements: &str) -> bool {
        sql(
            &self.programs,
            (self.folder(), self.port),
            database,
            statements,
        )
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        // The directory, which is the reason to stop orderly, goes away next.
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}

/// Executes statements on the server with its socket in `folder`; returns whether they succeeded.
pub fn sql(
    programs: &Path,
    (folder, port): (&Path, u16),
    database: &str,
    statements: &str,
) -> bool {
    let mut psql = Command::new(programs.join("psql"));
    psql.env_clear()
        .args([
            "--no-psqlrc",
            "--quiet",
            "-v",
            "ON_ERROR_STOP=1",
            "--username",
            SUPERUSER,
        ])
        .arg("--host")
        .arg(folder)
        .arg("--port")
        .arg(port.to_string())
        .args(["--dbname", database, "--command", statements]);
    let output = psql.stdin(Stdio::null()).output().expect("psql runs");
    output.status.success()
}

/// A command that runs as an unprivileged user, in the language of computers.
fn unprivileged(program: &Path) -> Command {
    let mut command = Command::new(program);
    command
        .env_clear()
        .env("LC_ALL", "C.UTF-8")
        .current_dir("/");
    if is_root() {
        command.uid(NOBODY).gid(NOBODY);
    }
    command
}

fn succeed(command: &mut Command) {
    let output = command.stdin(Stdio::null()).output().expect("it runs");
    let program = Path::new(command.get_program())
        .file_name()
        .and_then(OsStr::to_str)
        .unwrap_or_default()
        .to_owned();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{program}: {errors}");
}

/// Whether the owner of this process is root.
fn is_root() -> bool {
    use std::os::unix::fs::MetadataExt;
    fs::metadata("/proc/self").is_ok_and(|process| process.uid() == 0)
}
