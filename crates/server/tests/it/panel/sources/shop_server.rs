//! A shop's server, which sends what the test says and keeps what it was asked.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

/// A shop's server; its thread ends with the process.
pub struct ShopServer {
    pub port: u16,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    requests: Vec<String>,
    /// What is sent, unless a request names the version `etag`.
    response: Vec<u8>,
    etag: Option<String>,
    /// Whether a connection stays open after the response, as of a server that stalls.
    stalls: bool,
}

impl ShopServer {
    pub fn new() -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let state = Arc::new(Mutex::new(State::default()));
        let shared = Arc::clone(&state);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let (stream, shared) = (stream.expect("a connection"), Arc::clone(&shared));
                std::thread::spawn(move || serve(stream, &shared));
            }
        });
        Self { port, state }
    }

    pub fn address(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    /// From now on sends `body` with these further headers.
    pub fn sends(&self, body: &str, headers: &str) {
        let head = format!(
            "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: {}\r\n{headers}\r\n",
            body.len()
        );
        self.sends_raw(&format!("{head}{body}"));
        let etag = headers.lines().find_map(|line| line.strip_prefix("ETag: "));
        self.state().etag = etag.map(str::to_owned);
    }

    /// From now on sends exactly these bytes.
    pub fn sends_raw(&self, response: &str) {
        let mut state = self.state();
        state.response = response.as_bytes().to_vec();
        state.etag = None;
        state.stalls = false;
    }

    /// From now on keeps connections open after the response.
    pub fn stalls(&self) {
        self.state().stalls = true;
    }

    /// The heads of the requests so far, in lower case.
    pub fn requests(&self) -> Vec<String> {
        let requests = &self.state().requests;
        requests.iter().map(|head| head.to_lowercase()).collect()
    }

    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().expect("no panic")
    }
}

fn serve(mut stream: TcpStream, shared: &Mutex<State>) {
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") {
        match stream.read(&mut byte) {
            Ok(1) => head.push(byte[0]),
            _ => return,
        }
    }
    let head = String::from_utf8_lossy(&head).into_owned();
    let (response, stalls) = {
        let mut state = shared.lock().expect("no panic");
        let named = state
            .etag
            .as_ref()
            .map(|etag| format!("if-none-match: {etag}"));
        let is_same =
            named.is_some_and(|named| head.to_lowercase().contains(&named.to_lowercase()));
        state.requests.push(head);
        match is_same {
            true => (
                b"HTTP/1.1 304 Not Modified\r\nConnection: close\r\n\r\n".to_vec(),
                false,
            ),
            false => (state.response.clone(), state.stalls),
        }
    };
    let _ = stream.write_all(&response);
    if stalls {
        let _ = stream.read(&mut byte);
    }
}
