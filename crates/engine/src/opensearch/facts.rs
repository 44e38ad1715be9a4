//! What an index says about itself as a whole: documents, sizes, fields with values, averages of lengths.

use super::client::{Client, ClientError, Purpose};
use super::fields;
use super::generation::{FrozenAverages, GenerationMeta};
use super::queries::{buckets, exists};
use crate::Facts;
use domain::relevance::field::{FIELD_COUNT, FieldId};
use parking_lot::Mutex;
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// The facts of one state, once they were read.
#[derive(Default)]
pub struct FactsMemo(Mutex<Option<Arc<Facts>>>);

impl FactsMemo {
    /// Returns the facts of the index `name` that says `meta`; only what it says where it does not respond.
    pub fn of(&self, client: &Client, name: &str, meta: &GenerationMeta) -> Arc<Facts> {
        self.read(client, name, meta).unwrap_or_else(|error| {
            tracing::warn!(index = name, %error, "the facts of an index cannot be read");
            Arc::new(Facts {
                averages: meta.averages.all(),
                has_substrings: meta.partial,
                ..Facts::default()
            })
        })
    }

    /// Returns the facts of the index `name` that says `meta`.
    ///
    /// Errors: it does not respond.
    pub fn read(
        &self,
        client: &Client,
        name: &str,
        meta: &GenerationMeta,
    ) -> Result<Arc<Facts>, ClientError> {
        if let Some(facts) = self.0.lock().as_ref() {
            return Ok(Arc::clone(facts));
        }
        // Whoever comes meanwhile reads them too, rather than wait for one that does not respond.
        let facts = Arc::new(read(client, name, meta)?);
        Ok(Arc::clone(self.0.lock().insert(facts)))
    }
}

/// Computes the averages of an index of so many documents.
pub fn averages(
    client: &Client,
    name: &str,
    documents: u64,
) -> Result<FrozenAverages, ClientError> {
    let all = FieldId::texts().map(|field| {
        let average = json!({"avg": {"field": fields::length(field)}});
        (field.name().to_owned(), average)
    });
    let body = json!({"size": 0, "aggs": Value::Object(all.collect::<Map<_, _>>())});
    let found = client.send(
        Purpose::write(),
        "POST",
        &format!("/{name}/_search"),
        Some(&body),
    )?;
    let length = |field: FieldId| {
        let average = found["aggregations"][field.name()]["value"].as_f64();
        (field.name().to_owned(), average.unwrap_or(0.0))
    };
    Ok(FrozenAverages {
        documents,
        lengths: FieldId::texts().map(length).collect(),
    })
}

fn read(client: &Client, name: &str, meta: &GenerationMeta) -> Result<Facts, ClientError> {
    let body = json!({
        "size": 0,
        "track_total_hits": true,
        "query": exists(fields::ID),
        "aggs": {"filled": {"terms": {"field": fields::FILLED, "size": FIELD_COUNT}}},
    });
    let found = client.send(
        client.searching(),
        "POST",
        &format!("/{name}/_search"),
        Some(&body),
    )?;
    let path = format!("/{name}/_stats/store");
    let sizes = client.send(client.searching(), "GET", &path, None)?;
    let documents = found["hits"]["total"]["value"].as_u64().unwrap_or(0);
    let filled: Vec<&str> = buckets(&found["aggregations"]["filled"])
        .map(|(name, _)| name)
        .collect();
    let has_values = |field: &FieldId| match *field {
        FieldId::AUTOCOMPLETE => documents > 0,
        FieldId::PARTIAL => meta.partial && documents > 0,
        own => filled.contains(&own.name()),
    };
    Ok(Facts {
        documents,
        bytes: sizes["_all"]["primaries"]["store"]["size_in_bytes"]
            .as_u64()
            .unwrap_or(0),
        has_substrings: meta.partial,
        filled: FieldId::all().filter(has_values).collect(),
        averages: meta.averages.all(),
    })
}
