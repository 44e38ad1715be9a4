//! A running `findwell serve` with a data directory of its own, and the commands run against it.

use crate::failure::{Failure, Outcome};
use crate::workspace;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;
use std::{env, fs, process};

/// Options of `serve` that lift the rate limits of keys.
pub const UNLIMITED: [&str; 4] = ["--requests-per-minute", "0", "--writes-per-minute", "0"];

/// A server process; dropping it stops the server and deletes its data.
pub struct Server {
    binary: PathBuf,
    data: PathBuf,
    child: Child,
    address: String,
}

impl Server {
    /// Builds the release binary and starts it on a free port of loopback, without rate limits.
    pub fn start() -> Outcome<Self> {
        Self::start_with(&UNLIMITED)
    }

    /// Builds the release binary and starts it with `options` of `serve`.
    pub fn start_with(options: &[&str]) -> Outcome<Self> {
        Self::start_binary(build(&[])?, options)
    }

    /// Starts `binary` with `options` of `serve`.
    pub fn start_binary(binary: PathBuf, options: &[&str]) -> Outcome<Self> {
        Self::start_in(binary, options, &[])
    }

    /// Starts `binary` with `options` of `serve` and these variables of the environment.
    pub fn start_in(
        binary: PathBuf,
        options: &[&str],
        environment: &[(&str, &Path)],
    ) -> Outcome<Self> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let data = env::temp_dir().join(format!("findwell-xtask-{}-{number}", process::id()));
        fs::create_dir_all(&data).map_err(Failure::of(data.display()))?;
        let log = data.join("server.log");
        let log_file = File::create(&log).map_err(Failure::of(log.display()))?;
        let mut child = Command::new(&binary)
            .args(["serve", "--listen", "127.0.0.1:0", "--data"])
            .arg(&data)
            .args(options)
            .envs(environment.iter().copied())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(log_file)
            .spawn()
            .map_err(Failure::of(binary.display()))?;
        let stdout = child.stdout.take();
        let mut server = Self {
            binary,
            data,
            child,
            address: String::new(),
        };
        server.address = server.read_address(stdout)?;
        Ok(server)
    }

    /// Reads the address that the server prints once it is ready.
    fn read_address(&self, stdout: Option<ChildStdout>) -> Outcome<String> {
        let mut line = String::new();
        if let Some(stdout) = stdout {
            BufReader::new(stdout)
                .read_line(&mut line)
                .map_err(Failure::of("findwell serve"))?;
        }
        if line.starts_with("http://") {
            return Ok(line.trim().to_owned());
        }
        let log = fs::read_to_string(self.data.join("server.log")).unwrap_or_default();
        let log = log.trim();
        Err(Failure::new(format!(
            "findwell serve did not start:\n{log}"
        )))
    }

    /// Address of the server, without a slash at its end.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Runs the command `arguments` and returns its stdout, trimmed.
    pub fn command(&self, arguments: &[&str]) -> Outcome<String> {
        let output = self.run(arguments)?;
        if output.status.success() {
            return Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned());
        }
        let stderr = String::from_utf8_lossy(&output.stderr);
        let command = arguments.join(" ");
        Err(Failure::new(format!(
            "findwell {command}: {}",
            stderr.trim()
        )))
    }

    /// Runs the command `arguments` and returns its output, whatever its status.
    pub fn run(&self, arguments: &[&str]) -> Outcome<Output> {
        Command::new(&self.binary)
            .args(arguments)
            .arg("--data")
            .arg(&self.data)
            .stdin(Stdio::null())
            .output()
            .map_err(Failure::of(self.binary.display()))
    }

    /// Starts the command `arguments`, whose stdout is a pipe and whose messages are dropped.
    pub fn spawn(&self, arguments: &[&str]) -> Outcome<Child> {
        Command::new(&self.binary)
            .args(arguments)
            .arg("--data")
            .arg(&self.data)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(Failure::of(self.binary.display()))
    }

    /// Creates a store with one language and returns its id.
    pub fn new_store(&self, name: &str, language: &str) -> Outcome<String> {
        self.command(&["store", "create", "--name", name, "--language", language])
    }

    /// Creates a key of `kind` for `store`.
    pub fn new_key(&self, store: &str, kind: &str) -> Outcome<String> {
        self.command(&["key", "create", "--store", store, "--kind", kind])
    }

    /// Processor time that the server has used so far; none where the system does not report it.
    pub fn processor_time(&self) -> Duration {
        /// Linux counts in hundredths of a second.
        const TICK: Duration = Duration::from_millis(10);
        let path = format!("/proc/{}/stat", self.child.id());
        let stat = fs::read_to_string(path).unwrap_or_default();
        // The name of the program may contain spaces; the times are the 12th and 13th field after it.
        let fields = stat.rsplit(')').next().unwrap_or_default();
        let times = fields.split_whitespace().skip(11).take(2);
        let ticks: u32 = times.filter_map(|time| time.parse::<u32>().ok()).sum();
        TICK * ticks
    }

    /// Number of indexes on disk.
    pub fn index_count(&self) -> usize {
        let folders = fs::read_dir(self.data.join("indexes"));
        folders.map_or(0, Iterator::count)
    }

    /// Peak memory of the server since the last [`Self::reset_peak`], in bytes; none where the system does not report it.
    pub fn peak_memory(&self) -> Option<u64> {
        self.memory("VmHWM:")
    }

    /// Resident memory of the server, in bytes; none where the system does not report it, or when the server has ended.
    pub fn resident_memory(&self) -> Option<u64> {
        self.memory("VmRSS:")
    }

    /// Anonymous memory of the server, in bytes: without the files that it maps. None as for [`Self::resident_memory`].
    pub fn anonymous_memory(&self) -> Option<u64> {
        self.memory("RssAnon:")
    }

    fn memory(&self, name: &str) -> Option<u64> {
        let path = format!("/proc/{}/status", self.child.id());
        let status = fs::read_to_string(path).ok()?;
        let line = status.lines().find(|line| line.starts_with(name))?;
        let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
        Some(kilobytes * 1024)
    }

    /// Resets [`Self::peak_memory`]; without effect where the system does not support it.
    pub fn reset_peak(&self) {
        let path = format!("/proc/{}/clear_refs", self.child.id());
        // Linux resets the high-water mark on "5"; elsewhere the peak counts from the start.
        fs::write(path, "5").unwrap_or_default();
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // A child or folder that is already gone needs no cleanup.
        self.child.kill().unwrap_or_default();
        self.child.wait().map(|_| ()).unwrap_or_default();
        fs::remove_dir_all(&self.data).unwrap_or_default();
    }
}

/// Builds the release binary with the further arguments `options` of cargo, and returns its path.
pub fn build(options: &[&str]) -> Outcome<PathBuf> {
    built(options, Path::new("release"))
}

/// Builds the release binary for another `target` of the compiler, and returns its path.
pub fn build_for(target: &str, options: &[&str]) -> Outcome<PathBuf> {
    let options = [&["--target", target], options].concat();
    built(&options, &Path::new(target).join("release"))
}

/// Builds the release binary, which goes to `folder` of the target folder.
fn built(options: &[&str], folder: &Path) -> Outcome<PathBuf> {
    let root = workspace::root();
    eprintln!("building the release binary …");
    let status = Command::new(env!("CARGO"))
        .args(["build", "--release", "--quiet", "--package", "server"])
        .args(options)
        .current_dir(&root)
        .stdin(Stdio::null())
        .status()
        .map_err(Failure::of("cargo build"))?;
    if !status.success() {
        return Err(Failure::new("cargo build --release failed"));
    }
    Ok(target_folder(&root).join(folder).join("findwell"))
}

/// Returns the binary that was named, else the release binary, which is built first.
pub fn named_or_built(binary: Option<&Path>) -> Outcome<PathBuf> {
    match binary {
        Some(binary) => Ok(binary.to_owned()),
        None => build(&[]),
    }
}

/// The target folder of cargo: two folders above this program.
fn target_folder(root: &Path) -> PathBuf {
    let beside = env::current_exe()
        .ok()
        .and_then(|path| path.parent()?.parent().map(Path::to_path_buf));
    beside.unwrap_or_else(|| root.join("target"))
}
