//! A database server that fails: stopped at once, started as the standby of nobody, started on a disk that fills up.

use super::super::on_postgresql::Server;
use crate::harness::eventually;
use std::fs::{self, File};
use std::os::unix::fs::MetadataExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;

/// Closes all connections to the database.
const CLOSE: &str = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'shop'";

/// A server that was started again; stopped with this.
pub struct Revived(Child);

impl Drop for Revived {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Stops the server at once, as a failing machine would; its clients lose their connections.
pub fn stop_at_once(server: &Server) {
    let file = server.file("data").join("postmaster.pid");
    let text = fs::read_to_string(&file).expect("the server runs");
    let process = text.lines().next().expect("a process");
    let sent = Command::new("kill").args(["-QUIT", process]).status();
    assert!(sent.is_ok_and(|status| status.success()));
    eventually("the server has stopped", || !file.exists());
}

/// Starts the server again and waits until it responds; `as_standby` it follows a primary that is gone.
pub fn start_again(server: &Server, as_standby: bool) -> Revived {
    let data = server.file("data");
    let signal = data.join("standby.signal");
    if as_standby {
        fs::write(&signal, "").expect("written");
    } else {
        let _ = fs::remove_file(&signal);
    }
    let options = fs::read_to_string(data.join("postmaster.opts")).expect("its options");
    let mut words = options.split('"').map(str::trim);
    // The first word is the program, and has no quotes.
    let program = words.next().expect("a program").to_owned();
    let mut command = Command::new(program);
    command
        .args(words.filter(|word| !word.is_empty()))
        .env_clear()
        .env("LC_ALL", "C.UTF-8")
        .env("LD_PRELOAD", library())
        .env("FULL_WHILE", marker(server))
        .current_dir("/")
        .stdin(Stdio::null());
    let owner = fs::metadata(&data).expect("a folder");
    let own = fs::metadata("/proc/self").expect("a process");
    if own.uid() != owner.uid() {
        command.uid(owner.uid()).gid(owner.gid());
    }
    let log = File::options().append(true).open(server.file("log"));
    let log = log.expect("a log");
    command.stdout(log.try_clone().expect("a log")).stderr(log);
    let revived = Revived(command.spawn().expect("the server starts"));
    eventually("the server responds", || server.sql("shop", "SELECT 1"));
    revived
}

/// The file that says that the disk is full.
fn marker(server: &Server) -> PathBuf {
    server.file("full")
}

/// Lets no table grow while `during` runs. The server has to be one that was started again.
pub fn while_full<T>(server: &Server, during: impl FnOnce() -> T) -> T {
    fs::write(marker(server), "").expect("written");
    let result = during();
    fs::remove_file(marker(server)).expect("removed");
    result
}

/// Lets a standby go on as primary.
pub fn promote(server: &Server) {
    assert!(server.sql("postgres", "SELECT pg_promote(true)"));
}

/// The database goes back to what it was when it was copied to `copy`: its connections are closed.
pub fn restore(server: &Server, copy: &str) {
    assert!(server.sql("postgres", "ALTER DATABASE shop ALLOW_CONNECTIONS false"));
    eventually("the database is replaced", || {
        server.sql("postgres", CLOSE)
            && server.sql("postgres", "ALTER DATABASE shop RENAME TO lost")
    });
    let rename = format!("ALTER DATABASE {copy} RENAME TO shop");
    assert!(server.sql("postgres", &rename));
}

/// Copies the database, whose clients lose their connections for that.
pub fn copy(server: &Server, name: &str) {
    let create = format!("CREATE DATABASE {name} TEMPLATE shop OWNER shop");
    assert!(server.sql("postgres", "ALTER DATABASE shop ALLOW_CONNECTIONS false"));
    eventually("the database is copied", || {
        server.sql("postgres", CLOSE) && server.sql("postgres", &create)
    });
    assert!(server.sql("postgres", "ALTER DATABASE shop ALLOW_CONNECTIONS true"));
}

/// The library, built once: a C compiler exists wherever this workspace builds, because SQLite needs one.
fn library() -> &'static Path {
    static LIBRARY: OnceLock<PathBuf> = OnceLock::new();
    LIBRARY.get_or_init(|| {
        let dir = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let folder = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/tests/it/journeys/postgres_fails"
        );
        let source = Path::new(folder).join("full.c");
        // Built under another name first: two test runs may build it at the same time.
        let built = dir.join(format!("full-{}.so", std::process::id()));
        let status = Command::new("cc")
            .args(["-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-o"])
            .args([&built, &source])
            .arg("-ldl")
            .status();
        assert!(status.expect("cc runs").success(), "full.c builds");
        let library = dir.join("full.so");
        fs::rename(built, &library).expect("renamed");
        library
    })
}
