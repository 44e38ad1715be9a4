//! A running `findwell serve` with a data directory of its own, and the commands that are given to it.

use crate::failure::{Failure, Outcome};
use crate::stopwatch::poll;
use crate::workspace;
use std::fs::File;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;
use std::{env, fs, process};

/// Longest time from the start of the server to its first answer.
const START_MAX: Duration = Duration::from_secs(60);

/// A server that stops, and whose data goes, when it is dropped.
pub struct Server {
    binary: PathBuf,
    data: PathBuf,
    child: Child,
    address: String,
}

impl Server {
    /// Builds the release binary and starts it on a free port of loopback.
    pub fn start() -> Outcome<Self> {
        let binary = build()?;
        let data = env::temp_dir().join(format!("findwell-xtask-{}", process::id()));
        fs::create_dir_all(&data).map_err(Failure::of(data.display()))?;
        let port = free_port()?;
        let address = format!("127.0.0.1:{port}");
        let log = data.join("server.log");
        let log_file = File::create(&log).map_err(Failure::of(log.display()))?;
        let child = Command::new(&binary)
            .args(["serve", "--listen", &address, "--data"])
            .arg(&data)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log_file)
            .spawn()
            .map_err(Failure::of(binary.display()))?;
        let mut server = Self {
            binary,
            data,
            child,
            address: format!("http://{address}"),
        };
        server.wait_until_ready()?;
        Ok(server)
    }

    /// Address of the server, without a slash at its end.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// What the command `arguments` writes on stdout, trimmed.
    pub fn command(&self, arguments: &[&str]) -> Outcome<String> {
        let output = self.run(arguments)?;
        if output.status.success() {
            return Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned());
        }
        let said = String::from_utf8_lossy(&output.stderr);
        let command = arguments.join(" ");
        Err(Failure::new(format!("findwell {command}: {}", said.trim())))
    }

    /// The whole result of the command `arguments`, whatever its status.
    pub fn run(&self, arguments: &[&str]) -> Outcome<Output> {
        Command::new(&self.binary)
            .args(arguments)
            .arg("--data")
            .arg(&self.data)
            .stdin(Stdio::null())
            .output()
            .map_err(Failure::of(self.binary.display()))
    }

    /// A new store with one language; its id.
    pub fn new_store(&self, name: &str, language: &str) -> Outcome<String> {
        self.command(&["store", "create", "--name", name, "--language", language])
    }

    /// A new key of `kind` for `store`.
    pub fn new_key(&self, store: &str, kind: &str) -> Outcome<String> {
        self.command(&["key", "create", "--store", store, "--kind", kind])
    }

    /// Most memory that the server held at once since the last [`Self::forget_peak`], in bytes; none where the system does not tell.
    pub fn peak_memory(&self) -> Option<u64> {
        let path = format!("/proc/{}/status", self.child.id());
        let status = fs::read_to_string(path).ok()?;
        let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
        let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
        Some(kilobytes * 1024)
    }

    /// Starts the count of [`Self::peak_memory`] anew; without effect where the system does not allow it.
    pub fn forget_peak(&self) {
        let path = format!("/proc/{}/clear_refs", self.child.id());
        // Linux resets the high-water mark on "5"; elsewhere the peak counts from the start.
        fs::write(path, "5").unwrap_or_default();
    }

    fn wait_until_ready(&mut self) -> Outcome<()> {
        let url = format!("{}/readyz", self.address);
        let child = &mut self.child;
        let outcome = poll(START_MAX, || match child.try_wait() {
            Ok(None) => ureq::get(&url).call().is_ok().then_some(Ok(())),
            Ok(Some(status)) => Some(Err(format!("ended with {status}"))),
            Err(error) => Some(Err(error.to_string())),
        });
        match outcome {
            Some(Ok(())) => Ok(()),
            Some(Err(reason)) => Err(self.did_not_start(&reason)),
            None => Err(self.did_not_start("not ready after 60 s")),
        }
    }

    fn did_not_start(&self, reason: &str) -> Failure {
        let said = fs::read_to_string(self.data.join("server.log")).unwrap_or_default();
        Failure::new(format!("findwell serve: {reason}\n{}", said.trim()))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Nothing is left to do about a child or folder that is gone already.
        self.child.kill().unwrap_or_default();
        self.child.wait().map(|_| ()).unwrap_or_default();
        fs::remove_dir_all(&self.data).unwrap_or_default();
    }
}

fn build() -> Outcome<PathBuf> {
    let root = workspace::root();
    eprintln!("building the release binary …");
    let status = Command::new(env!("CARGO"))
        .args(["build", "--release", "--quiet", "--package", "server"])
        .current_dir(&root)
        .stdin(Stdio::null())
        .status()
        .map_err(Failure::of("cargo build"))?;
    if !status.success() {
        return Err(Failure::new("cargo build --release failed"));
    }
    Ok(target_folder(&root).join("release").join("findwell"))
}

/// Where cargo builds: beside this program, two folders up.
fn target_folder(root: &Path) -> PathBuf {
    let beside = env::current_exe()
        .ok()
        .and_then(|path| path.parent()?.parent().map(Path::to_path_buf));
    beside.unwrap_or_else(|| root.join("target"))
}

fn free_port() -> Outcome<u16> {
    let listener = TcpListener::bind("127.0.0.1:0").map_err(Failure::of("a free port"))?;
    let address = listener.local_addr().map_err(Failure::of("a free port"))?;
    Ok(address.port())
}
