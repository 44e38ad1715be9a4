//! 1. An intact service has no findings.
//! 2. An index that was tampered with is detected, whether it lacks documents, holds others, or holds old ones.
//! 3. A repair restores it.

use crate::world::{World, index_of, open, products};
use domain::{Caller, DocType, Document};
use engine::{Batch, DocumentChange, EmbeddedEngine, Engine, IndexSpec};
use operations::check::{self, FindingKind};
use serde_json::json;
use std::time::Duration;

fn put(ordinal: u32, name: &str) -> DocumentChange {
    let body = json!({"id": format!("t{ordinal}"), "name": name});
    DocumentChange {
        ordinal,
        document: Some(Document::parse(DocType::Products, 0, body).expect("a document")),
        texts_changed: true,
    }
}

#[tokio::test]
async fn tampering_is_detected_and_repaired() {
    let world = World::new().await;
    world.indices(&["es"]).await;
    let sent = world.send(&world.one, None, products(&["a", "b", "c", "d"]));
    sent.await.expect("stored");
    let waited = world
        .service
        .wait_until_searchable(&world.one.store, Duration::from_secs(30));
    assert!(waited.await.expect("storage answers"));
    let operator = Caller::operator();
    let found = check::run(&world.service, &operator, false).await;
    assert_eq!(found.expect("checked"), []);
    let row = index_of(&world.storage().await, &world.one).await;
    world.service.close().await;

    let spec = IndexSpec {
        id: row.id,
        identity: format!("{}/{}/{}", row.store, row.id, row.created_at.0),
        doc_type: DocType::Products,
        language: row.scope.language.clone(),
        partial: false,
    };
    let index = EmbeddedEngine::new(world.dir.path().join("indexes"))
        .open(&spec)
        .expect("the index");
    assert_eq!(index.watermark(), row.sequence);
    let gone = DocumentChange {
        ordinal: 0,
        document: None,
        texts_changed: false,
    };
    let batch = Batch {
        changes: vec![gone, put(1, "Another name"), put(99, "Surplus")],
        watermark: row.sequence,
    };
    let applied = index.apply(batch).expect("tampered with");
    assert_eq!(applied.rejected, []);
    index.local().expect("a local index").release();
    drop(index);

    let service = open(&world.dir, &world.clock).await;
    for repair in [false, true] {
        let found = check::run(&service, &operator, repair).await;
        let found = found.expect("checked");
        let seen: Vec<(FindingKind, &str, bool)> = found
            .iter()
            .map(|finding| {
                (
                    finding.kind,
                    finding.documents[0].as_str(),
                    finding.repaired,
                )
            })
            .collect();
        let expected = [
            (FindingKind::Missing, "a", repair),
            (FindingKind::Surplus, "#99", repair),
            (FindingKind::Outdated, "b", repair),
        ];
        assert_eq!(seen, expected);
    }
    let found = check::run(&service, &operator, false).await;
    assert_eq!(found.expect("checked"), []);
    service.close().await;
}
