//! A client of the HTTP interface: sends a request, respects `Retry-After`, and returns `data` or the server's message.

use crate::failure::{Failure, Outcome};
use crate::stopwatch::{Stopwatch, pause, poll};
use serde_json::{Value, json};
use std::time::Duration;
use ureq::Agent;
use ureq::http::Response;

/// How often a request is repeated after `Retry-After`.
const ATTEMPTS_MAX: u32 = 600;
/// Longest time from the last response of the feed until all documents are found.
const SEARCHABLE_MAX: Duration = Duration::from_secs(300);

/// A client with one key.
pub struct Client {
    agent: Agent,
    base: String,
    key: String,
}

impl Client {
    /// A client of the server at `address`, such as `http://127.0.0.1:7700`.
    pub fn new(address: &str, key: &str) -> Self {
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(Duration::from_secs(120)))
            .build();
        Self {
            agent: config.into(),
            base: format!("{}/api/v1", address.trim_end_matches('/')),
            key: key.to_owned(),
        }
    }

    /// Returns `data` of a GET.
    pub fn get(&self, path: &str) -> Outcome<Value> {
        let response = self.send(path, || {
            self.agent
                .get(format!("{}{path}", self.base))
                .header("X-API-Key", &self.key)
                .call()
        });
        Ok(response?.data)
    }

    /// Returns `data` of a POST.
    pub fn post(&self, path: &str, body: &Value) -> Outcome<Value> {
        Ok(self.send_body(path, body)?.data)
    }

    fn send_body(&self, path: &str, body: &Value) -> Outcome<ApiResponse> {
        self.send(path, || {
            self.agent
                .post(format!("{}{path}", self.base))
                .header("X-API-Key", &self.key)
                .send_json(body)
        })
    }

    /// Searches products for a query and returns the first page.
    pub fn search(&self, q: &str, lang: &str, limit: usize) -> Outcome<Found> {
        let body = json!({"q": q, "lang": lang, "types": ["products"], "page": 1, "limit": limit});
        let ApiResponse { data, took } = self.send_body("/search", &body)?;
        let products = &data["products"];
        let hits = products["hits"].as_array().map_or(&[][..], Vec::as_slice);
        let text = |hit: &Value, field: &str| hit[field].as_str().unwrap_or_default().to_owned();
        Ok(Found {
            ids: hits.iter().map(|hit| text(hit, "id")).collect(),
            first_name: hits.first().map(|hit| text(hit, "name")),
            total: products["total"].as_u64().unwrap_or(0),
            took_ms: took.as_secs_f64() * 1000.0,
        })
    }

    /// Waits until an empty query finds at least `documents` products.
    pub fn wait_until_found(&self, lang: &str, documents: u64) -> Outcome<()> {
        let enough = || match self.search("", lang, 1) {
            Ok(found) => (found.total >= documents).then_some(Ok(())),
            Err(failure) => Some(Err(failure)),
        };
        poll(SEARCHABLE_MAX, enough).unwrap_or_else(|| {
            let seconds = SEARCHABLE_MAX.as_secs();
            Err(Failure::new(format!(
                "{documents} documents were not all found after {seconds} s"
            )))
        })
    }

    fn send(
        &self,
        path: &str,
        request: impl Fn() -> Result<Response<ureq::Body>, ureq::Error>,
    ) -> Outcome<ApiResponse> {
        for _ in 0..ATTEMPTS_MAX {
            let watch = Stopwatch::start();
            let mut response = request().map_err(Failure::of(path))?;
            let status = response.status().as_u16();
            if let (429 | 503, Some(seconds)) = (status, retry_after(&response)) {
                pause(Duration::from_secs(seconds));
                continue;
            }
            let text = response
                .body_mut()
                .read_to_vec()
                .map_err(Failure::of(path))?;
            let took = watch.elapsed();
            let mut body: Value = serde_json::from_slice(&text).map_err(Failure::of(path))?;
            if (200..300).contains(&status) {
                let data = body["data"].take();
                return Ok(ApiResponse { data, took });
            }
            let message = body["message"].as_str().unwrap_or("no message");
            return Err(Failure::new(format!("{path}: {status}: {message}")));
        }
        Err(Failure::new(format!(
            "{path}: still 429 or 503 after {ATTEMPTS_MAX} attempts"
        )))
    }
}

/// A successful response.
struct ApiResponse {
    data: Value,
    /// Time until all of it was received; parsing it is not included.
    took: Duration,
}

/// The result of a search.
pub struct Found {
    /// Ids of the hits in order.
    pub ids: Vec<String>,
    /// Name of the first hit.
    pub first_name: Option<String>,
    /// Products found in all.
    pub total: u64,
    /// Milliseconds until the response was received.
    pub took_ms: f64,
}

fn retry_after(response: &Response<ureq::Body>) -> Option<u64> {
    response
        .headers()
        .get("Retry-After")?
        .to_str()
        .ok()?
        .parse()
        .ok()
}
