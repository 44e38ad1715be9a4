//! A proxy to a cluster that holds a chosen request, so that whoever sent it can be killed or paused in the middle.

use super::connection::pump;
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::Duration;

/// How long the request that is to be held may take to arrive.
const ARRIVAL_MAX: Duration = Duration::from_secs(30);

/// The proxy, which passes everything on until it is told to hold a request.
pub struct HeldProxy {
    /// Its own address, with port.
    pub address: String,
    wanted: Arc<Mutex<Option<Wanted>>>,
}

/// Where the request is that is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// The cluster has not received it.
    BeforeCluster,
    /// The cluster has received it, and its response is held.
    AfterCluster,
}

struct Wanted {
    text: String,
    place: Place,
    held: Arc<Held>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    Awaited,
    Held,
    /// What was held is passed on.
    Released,
    /// What was held is lost, with its connection.
    Lost,
}

struct Held {
    stage: Mutex<Stage>,
    changed: Condvar,
}

impl Held {
    fn set(&self, stage: Stage) {
        *self.stage.lock().expect("no panic") = stage;
        self.changed.notify_all();
    }

    /// Holds whoever calls this, unless nobody waits for it any more; returns whether what it has is passed on.
    fn hold(&self) -> bool {
        let mut stage = self.stage.lock().expect("no panic");
        if *stage == Stage::Awaited {
            *stage = Stage::Held;
            self.changed.notify_all();
        }
        let stage = self.changed.wait_while(stage, |now| *now == Stage::Held);
        *stage.expect("no panic") == Stage::Released
    }
}

/// A request that is to be held, or is. Dropped, it is lost with its connection.
pub struct Hold(Arc<Held>);

impl Hold {
    /// Waits until it is held; returns whether it is. One that comes too late is passed on.
    pub fn wait(&self) -> bool {
        let stage = self.0.stage.lock().expect("no panic");
        let waited = self
            .0
            .changed
            .wait_timeout_while(stage, ARRIVAL_MAX, |now| *now == Stage::Awaited);
        let (mut stage, _) = waited.expect("no panic");
        if *stage == Stage::Awaited {
            *stage = Stage::Released;
        }
        *stage == Stage::Held
    }

    /// Passes it on.
    pub fn release(self) {
        self.0.set(Stage::Released);
    }
}

impl Drop for Hold {
    fn drop(&mut self) {
        let stage = *self.0.stage.lock().expect("no panic");
        if stage != Stage::Released {
            self.0.set(Stage::Lost);
        }
    }
}

impl HeldProxy {
    /// Begins to pass connections on to `to`.
    pub fn start(to: String) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address").to_string();
        let wanted: Arc<Mutex<Option<Wanted>>> = Arc::default();
        let shared = Arc::clone(&wanted);
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                if let Ok(server) = TcpStream::connect(&to) {
                    pass(&client, &server, &shared);
                }
            }
        });
        Self { address, wanted }
    }

    /// Holds the next request whose first bytes contain `text`.
    pub fn hold(&self, text: &str, place: Place) -> Hold {
        let held = Arc::new(Held {
            stage: Mutex::new(Stage::Awaited),
            changed: Condvar::new(),
        });
        *self.wanted.lock().expect("no panic") = Some(Wanted {
            text: text.to_owned(),
            place,
            held: Arc::clone(&held),
        });
        Hold(held)
    }
}

/// Passes a connection on in both directions.
fn pass(client: &TcpStream, server: &TcpStream, wanted: &Arc<Mutex<Option<Wanted>>>) {
    let again = |stream: &TcpStream| stream.try_clone().expect("a handle");
    let response: Arc<Mutex<Option<Arc<Held>>>> = Arc::default();
    let (from, to) = (again(client), again(server));
    let (wanted, of_response) = (Arc::clone(wanted), Arc::clone(&response));
    thread::spawn(move || {
        pump(&from, &to, |bytes| match take(&wanted, bytes) {
            None => true,
            Some((Place::BeforeCluster, held)) => held.hold(),
            Some((Place::AfterCluster, held)) => {
                *of_response.lock().expect("no panic") = Some(held);
                true
            }
        });
    });
    let (from, to) = (again(server), again(client));
    thread::spawn(move || {
        pump(&from, &to, |_| {
            let held = response.lock().expect("no panic").take();
            held.is_none_or(|held| held.hold())
        });
    });
}

/// Takes the request that is wanted, if these are its bytes.
fn take(wanted: &Mutex<Option<Wanted>>, bytes: &[u8]) -> Option<(Place, Arc<Held>)> {
    let mut wanted = wanted.lock().expect("no panic");
    let text = wanted.as_ref()?.text.clone();
    let is_there = bytes
        .windows(text.len())
        .any(|part| part == text.as_bytes());
    let taken = is_there.then(|| wanted.take()).flatten()?;
    Some((taken.place, taken.held))
}
