//! Sends one request and returns its status; unlike `Client`, it does not repeat a request that failed.

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::Value;
use std::io::Write;
use std::time::Duration;
use ureq::Agent;
use ureq::http::Request;

/// Timeout of one request.
const TIMEOUT: Duration = Duration::from_secs(30);

/// A client that gets the key with each request.
pub struct Sender {
    agent: Agent,
    base: String,
}

/// The result of a request.
pub struct Sent {
    /// Status of its response; 0 when there was none.
    pub status: u16,
    /// `data` of its response; null when there is none.
    pub data: Value,
}

impl Sender {
    /// A client of the server at `address`.
    pub fn new(address: &str) -> Self {
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(TIMEOUT))
            .build();
        Self {
            agent: config.into(),
            base: format!("{address}/api/v1"),
        }
    }

    /// Sends a JSON body.
    pub fn send(&self, method: &str, path: &str, key: &str, body: &Value) -> Sent {
        self.send_text(method, path, key, body.to_string().into_bytes())
    }

    /// Sends a body as it is.
    pub fn send_text(&self, method: &str, path: &str, key: &str, body: Vec<u8>) -> Sent {
        self.run(method, path, &[("X-API-Key", key)], body)
    }

    /// Sends a body, which it compresses by gzip.
    pub fn send_gzip(&self, path: &str, key: &str, body: &[u8]) -> Sent {
        self.send_compressed(path, key, gzip(body))
    }

    /// Sends a body that is compressed by gzip.
    pub fn send_compressed(&self, path: &str, key: &str, body: Vec<u8>) -> Sent {
        let headers = [("X-API-Key", key), ("Content-Encoding", "gzip")];
        self.run("POST", path, &headers, body)
    }

    fn run(&self, method: &str, path: &str, headers: &[(&str, &str)], body: Vec<u8>) -> Sent {
        let mut request = Request::builder()
            .method(method)
            .uri(format!("{}{path}", self.base))
            .header("Content-Type", "application/json");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let received = match request.body(body) {
            Ok(request) => self.agent.run(request).ok(),
            Err(_) => None,
        };
        let Some(mut response) = received else {
            return Sent::nothing();
        };
        let status = response.status().as_u16();
        let Ok(bytes) = response.body_mut().read_to_vec() else {
            return Sent::nothing();
        };
        let mut body: Value = serde_json::from_slice(&bytes).unwrap_or_default();
        let data = body["data"].take();
        Sent { status, data }
    }
}

/// Compresses a body by gzip.
pub fn gzip(body: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    let compressed = encoder.write_all(body).and_then(|()| encoder.finish());
    compressed.expect("writing to memory does not fail")
}

impl Sent {
    fn nothing() -> Self {
        Self {
            status: 0,
            data: Value::Null,
        }
    }
}
