//! Searches one generation of an index.

use super::client::{ClientError, Purpose, now};
use super::copies::Preference;
use super::fields::SEPARATOR;
use super::generation::ClusterGeneration;
use super::queries::{everything, malformed};
use crate::EngineError;
use serde_json::{Value, json};
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Hits of one page when all documents are read.
const PAGE: usize = 5_000;
/// Filters that are counted by one request.
const COUNTS_MAX: usize = 1_000;

/// A generation that is searched, for one request: everything that it counts is counted once.
pub struct Searcher {
    /// The generation.
    pub generation: Arc<ClusterGeneration>,
    purpose: Purpose,
    /// Numbers of documents by their set and filter.
    counted: RefCell<HashMap<String, u64>>,
}

/// Filters that are counted among the documents of a set.
pub struct Counts {
    /// The set.
    pub within: Value,
    /// The filters.
    pub filters: Vec<Value>,
}

impl Searcher {
    /// Begins a request to a generation.
    pub fn new(generation: &Arc<ClusterGeneration>) -> Self {
        Self {
            generation: Arc::clone(generation),
            purpose: generation.client.searching(),
            counted: RefCell::default(),
        }
    }

    /// Sends a search, whose response has the scores of named queries.
    ///
    /// Errors: the cluster refused it, did not respond, or not for all of the index.
    pub fn search(&self, body: &Value) -> Result<Value, EngineError> {
        let path = format!(
            "/{}/_search?include_named_queries_score=true&allow_partial_search_results=false",
            self.generation.name
        );
        let client = &self.generation.client;
        complete(self.send(|purpose, preference| {
            let path = match preference.name() {
                Some(name) => format!("{path}&preference={name}"),
                None => path.clone(),
            };
            client.send(purpose, "POST", &path, Some(body))
        })?)
    }

    /// Sends a request; if that is not responded to in half of the time, once more, to other copies of the index.
    fn send(
        &self,
        request: impl Fn(Purpose, Preference) -> Result<Value, ClientError>,
    ) -> Result<Value, EngineError> {
        let copies = &self.generation.copies;
        let once = |purpose: Purpose| {
            let preference = copies.preferred(now());
            let response = request(purpose, preference);
            if let Err(ClientError::Unreachable(_)) = &response {
                copies.avoid(preference, now());
            }
            response
        };
        let response = match once(self.purpose.first_attempt()) {
            Err(ClientError::Unreachable(_)) => once(self.purpose),
            done => done,
        };
        response.map_err(EngineError::during("search an index"))
    }

    /// Sends several searches at once, without the scores of named queries.
    ///
    /// Errors: as [`Searcher::search`], of any of them.
    pub fn search_all(&self, bodies: &[Value]) -> Result<Vec<Value>, EngineError> {
        match bodies {
            [] => return Ok(Vec::new()),
            [one] => return Ok(vec![self.search(one)?]),
            _ => {}
        }
        let path = format!("/{}/_msearch", self.generation.name);
        let client = &self.generation.client;
        let mut found = self.send(|purpose, preference| {
            client.send_lines(purpose, &path, lines(bodies, preference))
        })?;
        match found["responses"].take() {
            Value::Array(all) if all.len() == bodies.len() => {
                all.into_iter().map(complete).collect()
            }
            _ => Err(malformed("responses to several searches")),
        }
    }

    /// Sends several searches, and with them what has not been counted yet of `counts`.
    ///
    /// Errors: as [`Searcher::search_all`].
    pub fn search_and_count(
        &self,
        mut bodies: Vec<Value>,
        counts: &[Counts],
    ) -> Result<Vec<Value>, EngineError> {
        let searches = bodies.len();
        let mut sent: Vec<Vec<String>> = Vec::new();
        for own in counts {
            let within = own.within.to_string();
            let counted = self.counted.borrow();
            let mut seen = HashSet::new();
            let filters = own
                .filters
                .iter()
                .map(|filter| (key(&within, filter), filter));
            let new = filters.filter(|(key, _)| !counted.contains_key(key));
            let new: Vec<_> = new.filter(|(key, _)| seen.insert(key.clone())).collect();
            for some in new.chunks(COUNTS_MAX) {
                let filters: Vec<&Value> = some.iter().map(|(_, filter)| *filter).collect();
                bodies.push(json!({
                    "size": 0, "track_total_hits": false, "query": own.within,
                    "aggs": {"counts": {"filters": {"filters": filters}}},
                }));
                sent.push(some.iter().map(|(key, _)| key.clone()).collect());
            }
        }
        let mut found = self.search_all(&bodies)?;
        let mut counted = self.counted.borrow_mut();
        for (keys, found) in sent.into_iter().zip(found.drain(searches..)) {
            let buckets = found["aggregations"]["counts"]["buckets"].as_array();
            let buckets = buckets.filter(|all| all.len() == keys.len());
            let buckets = buckets.ok_or_else(|| malformed("counts"))?;
            let numbers = buckets
                .iter()
                .map(|own| own["doc_count"].as_u64().unwrap_or(0));
            counted.extend(keys.into_iter().zip(numbers));
        }
        Ok(found)
    }

    /// Counts the documents of each of `filters`, whoever may see them.
    pub fn count(&self, filters: Vec<Value>) -> Result<Vec<u64>, EngineError> {
        self.count_within(everything(), filters)
    }

    /// Counts the documents of `within` that are in each of `filters`.
    pub fn count_within(
        &self,
        within: Value,
        filters: Vec<Value>,
    ) -> Result<Vec<u64>, EngineError> {
        let counts = Counts { within, filters };
        self.search_and_count(Vec::new(), std::slice::from_ref(&counts))?;
        let (within, counted) = (counts.within.to_string(), self.counted.borrow());
        let numbers = counts
            .filters
            .iter()
            .map(|filter| counted.get(&key(&within, filter)));
        Ok(numbers.map(|own| own.copied().unwrap_or(0)).collect())
    }

    /// Reads `field`, which every document has once, and what `others` say, of all documents of `query`, in its order.
    pub fn read_all(
        &self,
        query: &Value,
        field: &str,
        others: &[&str],
    ) -> Result<Vec<Value>, EngineError> {
        let mut all = Vec::new();
        let mut after: Option<Value> = None;
        loop {
            let mut body = json!({
                "size": PAGE, "track_total_hits": false, "_source": false, "query": query,
                "sort": [{field: "asc"}], "docvalue_fields": others,
            });
            if let Some(after) = &after {
                body["search_after"] = after.clone();
            }
            let found = self.search(&body)?;
            let hits = found["hits"]["hits"].as_array();
            let hits = hits.ok_or_else(|| malformed("hits"))?;
            after = hits.last().map(|hit| hit["sort"].clone());
            all.extend(hits.iter().cloned());
            if hits.len() < PAGE {
                return Ok(all);
            }
        }
    }
}

/// Returns the lines of several searches: before each one, how it is executed.
fn lines(bodies: &[Value], preference: Preference) -> Vec<u8> {
    let mut how = json!({"allow_partial_search_results": false});
    if let Some(name) = preference.name() {
        how["preference"] = name.into();
    }
    let how = how.to_string();
    let mut lines = Vec::new();
    for body in bodies {
        for line in [&how, &body.to_string()] {
            lines.extend_from_slice(line.as_bytes());
            lines.push(b'\n');
        }
    }
    lines
}

/// Returns a response that is about all of the index.
fn complete(found: Value) -> Result<Value, EngineError> {
    match found["timed_out"].as_bool() {
        Some(false) => Ok(found),
        _ => Err(EngineError::new(
            "search an index",
            ClientError::Unreachable("the search took too long".to_owned()),
        )),
    }
}

fn key(within: &str, filter: &Value) -> String {
    format!("{within}{SEPARATOR}{filter}")
}
