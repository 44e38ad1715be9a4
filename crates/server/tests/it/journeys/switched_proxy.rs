//! A proxy to a server of this machine, which can be switched off: connections end, and new ones are closed at once.

use std::io::copy;
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

/// The proxy, which is on at first.
pub struct SwitchedProxy {
    /// Its own address, with port.
    pub address: String,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    is_off: bool,
    open: Vec<TcpStream>,
}

impl SwitchedProxy {
    /// Begins to pass connections on to `to`.
    pub fn start(to: String) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address").to_string();
        let state: Arc<Mutex<State>> = Arc::default();
        let shared = Arc::clone(&state);
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let mut state = shared.lock().expect("a lock");
                if state.is_off {
                    continue;
                }
                if let Ok(server) = TcpStream::connect(&to) {
                    state.open.extend(pass(&client, &server));
                }
            }
        });
        Self { address, state }
    }

    /// Ends all connections, and refuses new ones.
    pub fn off(&self) {
        let mut state = self.state.lock().expect("a lock");
        state.is_off = true;
        for stream in state.open.drain(..) {
            let _ = stream.shutdown(Shutdown::Both);
        }
    }

    /// Passes connections on again.
    pub fn on(&self) {
        self.state.lock().expect("a lock").is_off = false;
    }
}

/// Copies both ways until one side ends; returns the streams, to end them from outside.
fn pass(client: &TcpStream, server: &TcpStream) -> Vec<TcpStream> {
    let mut streams = Vec::new();
    for (from, to) in [(client, server), (server, client)] {
        let again = |stream: &TcpStream| stream.try_clone().expect("a stream");
        let (mut reader, mut writer) = (again(from), again(to));
        streams.push(again(from));
        thread::spawn(move || {
            let _ = copy(&mut reader, &mut writer);
            let _ = writer.shutdown(Shutdown::Both);
        });
    }
    streams
}
