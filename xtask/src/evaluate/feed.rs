//! Feeds a catalogue into a store through the feed operations, as a shop's connector does.

use crate::catalogue;
use crate::client::Client;
use crate::failure::{Failure, Outcome};
use serde_json::{Value, json};
use std::path::Path;

/// Documents of one block, the limit of the interface.
const BLOCK: usize = 500;

/// The result of feeding a catalogue.
pub struct Fed {
    /// Documents in the index after the run was closed.
    pub documents: u64,
    /// Documents that were rejected.
    pub rejected: u64,
}

/// Sends the products of `file` in one full run and closes it.
pub fn products(connector: &Client, file: &Path, language: &str) -> Outcome<Fed> {
    connector.get("/feed/connect")?;
    let languages = json!([{"code": language, "default": true}]);
    connector.post(
        "/feed/indices",
        &json!({"types": ["products"], "languages": languages}),
    )?;
    let run = json!({"clientRunId": "evaluate", "mode": "full", "types": ["products"], "languages": [language]});
    let opened = connector.post("/feed/runs", &run)?;
    let run_id = opened["runId"]
        .as_str()
        .ok_or_else(|| Failure::new("/feed/runs: the response names no run"))?;
    let mut sent = Sent::default();
    let mut block = Vec::with_capacity(BLOCK);
    for document in catalogue::documents(file)? {
        block.push(document?);
        if block.len() == BLOCK {
            let documents = std::mem::take(&mut block);
            sent.add(send(connector, run_id, language, documents)?);
        }
    }
    if !block.is_empty() {
        sent.add(send(connector, run_id, language, block)?);
    }
    let documents = close(connector, run_id, language, &sent)?;
    Ok(Fed {
        documents,
        rejected: sent.rejected,
    })
}

#[derive(Default)]
struct Sent {
    accepted: u64,
    rejected: u64,
}

impl Sent {
    fn add(&mut self, other: Self) {
        self.accepted += other.accepted;
        self.rejected += other.rejected;
    }
}

fn send(connector: &Client, run: &str, language: &str, documents: Vec<Value>) -> Outcome<Sent> {
    let body = json!({"language": language, "runId": run, "documents": documents});
    let report = connector.post("/feed/products/bulk", &body)?;
    let rejected = report["rejected"].as_array().map_or(0, Vec::len);
    Ok(Sent {
        accepted: report["accepted"].as_u64().unwrap_or(0),
        rejected: rejected as u64,
    })
}

fn close(connector: &Client, run: &str, language: &str, sent: &Sent) -> Outcome<u64> {
    let scope = json!({"type": "products", "language": language, "sent": sent.accepted, "touched": 0, "dropped": sent.rejected});
    let path = format!("/feed/runs/{run}/close");
    let closed = connector.post(&path, &json!({"scopes": [scope]}))?;
    let scope = &closed["scopes"][0];
    if scope["status"] != "purged" {
        return Err(Failure::new(format!(
            "{path}: the run did not end well: {scope}"
        )));
    }
    Ok(scope["documents"].as_u64().unwrap_or(0))
}
