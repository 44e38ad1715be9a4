//! A server that sends exactly the bytes it is given, and keeps the requests it received.

use domain::Timestamp;
use domain::source::{SourceAddress, SourceRules};
use fetching::{
    Credentials, FetchBounds, FetchClient, FetchFault, FetchRequest, Fetched, HostLookup,
    Validators,
};
use std::io::{self, Read, Write};
use std::net::{IpAddr, Ipv4Addr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

/// A server; its thread ends with the test's process.
pub struct TestServer {
    pub port: u16,
    requests: Arc<Mutex<Vec<String>>>,
}

impl TestServer {
    /// Serves each connection with `reply`, which gets the head of the request.
    pub fn new(mut reply: impl FnMut(&str, &mut TcpStream) + Send + 'static) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let requests = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&requests);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let mut stream = stream.expect("a connection");
                let head = head(&mut stream);
                kept.lock().expect("no panic").push(head.clone());
                reply(&head, &mut stream);
            }
        });
        Self { port, requests }
    }

    /// Sends the same bytes to everybody.
    pub fn sending(bytes: impl Into<Vec<u8>>) -> Self {
        let bytes = bytes.into();
        Self::new(move |_, stream| {
            let _ = stream.write_all(&bytes);
        })
    }

    /// The heads of the requests so far, in lower case.
    pub fn requests(&self) -> Vec<String> {
        let requests = self.requests.lock().expect("no panic");
        requests.iter().map(|head| head.to_lowercase()).collect()
    }

    pub fn address(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }
}

fn head(stream: &mut TcpStream) -> String {
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") {
        match stream.read(&mut byte) {
            Ok(1) => head.push(byte[0]),
            _ => break,
        }
    }
    String::from_utf8_lossy(&head).into_owned()
}

/// A look-up with responses of the test, one after the other; the last is repeated.
pub struct TestLookup(pub Mutex<Vec<Vec<IpAddr>>>, pub Mutex<Vec<String>>);

impl TestLookup {
    pub fn new(responses: &[&[&str]]) -> Arc<Self> {
        let parsed = |text: &&str| text.parse().expect("an address");
        let responses = responses.iter().rev();
        let responses = responses.map(|one| one.iter().map(parsed).collect());
        Arc::new(Self(Mutex::new(responses.collect()), Mutex::default()))
    }

    pub fn names(&self) -> Vec<String> {
        self.1.lock().expect("no panic").clone()
    }
}

impl HostLookup for TestLookup {
    fn addresses(&self, name: &str) -> io::Result<Vec<IpAddr>> {
        self.1.lock().expect("no panic").push(name.to_owned());
        let mut responses = self.0.lock().expect("no panic");
        let last = responses.last().cloned().unwrap_or_default();
        if responses.len() > 1 {
            responses.pop();
        }
        match last.is_empty() {
            true => Err(io::ErrorKind::NotFound.into()),
            false => Ok(last),
        }
    }
}

/// Rules that allow loopback hosts.
pub fn rules(allowed: &[String]) -> SourceRules {
    let allowed = allowed.iter().map(|host| host.parse().expect("a host"));
    SourceRules {
        allowed: allowed.collect(),
    }
}

/// Everything on the loopback address is allowed.
pub fn loopback() -> SourceRules {
    rules(&["127.0.0.1".to_owned()])
}

pub fn request(address: SourceAddress) -> FetchRequest {
    FetchRequest {
        address,
        credentials: None,
        validators: Validators::default(),
        now: Timestamp::parse("2026-11-20T15:00:00Z").expect("a time"),
    }
}

pub fn basic() -> Option<Credentials> {
    Some(Credentials::Basic {
        user: "shop".to_owned(),
        password: "s3cret".to_owned(),
    })
}

/// Fetches from `server` with `bounds`; returns what was received with the outcome.
pub fn fetch_within(
    server: &TestServer,
    path: &str,
    bounds: FetchBounds,
) -> (Result<Fetched, FetchFault>, Vec<u8>) {
    let client = FetchClient::with(loopback(), bounds, TestLookup::new(&[]));
    let address = loopback().check(&server.address(path)).expect("allowed");
    fetch(&client, &request(address))
}

/// Fetches from `server` with the bounds of the service.
pub fn fetch_from(server: &TestServer) -> (Result<Fetched, FetchFault>, Vec<u8>) {
    fetch_within(server, "/feed", FetchBounds::default())
}

pub fn fetch(
    client: &FetchClient,
    request: &FetchRequest,
) -> (Result<Fetched, FetchFault>, Vec<u8>) {
    let mut file = Vec::new();
    let fetched = client.fetch(request, &mut file, &|| false);
    (fetched, file)
}

/// A response of status 200 with these headers and body.
pub fn ok(headers: &str, body: &[u8]) -> Vec<u8> {
    let head = format!(
        "HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n{headers}\r\n",
        body.len()
    );
    [head.as_bytes(), body].concat()
}
