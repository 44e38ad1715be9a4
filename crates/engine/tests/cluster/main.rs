//! What the engine on OpenSearch relies on, tried on a node as it is: if a version behaves otherwise, this says where.
//!
//! 1. Terms at one place count as one word; a phrase spans neither a hole nor two values.
//! 2. A similarity by script scores as written, and the mark of a text counts as one occurrence.
//! 3. Parts with names have scores of their own.
//! 4. A version that is lower is refused, also after a deletion; an equal one is not.
//! 5. The lowest score applies to totals and aggregations, a filter of hits to neither.
//! 6. The suggester finds words and codes at one edit, with transpositions, and at two edits behind a mark, also where one is
//!    at the first character.
//! 7. A cluster that lacks something is refused with a sentence, and one without faults is accepted.

#[path = "../../../storage/tests/conformance/certificates.rs"]
mod certificates;
mod closed;
mod formats;
#[path = "../node/nginx.rs"]
mod nginx;
#[path = "../node/mod.rs"]
mod node;
mod refusals;
mod secured;
mod tents;

use engine::{ClusterAccess, OpenSearchEngine, SEARCH_FORMAT, SEARCH_PATIENCE, SEARCH_SHARDS};
use serde_json::{Value, json};
use tempfile::TempDir;

/// An index of its own on the node, deleted at the end.
struct TestIndex {
    url: String,
}

impl TestIndex {
    /// None where no node runs.
    fn new() -> Option<Self> {
        let address = node::address()?;
        let folder = TempDir::new().expect("a folder");
        let index = Self {
            url: format!("{address}/probe-{}", node::prefix(folder.path())),
        };
        let created = index.send("PUT", "", &definition());
        assert_eq!(created["acknowledged"], true, "{created}");
        Some(index)
    }

    fn send(&self, method: &str, path: &str, body: &Value) -> Value {
        let request = ureq::http::Request::builder()
            .method(method)
            .uri(format!("{}{path}", self.url));
        let request = request.header("content-type", "application/json");
        let request = request.body(body.to_string()).expect("a request");
        let config = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .proxy(None)
            .build();
        let mut response = ureq::Agent::from(config).run(request).expect("a response");
        response.body_mut().read_json().expect("JSON")
    }

    fn put(&self, id: &str, version: u32, body: &Value) -> Value {
        let path = format!("/_doc/{id}?version={version}&version_type=external_gte");
        self.send("PUT", &path, body)
    }

    fn refresh(&self) {
        self.send("POST", "/_refresh", &json!({}));
    }

    /// Ids and scores.
    fn search(&self, query: Value) -> Vec<(String, f64)> {
        let found = self.send("POST", "/_search", &json!({"query": query}));
        let hits = found["hits"]["hits"]
            .as_array()
            .unwrap_or_else(|| panic!("{found}"));
        let of = hits.iter().map(|hit| {
            let id = hit["_id"].as_str().expect("an id");
            (id.to_owned(), hit["_score"].as_f64().expect("a score"))
        });
        of.collect()
    }
}

impl Drop for TestIndex {
    fn drop(&mut self) {
        self.send("DELETE", "", &json!({}));
    }
}

fn definition() -> Value {
    json!({
        "settings": {"index": {
            "number_of_replicas": 0,
            "refresh_interval": "-1",
            "analysis": {
                "tokenizer": {"places": {
                    "type": "char_group", "tokenize_on_chars": ["\u{1f}"], "max_token_length": 10_000,
                }},
                "filter": {
                    "same": {"type": "pattern_capture", "preserve_original": false, "patterns": ["([^\u{1e}]+)"]},
                    "holes": {"type": "stop", "stopwords": ["\u{4}"]},
                },
                "analyzer": {
                    "places": {"type": "custom", "tokenizer": "places", "filter": ["same", "holes"]},
                    "terms": {"type": "custom", "tokenizer": "places"},
                },
            },
            "similarity": {"own": {"type": "scripted", "script": {
                "source": "return query.boost * 1.5 * doc.freq / (doc.freq + 0.3 + 0.2 * doc.length);",
            }}},
        }},
        "mappings": {"properties": {
            "name": {"type": "text", "analyzer": "places", "similarity": "own", "position_increment_gap": 100},
            "all": {"type": "text", "analyzer": "terms", "index_options": "docs", "norms": false},
            "code": {"type": "keyword"},
        }},
    })
}

fn ids(found: Vec<(String, f64)>) -> Vec<String> {
    found.into_iter().map(|(id, _)| id).collect()
}

fn phrase(text: &str) -> Value {
    json!({"match_phrase": {"name": {"query": text, "analyzer": "places"}}})
}

#[test]
fn places_are_kept() {
    let Some(index) = TestIndex::new() else {
        return;
    };
    let first = "\u{2}\u{1e}red\u{1e}\u{1}red\u{1f}tent\u{1e}\u{1}tents\u{1f}\u{4}\u{1f}blue";
    index.put("a", 1, &json!({"name": [first, "zelt"]}));
    index.refresh();
    for (text, is_found) in [
        ("red\u{1f}tent", true),
        ("red\u{1f}\u{1}tents", true),
        ("tent\u{1f}blue", false),
        ("tent\u{1f}\u{4}\u{1f}blue", true),
        ("blue\u{1f}zelt", false),
    ] {
        assert_eq!(!index.search(phrase(text)).is_empty(), is_found, "{text:?}");
    }
    // Four words: neither forms nor the mark nor the hole counts.
    let term = |value: &str| json!({"term": {"name": {"value": value, "boost": 2.0}}});
    let expected = 2.0 * 1.5 / (1.0 + 0.3 + 0.2 * 4.0);
    for value in ["tent", "\u{1}tents", "\u{2}"] {
        let found = index.search(term(value));
        assert!((found[0].1 - expected).abs() < 1e-6, "{value:?}: {found:?}");
    }
    let once = json!({"bool": {"must": [term("\u{2}")], "filter": [phrase("red\u{1f}tent")]}});
    assert!((index.search(once)[0].1 - expected).abs() < 1e-6);
}

#[test]
fn parts_with_names_have_scores() {
    let Some(index) = TestIndex::new() else {
        return;
    };
    index.put("a", 1, &json!({"name": "red", "code": "k1"}));
    index.refresh();
    let named = json!({"function_score": {
        "query": {"dis_max": {"tie_breaker": 0.2, "queries": [
            {"term": {"name": {"value": "red", "boost": 3.0, "_name": "word"}}},
            {"constant_score": {"filter": {"term": {"code": "k1"}}, "boost": 2.5, "_name": "code"}},
        ]}},
        "functions": [{"filter": {"bool": {"filter": [{"exists": {"field": "code"}}], "_name": "boost"}}, "weight": 2}],
    }});
    let path = "/_search?include_named_queries_score=true";
    let found = index.send("POST", path, &json!({"query": named}));
    let hit = &found["hits"]["hits"][0];
    let scores = &hit["matched_queries"];
    let word = 3.0 * 1.5 / (1.0 + 0.3 + 0.2);
    assert!(
        (scores["word"].as_f64().expect("a score") - word).abs() < 1e-6,
        "{found}"
    );
    assert_eq!(scores["code"], 2.5);
    assert!(scores["boost"].is_number());
    let score = hit["_score"].as_f64().expect("a score");
    assert!((score - 2.0 * (word + 0.2 * 2.5)).abs() < 1e-5, "{score}");
}

#[test]
fn versions_never_fall() {
    let Some(index) = TestIndex::new() else {
        return;
    };
    let body = json!({"code": "k1"});
    assert_eq!(index.put("a", 5, &body)["result"], "created");
    assert_eq!(index.put("a", 5, &body)["result"], "updated");
    assert_eq!(index.put("a", 4, &body)["status"], 409);
    let gone = index.send(
        "DELETE",
        "/_doc/a?version=7&version_type=external_gte",
        &json!({}),
    );
    assert_eq!(gone["result"], "deleted");
    assert_eq!(index.put("a", 6, &body)["status"], 409);
    index.refresh();
    assert_eq!(index.search(json!({"match_all": {}})), []);
}

#[test]
fn the_lowest_score_applies_to_aggregations() {
    let Some(index) = TestIndex::new() else {
        return;
    };
    index.put("a", 1, &json!({"name": "red", "code": "k1"}));
    index.put("b", 1, &json!({"name": "red\u{1f}tent", "code": "k2"}));
    index.refresh();
    let scored = json!({"function_score": {
        "query": {"term": {"name": {"value": "red", "boost": 1.0}}}, "min_score": 0.95, "boost_mode": "multiply",
    }});
    let codes = json!({"codes": {"terms": {"field": "code"}}});
    let body = json!({"query": scored, "aggs": codes, "post_filter": {"term": {"code": "k2"}}});
    let found = index.send("POST", "/_search", &body);
    assert_eq!(found["hits"]["total"]["value"], 0, "{found}");
    assert_eq!(
        found["aggregations"]["codes"]["buckets"],
        json!([{"key": "k1", "doc_count": 1}])
    );
}

#[test]
fn words_at_one_edit_are_suggested() {
    let Some(index) = TestIndex::new() else {
        return;
    };
    index.put(
        "a",
        1,
        &json!({"all": "tent\u{1f}tant\u{1f}lamp\u{1f}\u{5}lamp", "code": ["kt1200", "kt1201", "\u{1}KT1200"]}),
    );
    index.refresh();
    let term = |field: &str| {
        json!({
            "field": field, "suggest_mode": "always", "max_edits": 1, "prefix_length": 0, "min_word_length": 1,
            "size": 500, "shard_size": 500, "max_inspections": 10_000, "accuracy": 0.0, "max_term_freq": 1e9,
            "string_distance": "damerau_levenshtein",
        })
    };
    let mut marked = term("all");
    marked["max_edits"] = json!(2);
    let body = json!({"size": 0, "suggest": {
        "word": {"text": "tnet", "term": term("all")},
        "code": {"text": "kt1200", "term": term("code")},
        "marked": {"text": "\u{5}damb", "term": marked},
    }});
    let found = index.send("POST", "/_search", &body);
    let near = |name: &str| -> Vec<String> {
        let options = found["suggest"][name][0]["options"]
            .as_array()
            .expect("options");
        let texts = options.iter().filter_map(|option| option["text"].as_str());
        texts.map(str::to_owned).collect()
    };
    assert_eq!(near("word"), ["tent"]);
    assert_eq!(near("marked"), ["\u{5}lamp"]);
    assert!(near("code").contains(&"kt1201".to_owned()), "{found}");
}

#[test]
fn nothing_is_found_before_a_refresh() {
    let Some(index) = TestIndex::new() else {
        return;
    };
    index.put("a", 1, &json!({"code": "k1"}));
    let all = || ids(index.search(json!({"match_all": {}})));
    assert_eq!(all(), [""; 0]);
    index.refresh();
    assert_eq!(all(), ["a"]);
}

#[test]
fn a_cluster_is_checked() {
    if node::address().is_none() {
        return;
    }
    let folder = TempDir::new().expect("a folder");
    let engine = node::engine(folder.path());
    engine.check().expect("a cluster that can be used");
    let access = |host: String| ClusterAccess {
        hosts: vec![host],
        credentials: None,
        authorities: None,
        prefix: "t-check".to_owned(),
        shards: SEARCH_SHARDS,
        format: SEARCH_FORMAT,
        patience: SEARCH_PATIENCE,
    };
    // Nothing listens on this port.
    let engine =
        OpenSearchEngine::new(&access("http://127.0.0.1:1".to_owned())).expect("an address");
    let lacking = engine.check().expect_err("no cluster").to_string();
    assert!(
        lacking.starts_with("the search cluster cannot be used: no host"),
        "{lacking}"
    );
}
