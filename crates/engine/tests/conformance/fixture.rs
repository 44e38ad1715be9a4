//! Short helpers for indexes, changes and searches.

use domain::document::{DocType, Document};
use domain::{IndexId, Language, Relevance};
use engine::{
    Batch, DocumentChange, Engine, Index, IndexSpec, LocalIndex, Request, SearchResult, Snapshot,
};
use proptest::test_runner::{Config, RngSeed, TestRunner};
use query::{Analyser, Plan, UserQuery};
use serde_json::{Value, json};
use std::path::Path;
use std::sync::Arc;
use tempfile::TempDir;

/// An engine over a folder; called again, it is the engine after a restart.
pub type Engines<'a> = &'a dyn Fn(&Path) -> Box<dyn Engine>;

pub fn spec(identity: &str, language: &str) -> IndexSpec {
    IndexSpec {
        id: IndexId(7),
        identity: identity.to_owned(),
        doc_type: DocType::Products,
        language: Language::parse(language).expect("a language"),
        partial: false,
    }
}

pub fn folder() -> TempDir {
    TempDir::new().expect("a folder")
}

pub fn open(engines: Engines<'_>, folder: &TempDir) -> Arc<dyn Index> {
    let engine = engines(folder.path());
    engine.open(&spec("one", "en")).expect("an index")
}

pub fn document(body: Value) -> Document {
    Document::parse(DocType::Products, 0, body).expect("a document")
}

pub fn put(ordinal: u32, body: Value) -> DocumentChange {
    DocumentChange {
        ordinal,
        document: Some(document(body)),
        texts_changed: true,
    }
}

pub fn numbers(ordinal: u32, body: Value) -> DocumentChange {
    DocumentChange {
        texts_changed: false,
        ..put(ordinal, body)
    }
}

pub fn delete(ordinal: u32) -> DocumentChange {
    DocumentChange {
        ordinal,
        document: None,
        texts_changed: false,
    }
}

pub fn apply(index: &dyn Index, watermark: i64, changes: Vec<DocumentChange>) {
    let batch = Batch { changes, watermark };
    let applied = index.apply(batch).expect("a batch is applied");
    assert_eq!(applied.rejected, []);
}

/// The life cycle of an index that is on this machine.
pub fn local(index: &dyn Index) -> &dyn LocalIndex {
    index.local().expect("an index on this machine")
}

/// Loads the numbers of all documents, as after a restart, where the index needs them.
pub fn load(index: &dyn Index, documents: Vec<DocumentChange>) {
    if let Some(index) = index.local() {
        index.load(documents).expect("numbers");
    }
}

/// Makes an index idle, where there is such a state.
pub fn rest(index: &dyn Index) {
    if let Some(index) = index.local() {
        while !index.go_idle().expect("a step towards rest") {}
    }
}

/// Ends the writing of an index before it is opened again, where that is necessary.
pub fn release(index: &dyn Index) {
    if let Some(index) = index.local() {
        index.release();
    }
}

/// Whether a snapshot stays as it is when the index changes.
pub fn keeps_snapshots(index: &dyn Index) -> bool {
    index.local().is_some()
}

pub fn named(id: &str, name: &str) -> Value {
    json!({"id": id, "name": name})
}

pub fn search(snapshot: &dyn Snapshot, text: &str, request: &Request) -> SearchResult {
    let plan = plan(text, &Relevance::default());
    snapshot.search(&plan, request).expect("a result")
}

pub fn plan(text: &str, relevance: &Relevance) -> Plan {
    let analyser = Analyser::new(&Language::parse("en").expect("a language"));
    let query = UserQuery::new(text, &analyser, &relevance.search_settings);
    Plan::new(&query, relevance, DocType::Products)
}

pub fn ids(snapshot: &dyn Snapshot, text: &str) -> Vec<String> {
    let request = Request {
        limit: 1000,
        ..Request::default()
    };
    let found = search(snapshot, text, &request);
    assert_eq!(found.total, found.hits.len() as u64);
    found.hits.into_iter().map(|hit| hit.id).collect()
}

/// A runner of `cases` cases, the same in every run unless `PROPTEST_RNG_SEED` is set.
pub fn runner(cases: u32, seed: u64) -> TestRunner {
    let config = Config::default();
    let asked = match config.rng_seed {
        RngSeed::Fixed(asked) => asked,
        RngSeed::Random => 0,
    };
    TestRunner::new(Config {
        cases,
        rng_seed: RngSeed::Fixed(asked.wrapping_add(seed)),
        failure_persistence: None,
        ..config
    })
}
