//! A client of the HTTP interface: sends one request, honours `Retry-After`, gives back `data` or the server's sentence.

use crate::failure::{Failure, Outcome};
use crate::stopwatch::{Stopwatch, pause, poll};
use serde_json::{Value, json};
use std::time::Duration;
use ureq::Agent;
use ureq::http::Response;

/// How often a request that was told to come back later does so.
const ATTEMPTS_MAX: u32 = 60;
/// Longest time from the last answer of the feed until all documents are found.
const SEARCHABLE_MAX: Duration = Duration::from_secs(300);

/// A connection with one key.
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

    /// `data` of a GET.
    pub fn get(&self, path: &str) -> Outcome<Value> {
        let answer = self.send(path, || {
            self.agent
                .get(format!("{}{path}", self.base))
                .header("X-API-Key", &self.key)
                .call()
        });
        Ok(answer?.data)
    }

    /// `data` of a POST.
    pub fn post(&self, path: &str, body: &Value) -> Outcome<Value> {
        Ok(self.send_body(path, body)?.data)
    }

    fn send_body(&self, path: &str, body: &Value) -> Outcome<Answer> {
        self.send(path, || {
            self.agent
                .post(format!("{}{path}", self.base))
                .header("X-API-Key", &self.key)
                .send_json(body)
        })
    }

    /// One page of products for a question: ids in order and how many were found in all.
    pub fn search(&self, q: &str, lang: &str, limit: usize) -> Outcome<Found> {
        let body = json!({"q": q, "lang": lang, "types": ["products"], "page": 1, "limit": limit});
        let Answer { data, took } = self.send_body("/search", &body)?;
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

    /// Waits until a search without words finds at least `documents` products.
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
    ) -> Outcome<Answer> {
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
            let mut answer: Value = serde_json::from_slice(&text).map_err(Failure::of(path))?;
            if (200..300).contains(&status) {
                let data = answer["data"].take();
                return Ok(Answer { data, took });
            }
            let sentence = answer["message"].as_str().unwrap_or("no message");
            return Err(Failure::new(format!("{path}: {status}: {sentence}")));
        }
        Err(Failure::new(format!(
            "{path}: told to come back later {ATTEMPTS_MAX} times"
        )))
    }
}

/// An answer.
struct Answer {
    data: Value,
    /// Until all of it was there; what reading it costs here is not the server's.
    took: Duration,
}

/// What a search found.
pub struct Found {
    /// Ids of the hits in order.
    pub ids: Vec<String>,
    /// Name of the first hit.
    pub first_name: Option<String>,
    /// Products found in all.
    pub total: u64,
    /// Milliseconds until the answer was there.
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
