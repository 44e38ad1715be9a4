//! 1. A collector gets the spans of requests: request with its id and status, operation, plan, engine, and statements; the
//!    last ones when the server stops.
//! 2. Without the option nothing is sent; a share of 0 sends nothing either.
//! 3. A collector that is away or refuses holds up nothing.
//! 4. Addresses and shares that cannot be meant are wrong usage.

use crate::harness::{Binary, Client, command, eventually, findwell, free_ports, product};
use serde_json::json;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::Stdio;
use std::sync::{Arc, Mutex};
use tempfile::TempDir;

/// A collector: keeps the bytes of all bodies, and answers each with a status.
struct Collector {
    port: u16,
    received: Arc<Mutex<Vec<u8>>>,
}

impl Collector {
    fn responding(status: &'static str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let received = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&received);
        std::thread::spawn(move || {
            for stream in listener.incoming() {
                let (stream, kept) = (stream.expect("a connection"), Arc::clone(&kept));
                std::thread::spawn(move || serve(stream, &kept, status));
            }
        });
        Self { port, received }
    }

    fn has(&self, text: &str) -> bool {
        let received = self.received.lock().expect("no panic");
        let text = text.as_bytes();
        received.windows(text.len()).any(|part| part == text)
    }

    fn is_empty(&self) -> bool {
        self.received.lock().expect("no panic").is_empty()
    }
}

/// Reads requests with their bodies, one after the other.
fn serve(mut stream: TcpStream, kept: &Mutex<Vec<u8>>, status: &str) {
    let mut waiting: Vec<u8> = Vec::new();
    let mut chunk = [0; 4_096];
    loop {
        let end = waiting.windows(4).position(|part| part == b"\r\n\r\n");
        if let Some(end) = end {
            let head = String::from_utf8_lossy(&waiting[..end]).to_lowercase();
            let length = head
                .lines()
                .find_map(|line| line.strip_prefix("content-length: "));
            let length: usize = length.map_or(0, |text| text.parse().expect("a number"));
            if waiting.len() >= end + 4 + length {
                let mut kept = kept.lock().expect("no panic");
                kept.extend_from_slice(head.lines().next().unwrap_or_default().as_bytes());
                kept.extend_from_slice(&waiting[end + 4..end + 4 + length]);
                drop(kept);
                waiting.drain(..end + 4 + length);
                let response = format!("HTTP/1.1 {status}\r\nContent-Length: 0\r\n\r\n");
                if stream.write_all(response.as_bytes()).is_err() {
                    return;
                }
                continue;
            }
        }
        match stream.read(&mut chunk) {
            Ok(count) if count > 0 => waiting.extend_from_slice(&chunk[..count]),
            _ => return,
        }
    }
}

/// A server with a store of one product, which sends its traces there.
fn traced(dir: &Path, port: u16, more: &[&str]) -> (Binary, String) {
    let url = format!("http://127.0.0.1:{port}/v1/traces");
    let mut arguments = vec!["serve", "--listen", "127.0.0.1:0"];
    if port > 0 {
        arguments.extend(["--otlp", &url]);
    }
    arguments.extend(more);
    let create = ["store", "create", "--name", "x", "--language", "es"];
    let store = findwell(dir, &create).line().to_owned();
    let key = |kind: &str| {
        let create = ["key", "create", "--store", &store, "--kind", kind];
        findwell(dir, &create).line().to_owned()
    };
    let (connector, public) = (key("connector"), key("search-only"));
    let child = command(dir, &arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let server = Binary::of(child.expect("the binary runs"));
    let feed = |path: &str, body: &serde_json::Value| {
        let call = server.client.call("POST", format!("/api/v1/feed{path}"));
        call.key(&connector).json(body).send().ok();
    };
    feed(
        "/indices",
        &json!({"types": ["products"], "languages": [{"code": "es"}]}),
    );
    let documents = json!([product("1", "Bota")]);
    feed(
        "/products/bulk",
        &json!({"language": "es", "documents": documents}),
    );
    eventually("the product is found", || {
        search(&server.client, &public).0 == Some(1)
    });
    (server, public)
}

/// How many products a search finds, and its request id.
fn search(client: &Client, key: &str) -> (Option<u64>, String) {
    let path = "/api/v1/search?q=bota&types=products&limit=1";
    let reply = client.call("GET", path).key(key).send();
    let id = reply.headers.get("x-request-id").expect("an id");
    let id = id.to_str().expect("ASCII").to_owned();
    (reply.json["data"]["products"]["total"].as_u64(), id)
}

#[test]
fn a_collector_gets_the_steps_of_requests() {
    let dir = TempDir::new().expect("a directory");
    let collector = Collector::responding("200 OK");
    let (server, public) = traced(dir.path(), collector.port, &["--otlp-share", "1"]);
    let (_, id) = search(&server.client, &public);
    assert_eq!(server.terminate(), 0);
    assert!(
        collector.has("post /v1/traces"),
        "the path is that of the option"
    );
    for expected in [
        "findwell",
        "service.version",
        "search",
        "open",
        "check",
        "plan",
        "engine",
        "sql",
        "rows_returned",
        "INSERT INTO",
        "upsert_documents",
        "http.response.status_code",
        "request_id",
        &id,
    ] {
        assert!(collector.has(expected), "{expected}");
    }
    // What is secret, or may be about a person, is no part of a trace.
    assert!(!collector.has(&public) && !collector.has("bota"));
}

#[test]
fn nothing_is_sent_unasked() {
    for more in [&[][..], &["--otlp-share", "0"]] {
        let dir = TempDir::new().expect("a directory");
        let collector = Collector::responding("200 OK");
        let port = if more.is_empty() { 0 } else { collector.port };
        let (server, _) = traced(dir.path(), port, more);
        assert_eq!(server.terminate(), 0);
        assert!(collector.is_empty(), "{more:?}");
    }
}

#[test]
fn a_collector_that_fails_holds_up_nothing() {
    let refusing = Collector::responding("503 Service Unavailable");
    let [away] = free_ports();
    for port in [refusing.port, away] {
        let dir = TempDir::new().expect("a directory");
        let (server, public) = traced(dir.path(), port, &["--otlp-share", "1"]);
        for _ in 0..50 {
            assert_eq!(search(&server.client, &public).0, Some(1));
        }
        assert_eq!(server.terminate(), 0);
    }
}

#[test]
fn bad_options_are_wrong_usage() {
    let dir = TempDir::new().expect("a directory");
    for (option, value, reason) in [
        ("--otlp", "collector:4318", "must be an address"),
        (
            "--otlp",
            "https://collector/v1/traces",
            "must begin with http://",
        ),
        ("--otlp-share", "2", "from 0 to 1"),
    ] {
        let refused = findwell(dir.path(), &["serve", option, value]);
        assert_eq!(refused.status, 2, "{refused:?}");
        assert!(refused.stderr.contains(reason), "{refused:?}");
    }
}
