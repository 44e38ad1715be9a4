//! Where a node of OpenSearch runs:
//!
//! 1. With its indexes there and its data on PostgreSQL, a server does for feed, search, facets, synonyms, rules, pins,
//!    simulator and reindex what it does with indexes of its own; a check finds nothing.
//! 2. Two servers share the indexes: what one has written, the other finds, also after a rebuild by either.
//! 3. While the cluster is away, searches are 503 and the feed is acknowledged; once it is back, everything is found.
//! 4. The demo catalogue has the same totals, order, scores and facets as on a server with indexes of its own.
//! 5. Where the cluster has no index of what is stored, `prepare` fills it, while another server runs or not; two servers that
//!    start without it find everything or respond 503, and never a part.
//! 6. A server whose cluster cannot be used does not start, and says why.

use super::on_postgresql::Server;
use super::switched_proxy::SwitchedProxy;
use super::two_nodes::{Keys, bota};
use crate::harness::{Client, eventually, product};
use crate::opensearch_node;
use serde_json::{Value, json};
use server::demo::catalogue;
use std::collections::BTreeSet;
use std::fs;

/// A PostgreSQL server whose nodes have their indexes in a cluster, behind a proxy.
fn both() -> Option<(Server, SwitchedProxy)> {
    let cluster = opensearch_node::address()?;
    let mut server = Server::start()?;
    let proxy = SwitchedProxy::start(cluster.replace("http://", ""));
    server.more = variables(&server, &[&proxy.address]);
    Some((server, proxy))
}

/// The variables of nodes whose indexes are in the cluster with these hosts.
pub fn variables(server: &Server, hosts: &[&String]) -> Vec<(&'static str, String)> {
    // Names of indexes of one test are those of no other.
    let folder = server.file("");
    let name = folder.file_name().expect("a name").to_string_lossy();
    let letters = name.bytes().map(|byte| format!("{byte:02x}"));
    let urls = hosts.iter().map(|host| format!("opensearch+http://{host}"));
    vec![
        ("FINDWELL_SEARCH", urls.collect::<Vec<_>>().join(",")),
        (
            "FINDWELL_SEARCH_PREFIX",
            format!("t{}", letters.collect::<String>()),
        ),
    ]
}

fn search(client: &Client, keys: &Keys, request: &Value) -> Value {
    let call = client.call("POST", "/api/v1/search").key(&keys.search);
    call.json(request).send().ok().data().clone()
}

fn ids(data: &Value) -> Vec<String> {
    let hits = data["products"]["hits"].as_array().expect("hits").iter();
    hits.map(|hit| hit["id"].as_str().expect("an id").to_owned())
        .collect()
}

#[test]
fn from_the_feed_to_a_rebuild() {
    let Some((server, _proxy)) = both() else {
        return;
    };
    let keys = Keys::of(&server);
    let mut node = server.serve("a");
    let client = &node.client;
    keys.prepare(client, &["es"]);
    let mut documents = ["Bota roja", "Bota azul", "Zapato azul"]
        .iter()
        .enumerate()
        .map(|(at, name)| product(&at.to_string(), name))
        .collect::<Vec<_>>();
    documents[0]["manufacturer"] = json!("Norte");
    keys.send(client, "es", &json!(documents));
    eventually("the documents are found", || {
        keys.found(client, "es", "bota") == Some(2) && keys.found(client, "es", "azul") == Some(2)
    });
    let data = search(
        client,
        &keys,
        &json!({"q": "bota", "lang": "es", "types": ["products"], "facets": true}),
    );
    let facets = data["facets"].as_array().expect("facets");
    let brand = facets.iter().find(|facet| facet["field"] == "manufacturer");
    assert_eq!(brand.expect("a facet")["values"][0]["count"], 1, "{data}");

    let group = json!({"language": "es", "terms": ["bota", "botín"]});
    keys.own(client, "POST", "/synonyms", &group);
    eventually("the synonym is in effect", || {
        keys.found(client, "es", "botin") == Some(2)
    });
    let trigger = json!({"query": "bota", "match": "exact"});
    let rule = json!({"name": "n", "language": "es", "type": "PIN", "trigger": trigger, "actions": {"pin": ["2", "1"]}});
    keys.own(client, "POST", "/rules", &rule);
    let request = json!({"q": "bota", "lang": "es", "types": ["products"]});
    eventually("the pins are in effect", || {
        ids(&search(client, &keys, &request)) == ["2", "1", "0"]
    });
    let test = json!({"q": "bota", "lang": "es", "boosts": {"name": 6}, "applyRules": true});
    let simulated = keys.own(client, "POST", "/relevance/test", &test);
    let hits = simulated["hits"].as_array().expect("hits");
    assert_eq!(hits.len(), 3, "{simulated}");
    assert!(
        hits.iter().all(|hit| hit["breakdown"].is_object()),
        "{simulated}"
    );

    assert_eq!(server.run("a", &["reindex"]).status, 0);
    assert_eq!(ids(&search(client, &keys, &request)), ["2", "1", "0"]);
    server.check("a");
    assert_eq!(node.stop(), 0);
    let entries = fs::read_dir(server.file("a")).expect("a directory");
    let names: BTreeSet<_> = entries.flatten().map(|entry| entry.file_name()).collect();
    assert!(
        !names.contains(std::ffi::OsStr::new("indexes")),
        "{names:?}"
    );
}

#[test]
fn two_servers_share_the_indexes() {
    let Some((server, _proxy)) = both() else {
        return;
    };
    let keys = Keys::of(&server);
    let (a, b) = (server.serve("a"), server.serve("b"));
    keys.prepare(&a.client, &["es"]);
    for round in 1..=4 {
        let (here, there) = match round % 2 {
            0 => (&a.client, &b.client),
            _ => (&b.client, &a.client),
        };
        keys.send(here, "es", &bota(&format!("p{round}")));
        eventually("the other server finds it", || {
            keys.found(there, "es", "bota") == Some(round)
        });
    }
    for (name, other) in [("a", &b.client), ("b", &a.client)] {
        assert_eq!(server.run(name, &["reindex"]).status, 0);
        // The index that it knew is gone.
        assert_eq!(keys.found(other, "es", "botas"), Some(4));
    }
    keys.send(&a.client, "es", &bota("p5"));
    eventually("both find what was written to the new index", || {
        [&a.client, &b.client]
            .iter()
            .all(|client| keys.found(client, "es", "bota") == Some(5))
    });
}

/// Total, facets, and the first hits with their scores.
fn ranking(client: &Client, keys: &Keys, q: &str) -> (Value, Value, Vec<(String, f64)>) {
    let test = json!({"q": q, "lang": "en", "limit": 10});
    let tested = keys.own(client, "POST", "/relevance/test", &test);
    let hits = tested["hits"].as_array().expect("hits").iter();
    let hits = hits.map(|hit| {
        let id = hit["id"].as_str().expect("an id").to_owned();
        (id, hit["score"].as_f64().expect("a score"))
    });
    let request = json!({"q": q, "lang": "en", "types": ["products"], "facets": true, "limit": 1});
    let found = search(client, keys, &request);
    (
        tested["total"].clone(),
        found["facets"].clone(),
        hits.collect(),
    )
}

#[test]
fn the_demo_catalogue_ranks_alike() {
    let Some((server, _proxy)) = both() else {
        return;
    };
    let Some(own) = Server::start() else {
        return;
    };
    let documents = catalogue::documents("en", "http://shop.example");
    let filled = |server: &Server| {
        let (keys, node) = (Keys::of_language(server, "en"), server.serve("a"));
        keys.prepare(&node.client, &["en"]);
        keys.send(&node.client, "en", &json!(documents));
        eventually("the catalogue is found", || {
            keys.found(&node.client, "en", "") == Some(documents.len() as u64)
        });
        (keys, node)
    };
    let ((keys, node), (own_keys, own_node)) = (filled(&server), filled(&own));
    let names = documents
        .iter()
        .filter_map(|document| document["name"].as_str());
    let words = names.step_by(9).map(|name| name.split_whitespace().take(2));
    let mut queries: Vec<String> = words
        .map(|words| words.collect::<Vec<_>>().join(" "))
        .collect();
    queries.extend(["boto", "jakcet", "coffe", "AUR-H1200"].map(str::to_owned));
    for q in &queries {
        let (total, facets, hits) = ranking(&node.client, &keys, q);
        let (expected, expected_facets, expected_hits) = ranking(&own_node.client, &own_keys, q);
        assert_eq!((total, facets), (expected, expected_facets), "{q}");
        for ((id, score), (expected, own)) in hits.iter().zip(&expected_hits) {
            assert!(
                (score - own).abs() <= 1e-4 * own.abs().max(1.0),
                "{q}: {id} {score} {own}"
            );
            let is_near = expected_hits
                .iter()
                .any(|(other, near)| other == id && (near - own).abs() <= 1e-4 * own.abs());
            assert!(id == expected || is_near, "{q}: {hits:?} {expected_hits:?}");
        }
    }
}

#[test]
fn a_cluster_that_is_away_delays_and_loses_nothing() {
    let Some((server, proxy)) = both() else {
        return;
    };
    let keys = Keys::of(&server);
    let node = server.serve("a");
    let client = &node.client;
    keys.prepare(client, &["es"]);
    keys.send(client, "es", &bota("p1"));
    eventually("the document is found", || {
        keys.found(client, "es", "bota") == Some(1)
    });
    proxy.off();
    let path = "/api/v1/search?q=botas&types=products&limit=1&lang=es";
    let reply = client.call("GET", path).key(&keys.search).send();
    let reply = reply.error(503, "unavailable");
    assert!(!reply.header("retry-after").is_empty());
    assert!(keys.try_send(client, "es", &bota("p2")));
    let ready = client.call("GET", "/readyz").send();
    assert_eq!(ready.status, 200, "{ready:?}");
    proxy.on();
    eventually("everything acknowledged is found", || {
        keys.found(client, "es", "bota") == Some(2)
    });
}

/// The names of all indexes of a server in the cluster.
pub fn indexes(server: &Server) -> Vec<String> {
    let cluster = opensearch_node::address().expect("a node");
    let prefix = &server.more[1].1;
    let list = ureq::get(format!("{cluster}/_cat/indices/{prefix}-*?h=index")).call();
    let list = list.and_then(|mut response| response.body_mut().read_to_string());
    let list = list.expect("the indexes of the cluster");
    list.lines().map(str::to_owned).collect()
}

/// Deletes all indexes of a server in the cluster, so that it is as if this version had none yet.
fn delete_indexes(server: &Server) {
    let cluster = opensearch_node::address().expect("a node");
    let indexes = indexes(server);
    assert!(!indexes.is_empty());
    for index in indexes {
        let deleted = ureq::delete(format!("{cluster}/{index}")).call();
        deleted.expect("deleted");
    }
}

#[test]
fn what_is_stored_is_filled_before_it_is_searched() {
    let Some((server, _proxy)) = both() else {
        return;
    };
    let keys = Keys::of(&server);
    let mut node = server.serve("a");
    keys.prepare(&node.client, &["es"]);
    let documents: Vec<Value> = (0..300)
        .map(|number| product(&format!("p{number}"), "Bota"))
        .collect();
    keys.send(&node.client, "es", &json!(documents));
    eventually("the documents are found", || {
        keys.found(&node.client, "es", "bota") == Some(300)
    });
    let nothing_to_do = server.run("a", &["prepare"]);
    assert_eq!(nothing_to_do.status, 0, "{nothing_to_do:?}");
    assert_eq!(node.stop(), 0);

    delete_indexes(&server);
    let prepared = server.run("b", &["prepare", "--json"]);
    assert_eq!(prepared.status, 0, "{prepared:?}");
    assert!(
        prepared.json()["indexes"].as_u64() >= Some(1),
        "{prepared:?}"
    );
    let node = server.serve("a");
    assert_eq!(keys.found(&node.client, "es", "bota"), Some(300));
    drop(node);

    delete_indexes(&server);
    let (a, b) = (server.serve("a"), server.serve("b"));
    for client in [&a.client, &b.client] {
        eventually("everything is found at once", || {
            match keys.found(client, "es", "bota") {
                None => false,
                found => {
                    assert_eq!(found, Some(300));
                    true
                }
            }
        });
    }
}

#[test]
fn a_cluster_that_cannot_be_used_is_refused() {
    let Some((mut server, proxy)) = both() else {
        return;
    };
    proxy.off();
    let refused = server.run("a", &["serve", "--listen", "127.0.0.1:0"]);
    assert_eq!(refused.status, 1, "{refused:?}");
    assert!(
        refused.stderr.contains("the search cluster cannot be used"),
        "{refused:?}"
    );
    server.more[0].1 = "opensearch+http://search.example:9200".to_owned();
    server
        .more
        .push(("FINDWELL_SEARCH_USER", "findwell".to_owned()));
    let file = server.file("password").display().to_string();
    server.more.push(("FINDWELL_SEARCH_PASSWORD_FILE", file));
    let refused = server.run("a", &["serve", "--listen", "127.0.0.1:0"]);
    assert_eq!(refused.status, 2, "{refused:?}");
    assert!(refused.stderr.contains("https"), "{refused:?}");
}
