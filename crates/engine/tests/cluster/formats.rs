//! Servers of two versions on one cluster.
//!
//! 1. Each version has indexes of its own: one that is missing does not exist for it, and while it is filled and from then on
//!    the other one is searched as before.
//! 2. Indexes of an earlier version are deleted once nobody uses them, those of this and of a later one never.
//! 3. An index that is discarded is gone in every version.

use crate::node;
use domain::document::{DocType, Document};
use domain::relevance::Relevance;
use domain::{IndexId, Language};
use engine::{
    Batch, ClusterAccess, DocumentChange, Engine, Index, IndexSpec, OpenSearchEngine, Request,
    SEARCH_FORMAT, SEARCH_SHARDS, SharedIndexes,
};
use query::{Analyser, Plan, UserQuery};
use serde_json::json;
use tempfile::TempDir;

const FORMER: u32 = SEARCH_FORMAT;
const NEW: u32 = SEARCH_FORMAT + 1;

fn spec(id: i64) -> IndexSpec {
    IndexSpec {
        id: IndexId(id),
        identity: "formats".to_owned(),
        doc_type: DocType::Products,
        language: Language::parse("en").expect("a language"),
        partial: false,
    }
}

fn shared(engine: &OpenSearchEngine) -> &dyn SharedIndexes {
    engine.shared().expect("shared indexes")
}

fn exists(engine: &OpenSearchEngine, id: i64) -> bool {
    shared(engine).exists(&spec(id)).expect("known")
}

fn write(index: &dyn Index, number: u32) {
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

fn found(index: &dyn Index) -> u64 {
    let (relevance, analyser) = (
        Relevance::default(),
        Analyser::new(&Language::parse("en").expect("a language")),
    );
    let query = UserQuery::new("tent", &analyser, &relevance.search_settings);
    let plan = Plan::new(&query, &relevance, DocType::Products);
    let result = index.snapshot().search(&plan, &Request::default());
    result.expect("searched").total
}

#[test]
fn two_versions_have_indexes_of_their_own() {
    let Some(address) = node::address() else {
        return;
    };
    let folder = TempDir::new().expect("a folder");
    let of = |format| {
        let prefix = node::prefix(folder.path());
        let access = ClusterAccess {
            format,
            ..node::access(address.clone(), prefix, SEARCH_SHARDS)
        };
        OpenSearchEngine::new(&access).expect("an access")
    };
    let (former, new) = (of(FORMER), of(NEW));
    let before = former.open(&spec(1)).expect("an index");
    write(before.as_ref(), 0);
    assert_eq!((exists(&former, 1), exists(&new, 1)), (true, false));

    let after = new.rebuild(&spec(1)).expect("an index");
    write(after.as_ref(), 0);
    write(after.as_ref(), 1);
    assert!(!exists(&new, 1));
    after.complete().expect("completed");
    assert!(exists(&new, 1));
    assert_eq!((found(before.as_ref()), found(after.as_ref())), (1, 2));
    // A rebuild by the new one retires nothing of the former one.
    new.renew(&spec(1)).expect("an index");
    let reopened = former.open(&spec(1)).expect("an index");
    assert_eq!(found(reopened.as_ref()), 1);

    for (engine, used, deleted) in [
        (&former, &[][..], 0),
        (&new, &[FORMER, NEW], 0),
        (&new, &[NEW], 1),
        (&new, &[NEW], 0),
    ] {
        let own = shared(engine).discard_earlier(used).expect("deleted");
        assert_eq!(own, deleted, "{used:?}");
    }
    assert_eq!((exists(&former, 1), exists(&new, 1)), (false, true));

    former.renew(&spec(2)).expect("an index");
    new.renew(&spec(2)).expect("an index");
    former.discard(IndexId(2)).expect("deleted");
    assert_eq!((exists(&former, 2), exists(&new, 2)), (false, false));
    new.discard(IndexId(1)).expect("deleted");
}
