//! An index of tents: its specification, a document, and a search.

use domain::document::{DocType, Document};
use domain::relevance::Relevance;
use domain::{IndexId, Language};
use engine::{Batch, DocumentChange, Index, IndexSpec, Request};
use query::{Analyser, Plan, UserQuery};
use serde_json::json;

fn language() -> Language {
    Language::parse("en").expect("a language")
}

pub fn spec(identity: &str, id: i64) -> IndexSpec {
    IndexSpec {
        id: IndexId(id),
        identity: identity.to_owned(),
        doc_type: DocType::Products,
        language: language(),
        partial: false,
    }
}

/// Writes the tent with this number.
pub fn write(index: &dyn Index, number: u32) {
    let body = json!({"id": number.to_string(), "name": "Tent"});
    let document = Document::parse(DocType::Products, 0, body).expect("a document");
    let change = DocumentChange {
        ordinal: number,
        document: Some(document),
        texts_changed: true,
    };
    let batch = Batch {
        changes: vec![change],
        watermark: i64::from(number) + 1,
    };
    assert!(index.apply(batch).expect("written").rejected.is_empty());
}

/// Returns how many tents are found.
pub fn found(index: &dyn Index) -> u64 {
    let (relevance, analyser) = (Relevance::default(), Analyser::new(&language()));
    let query = UserQuery::new("tent", &analyser, &relevance.search_settings);
    let plan = Plan::new(&query, &relevance, DocType::Products);
    let result = index.snapshot().search(&plan, &Request::default());
    result.expect("searched").total
}
