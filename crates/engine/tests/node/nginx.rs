//! nginx for tests, where it is installed.

use std::fs;
use std::io::{self, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// Debian's place, which is not in the path of everybody.
const PROGRAM: &str = "/usr/sbin/nginx";

/// A running nginx; stopped with this.
pub struct Nginx {
    process: Child,
    /// Where it listens, on loopback.
    pub port: u16,
}

impl Drop for Nginx {
    fn drop(&mut self) {
        // It is told to end, so that its workers end, too.
        let process = self.process.id().to_string();
        let _ = Command::new("kill").args(["-TERM", &process]).status();
        let _ = self.process.wait();
    }
}

impl Nginx {
    /// Returns whether it is installed; where it is not, says once on stderr that `test` is skipped.
    pub fn is_installed(test: &str) -> bool {
        let is_there = Path::new(PROGRAM).exists();
        if !is_there {
            let line = format!("SKIPPED: {test}, because nginx is not installed\n");
            // Unlike `eprintln!`, this is shown for tests that succeed, too.
            let _ = io::stderr().write_all(line.as_bytes());
        }
        is_there
    }

    /// Starts it with what `http` says for a port, with its files in `folder`; returns once it accepts connections.
    pub fn start(folder: &Path, http: impl FnOnce(u16) -> String) -> Self {
        let free = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = free.local_addr().expect("an address").port();
        drop(free);
        let place = folder.display();
        let places = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map(|name| format!("{name}_temp_path {place}/{name};"))
            .concat();
        let text = format!(
            "daemon off; pid {place}/pid; events {{}} http {{ access_log off; {places} {} }}",
            http(port)
        );
        let file = folder.join("nginx.conf");
        fs::write(&file, text).expect("written");
        let mut process = Command::new(PROGRAM)
            .args(["-e", "stderr", "-g", "error_log stderr;", "-c"])
            .arg(&file)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("nginx starts");
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            let ended = process.try_wait().expect("its state");
            assert!(ended.is_none(), "nginx ended: {ended:?}");
            std::thread::yield_now();
        }
        Self { process, port }
    }
}
