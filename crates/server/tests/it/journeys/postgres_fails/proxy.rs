//! A way to the database that a test can block, or cut when a commit is acknowledged.

use super::super::connection::pump;
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// Forwards connections to a port of this machine.
pub struct Proxy {
    pub port: u16,
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    /// Whether nothing passes.
    is_blocked: AtomicBool,
    /// A transaction with this text loses the response of its commit.
    cut: Mutex<Option<String>>,
    /// Responses that were lost.
    lost: AtomicUsize,
}

impl Proxy {
    pub fn to(port: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let own = listener.local_addr().expect("an address").port();
        let shared = Arc::new(Shared::default());
        let of_threads = Arc::clone(&shared);
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                // A server that is down refuses: so does this.
                if let Ok(server) = TcpStream::connect(("127.0.0.1", port)) {
                    forward(&client, &server, &of_threads);
                }
            }
        });
        Self { port: own, shared }
    }

    /// Lets nothing pass while `during` runs: neither new connections nor bytes of old ones.
    pub fn blocked<T>(&self, during: impl FnOnce() -> T) -> T {
        self.shared.is_blocked.store(true, Ordering::SeqCst);
        let result = during();
        self.shared.is_blocked.store(false, Ordering::SeqCst);
        result
    }

    /// Cuts the connection of the next transaction with `text` in place of the response of its commit.
    pub fn cut_commit_with(&self, text: &str) {
        *self.shared.cut.lock().expect("no panic") = Some(text.to_owned());
    }

    /// How many responses were lost.
    pub fn lost(&self) -> usize {
        self.shared.lost.load(Ordering::SeqCst)
    }
}

fn forward(client: &TcpStream, server: &TcpStream, shared: &Arc<Shared>) {
    let clone = |stream: &TcpStream| stream.try_clone().expect("a handle");
    let is_cut = Arc::new(AtomicBool::new(false));
    let (from, to) = (clone(client), clone(server));
    let (of_requests, cut) = (Arc::clone(shared), Arc::clone(&is_cut));
    thread::spawn(move || {
        let mut holds_text = false;
        pump(&from, &to, |bytes| {
            of_requests.wait();
            let mut wanted = of_requests.cut.lock().expect("no panic");
            if let Some(text) = &*wanted {
                holds_text |= contains(bytes, text.as_bytes());
                if holds_text && contains(bytes, b"COMMIT\0") {
                    *wanted = None;
                    cut.store(true, Ordering::SeqCst);
                }
            }
            true
        });
    });
    let (from, to) = (clone(server), clone(client));
    let shared = Arc::clone(shared);
    thread::spawn(move || {
        pump(&from, &to, |_| {
            shared.wait();
            let is_lost = is_cut.load(Ordering::SeqCst);
            if is_lost {
                shared.lost.fetch_add(1, Ordering::SeqCst);
            }
            !is_lost
        });
    });
}

impl Shared {
    fn wait(&self) {
        while self.is_blocked.load(Ordering::SeqCst) {
            thread::park_timeout(Duration::from_millis(5));
        }
    }
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}
