//! The built binary, run as a person or a script runs it.

use super::client::Client;
use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Exit status and output of a command.
#[derive(Debug)]
pub struct Outcome {
    /// The exit status.
    pub status: i32,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
}

impl Outcome {
    /// Returns the one line on stdout of a command that must succeed.
    pub fn line(&self) -> &str {
        assert_eq!(self.status, 0, "{self:?}");
        let line = self.stdout.trim_end();
        assert!(!line.is_empty() && !line.contains('\n'), "{self:?}");
        line
    }

    /// A check succeeded and found nothing.
    pub fn finds_nothing(&self) {
        assert_eq!((self.status, self.json()), (0, Value::Array(Vec::new())));
    }

    /// Returns the JSON on stdout.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|_| panic!("no JSON: {self:?}"))
    }
}

/// The binary with the data directory `data` and an empty environment, with the rate limits of keys switched off.
pub fn command(data: &Path, arguments: &[&str]) -> Command {
    command_of(Path::new(env!("CARGO_BIN_EXE_findwell")), data, arguments)
}

/// As [`command`], for another binary.
pub fn command_of(program: &Path, data: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(program);
    command
        .args(arguments)
        .env_clear()
        .env("FINDWELL_DATA", data)
        .env("FINDWELL_REQUESTS_PER_MINUTE", "0")
        .env("FINDWELL_WRITES_PER_MINUTE", "0")
        .current_dir(data);
    command
}

/// Runs a command to its end.
pub fn findwell(data: &Path, arguments: &[&str]) -> Outcome {
    outcome(&mut command(data, arguments))
}

/// Runs `command` to its end.
pub fn outcome(command: &mut Command) -> Outcome {
    let output = command
        .stdin(Stdio::null())
        .output()
        .expect("the binary runs");
    Outcome {
        status: output.status.code().unwrap_or(-1),
        stdout: String::from_utf8(output.stdout).expect("UTF-8 on stdout"),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// A server in a process of its own.
pub struct Binary {
    child: Child,
    pub client: Client,
}

impl Binary {
    /// Starts `findwell serve` on a free port and waits for its address.
    pub fn serve(data: &Path) -> Self {
        let child = command(data, &["serve", "--listen", "127.0.0.1:0"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the binary runs");
        Self::of(child)
    }

    /// The server of `child`, which prints its address on a pipe.
    pub fn of(child: Child) -> Self {
        Self::try_of(child).expect("the server prints its address")
    }

    /// The server of `child`; `None` if it exits before it prints its address.
    pub fn try_of(mut child: Child) -> Option<Self> {
        let stdout = child.stdout.take().expect("a pipe");
        let mut address = String::new();
        BufReader::new(stdout)
            .read_line(&mut address)
            .expect("a readable pipe");
        if address.is_empty() {
            child.wait().expect("the server ends");
            return None;
        }
        assert!(address.starts_with("http://"), "no address: {address:?}");
        Some(Self::at(child, address.trim_end()))
    }

    /// The server of `child`, which listens at `base`.
    pub fn at(child: Child, base: &str) -> Self {
        Self {
            child,
            client: Client::new(base),
        }
    }

    /// Kills the server, as a failing machine would.
    pub fn kill(mut self) {
        self.end();
    }

    /// Kills the server without dropping it.
    pub fn end(&mut self) {
        self.child.kill().expect("the server runs");
        self.child.wait().expect("the server ends");
    }

    /// Whether the server has exited by itself.
    pub fn has_ended(&mut self) -> bool {
        self.child.try_wait().expect("a child").is_some()
    }

    /// Stops the server with SIGTERM and returns its exit status.
    pub fn terminate(mut self) -> i32 {
        self.stop()
    }

    /// Stops the server without dropping it and returns its exit status.
    pub fn stop(&mut self) -> i32 {
        self.send_sigterm();
        let status = self.child.wait().expect("the server ends");
        status.code().unwrap_or(-1)
    }

    /// As [`Binary::stop`], for a server that cannot do what it does when it stops; it has to end within this time.
    #[expect(clippy::disallowed_methods, reason = "what is promised is a time")]
    pub fn stop_within(&mut self, bound: Duration) -> i32 {
        let since = Instant::now();
        let status = self.stop();
        let took = since.elapsed();
        assert!(took < bound, "the server stopped after {took:?}");
        status
    }

    /// Sends SIGTERM to the server.
    pub fn send_sigterm(&self) {
        self.signal("TERM");
    }

    /// Sends the signal of this name to the server.
    pub fn signal(&self, name: &str) {
        signal(&self.child, name);
    }
}

/// Sends the signal of this name to a process.
pub fn signal(child: &Child, name: &str) {
    let pid = child.id().to_string();
    let sent = Command::new("kill").args(["-s", name, &pid]).status();
    assert!(sent.is_ok_and(|status| status.success()));
}

impl Drop for Binary {
    fn drop(&mut self) {
        // Otherwise a failed test leaves its server running.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
