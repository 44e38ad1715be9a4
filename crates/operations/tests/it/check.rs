//! 1. An intact service has no findings.
//! 2. An index that was tampered with is detected, whether it lacks documents, holds others, or holds old ones.
//! 3. A repair restores it.
//! 4. While a closed store waits, and while it is removed, all other stores are checked, repaired and rebuilt.

use crate::world::{World, index_of, open, products};
use domain::limits::CLOSED_STORE_DAYS;
use domain::{Caller, DocType, Document, IndexId};
use engine::{Batch, DocumentChange, EmbeddedEngine, Engine, IndexSpec};
use operations::check::{self, FindingKind};
use operations::jobs::{closed_stores, deletion_marks};
use operations::reindex::{self, ReindexState};
use operations::stores;
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

/// Rebuilds everything; returns the indexes that were rebuilt.
async fn rebuilt(world: &World) -> Vec<IndexId> {
    let operator = Caller::operator();
    let started = reindex::start(&world.service, &operator, None).await;
    let indexes: Vec<_> = started.expect("started").iter().map(|i| i.index).collect();
    loop {
        let now = reindex::progress(&world.service, &operator, &indexes).await;
        let now = now.expect("progress");
        if now
            .iter()
            .all(|index| index.state != ReindexState::Building)
        {
            assert!(
                now.iter().all(|index| index.state == ReindexState::Done),
                "{now:?}"
            );
            return now.into_iter().map(|index| index.index).collect();
        }
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn closed_stores_do_not_disturb() {
    let world = World::new().await;
    let (service, operator) = (&world.service, Caller::operator());
    world.indices(&["es"]).await;
    world.store(&world.one, products(&["a", "b"])).await;
    world.store(&world.two, products(&["c", "d"])).await;
    for tenant in [&world.one, &world.two] {
        let waited = service.wait_until_searchable(&tenant.store, Duration::from_secs(30));
        assert!(waited.await.expect("storage answers"));
    }
    let one = index_of(&world.storage().await, &world.one).await;
    let two = index_of(&world.storage().await, &world.two).await;
    assert_eq!(rebuilt(&world).await, [one.id, two.id]);
    let closed = stores::close(service, &operator, &world.two.store, "Two".to_owned()).await;
    closed.expect("closed");

    for removing in [false, true] {
        if removing {
            (world.clock).advance_ms(CLOSED_STORE_DAYS * 24 * 3_600_000);
            let begun = closed_stores::begin(service, &world.two.store).await;
            assert!(begun.expect("begins"));
            let portion = closed_stores::portion(service, &world.two.store).await;
            assert!(portion.expect("removes") > 0, "its counters are wrong now");
        }
        for repair in [false, true] {
            let found = check::run(service, &operator, repair).await;
            assert_eq!(found.expect("checked"), [], "repair: {repair}");
        }
        assert_eq!(rebuilt(&world).await, [one.id]);
        deletion_marks::run(service).await.expect("runs");
        let stored = service.statistics().await.stored.expect("statistics");
        let held: Vec<_> = stored
            .holdings
            .iter()
            .map(|h| (h.indexes, h.documents))
            .collect();
        assert_eq!(held, [(1, 2)]);
    }
    let both = reindex::progress(service, &operator, &[one.id, two.id]).await;
    assert_eq!(
        both.expect("progress").len(),
        1,
        "a closed store is left out"
    );
}
