//! A catalogue that is large enough for every size of the product, searched with those and with small ones.

use super::engines::{self, EngineOf};
use domain::document::{DocType, Document};
use domain::search::Sort;
use domain::{IndexId, Language, Relevance};
use engine::{Batch, DocumentChange, Engine, IndexSpec, Request, SearchResult, Snapshot};
use query::{Analyser, Plan, UserQuery};
use serde_json::{Value, json};
use std::sync::Arc;
use std::thread;
use tempfile::TempDir;

/// More than 33 blocks of 4,096.
const PRODUCTS: u32 = 140_000;

/// Products of the first batch, with facets: enough for several threads to count them.
const WITH_VALUES: u32 = 9_000;

/// Groups of attributes, more than are counted at once.
const GROUPS: u32 = 70;

fn language() -> Language {
    Language::parse("en").expect("a language")
}

fn product(at: u32) -> Value {
    let words = ["lamp", "lamps", "lomp", "glass", "stone", "tent", "red"];
    let word = |step: u32| words[(at / step) as usize % words.len()];
    let name = format!("{} {}", word(1 + at % 3), word(7));
    let mut body =
        json!({"id": format!("p{at:06}"), "name": name, "sales_count": (at * 7_919) % 1_000});
    if at < WITH_VALUES {
        let group = at % GROUPS;
        body["attributes"] =
            json!([{"groupId": group.to_string(), "group": "g", "value": word(5)}]);
        body["manufacturer"] = json!(word(11));
        body["description"] = json!(word(13));
    }
    body
}

/// Indexes the catalogue with `engine`.
fn catalogue(engine: &dyn Engine) -> Arc<dyn Snapshot> {
    let spec = IndexSpec {
        id: IndexId(1),
        identity: "sizes".to_owned(),
        doc_type: DocType::Products,
        language: language(),
        partial: false,
    };
    let index = engine.open(&spec).expect("a new index");
    let bounds = [0, WITH_VALUES, PRODUCTS];
    for (range, watermark) in bounds.windows(2).zip(1..) {
        let changes = (range[0]..range[1]).map(|at| DocumentChange {
            ordinal: at,
            document: Some(
                Document::parse(DocType::Products, 0, product(at)).expect("a document of a shop"),
            ),
            texts_changed: true,
        });
        let changes = changes.collect();
        let batch = Batch { changes, watermark };
        let applied = index.apply(batch).expect("a batch is applied");
        assert_eq!(applied.rejected, []);
    }
    index.snapshot()
}

fn search(snapshot: &dyn Snapshot, query: &str, request: &Request) -> SearchResult {
    let relevance = Relevance::default();
    let analyser = Analyser::new(&language());
    let query = UserQuery::new(query, &analyser, &relevance.search_settings);
    let plan = Plan::new(&query, &relevance, DocType::Products);
    snapshot.search(&plan, request).expect("a result")
}

#[test]
fn shipped_and_small_sizes_find_the_same() {
    let folders = [(); 2].map(|()| TempDir::new().expect("a folder"));
    let engines: [EngineOf; 2] = [engines::embedded, engines::embedded_small];
    let [shipped, small] = thread::scope(|scope| {
        let opened = [0, 1].map(|at| {
            let engine = engines[at](folders[at].path());
            scope.spawn(move || catalogue(engine.as_ref()))
        });
        opened.map(|opened| opened.join().expect("a catalogue"))
    });
    let requests = [10, 150].into_iter().flat_map(|limit| {
        [Sort::default(), Sort::PriceAsc].map(|sort| Request {
            limit,
            sort,
            facets: true,
            ..Request::default()
        })
    });
    for request in requests {
        for query in ["", "lamp", "lamp glass", "lamb", "red tents stone"] {
            let [found, same] = [&shipped, &small].map(|of| search(&**of, query, &request));
            assert_eq!(found.total, same.total, "{query}");
            assert!(!found.hits.is_empty(), "{query}");
            let ranking = |found: &SearchResult| -> Vec<(String, f64)> {
                let hits = found.hits.iter();
                hits.map(|hit| (hit.id.clone(), hit.score)).collect()
            };
            assert_eq!(ranking(&found), ranking(&same), "{query}");
            assert_eq!(found.facets, same.facets, "{query}");
            assert_eq!(found.words, same.words, "{query}");
        }
    }
}
