//! What a cluster must have before it is used; found at the start, not by the first shopper.

use super::client::{Client, ClientError, Purpose};
use super::mapping;
use domain::relevance::field::FieldId;
use serde_json::{Value, json};
use std::hash::{BuildHasher, RandomState};

/// Oldest version that is tested.
const VERSION_MIN: (u64, u64) = (2, 19);
/// Clauses that one query may have: a few misspelled words in all fields.
pub const CLAUSES: u64 = 4_096;

/// What a cluster lacks.
#[derive(Debug, thiserror::Error)]
pub enum Lacking {
    /// It does not respond, or refuses what is needed to ask it.
    #[error("the search cluster cannot be used: {0}")]
    Response(#[from] ClientError),
    /// It is another product.
    #[error("the search cluster is not OpenSearch; Elasticsearch is not supported")]
    Product,
    /// It is too old.
    #[error("the search cluster has version {0}; 2.19 or newer is needed")]
    Version(String),
    /// It allows fewer clauses, and does not let us raise the limit.
    #[error(
        "the search cluster allows {0} clauses a query; set indices.query.bool.max_clause_count to 4096 or more, \
         or give this user the privilege cluster:admin/settings/update"
    )]
    Clauses(u64),
    /// It refuses scripts, indexes or documents.
    #[error("the search cluster refuses to {action}: {cause}")]
    Refused {
        /// What was tried.
        action: &'static str,
        /// Its words.
        cause: ClientError,
    },
}

/// Checks version, limit of clauses, scripts and privileges.
pub fn check(client: &Client) -> Result<(), Lacking> {
    check_version(client)?;
    check_clauses(client)?;
    check_index(client)
}

fn check_version(client: &Client) -> Result<(), Lacking> {
    let about = client.send(Purpose::check(), "GET", "/", None)?;
    let version = &about["version"];
    if version["distribution"].as_str() != Some("opensearch") {
        return Err(Lacking::Product);
    }
    let number = version["number"].as_str().unwrap_or_default();
    let mut parts = number.split('.').map_while(|part| part.parse::<u64>().ok());
    let own = (parts.next().unwrap_or(0), parts.next().unwrap_or(0));
    match own >= VERSION_MIN {
        true => Ok(()),
        false => Err(Lacking::Version(number.to_owned())),
    }
}

fn check_clauses(client: &Client) -> Result<(), Lacking> {
    const LIMIT: &str = "indices.query.bool.max_clause_count";
    let path = "/_cluster/settings?include_defaults=true&flat_settings=true";
    let settings = client.send(Purpose::check(), "GET", path, None)?;
    let allowed = ["transient", "persistent", "defaults"].into_iter();
    let mut allowed = allowed.filter_map(|kind| settings[kind][LIMIT].as_str()?.parse().ok());
    // The default of every version since 1.0.
    let allowed: u64 = allowed.next().unwrap_or(1_024);
    if allowed >= CLAUSES {
        return Ok(());
    }
    let body = json!({"persistent": {LIMIT: CLAUSES}});
    let raised = client.send(Purpose::check(), "PUT", "/_cluster/settings", Some(&body));
    raised.map(drop).map_err(|_| Lacking::Clauses(allowed))
}

/// Makes an index as ours are, writes into it and searches it with a script, then deletes it.
fn check_index(client: &Client) -> Result<(), Lacking> {
    // Servers may start at the same moment.
    let name = format!(
        "{}-check-{:x}",
        client.prefix,
        RandomState::new().hash_one(0)
    );
    let send = |action, method, path: &str, body: Option<&Value>| {
        let sent = client.send(Purpose::check(), method, path, body);
        sent.map_err(|cause| Lacking::Refused { action, cause })
    };
    let averages: Vec<_> = FieldId::texts().map(|field| (field, 1.0)).collect();
    let body = mapping::index(client.shards, &averages, &json!({}));
    let path = format!("/{name}");
    send(
        "create an index with scripts of similarity",
        "PUT",
        &path,
        Some(&body),
    )?;
    let checked = || {
        let document = json!({"id": "check"});
        send(
            "write a document",
            "PUT",
            &format!("{path}/_doc/1"),
            Some(&document),
        )?;
        send(
            "refresh an index",
            "POST",
            &format!("{path}/_refresh"),
            None,
        )?;
        let scripted = json!({"query": {"script_score": {
            "query": {"match_all": {}}, "script": {"source": "_score * params.one", "params": {"one": 1}},
        }}});
        send(
            "search with a script",
            "POST",
            &format!("{path}/_search"),
            Some(&scripted),
        )?;
        send("close an index", "POST", &format!("{path}/_close"), None)?;
        send("open an index", "POST", &format!("{path}/_open"), None)
    };
    let outcome = checked();
    send("delete an index", "DELETE", &path, None)?;
    outcome.map(drop)
}
