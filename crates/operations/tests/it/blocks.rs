//! 1. An invalid document is rejected alone; the others of its block are stored.
//! 2. Blocks of 0 and 501 documents are rejected as a whole, 500 pass.
//! 3. An older document is stale, an equal or newer one replaces, one from the future counts as built now.
//! 4. Sending the same again advances `rev` and leaves the sequences alone; a change of numbers leaves the text's.
//! 5. Of several documents with the same id the last counts; the other tenant keeps its own.
//! 6. A scope without an index is `index_missing`; acknowledged documents survive a restart.

use crate::world::{NOW, World, index_of, open, product, products};
use operations::OperationError;
use serde_json::{Value, json};
use storage::StoredDocument;

async fn stored(world: &World) -> Vec<StoredDocument> {
    let storage = world.storage().await;
    let index = index_of(&storage, &world.one).await;
    storage
        .changes_after(index.id, 0, crate::world::PAGE)
        .await
        .expect("reads")
        .documents
}

#[tokio::test]
async fn an_invalid_document_is_rejected_alone() {
    let world = World::new().await;
    world.indices(&["es"]).await;
    let block = vec![
        product("1", 0),
        json!({"id": "2"}),
        json!({"id": "3", "name": "x", "priceInclTax": "1"}),
        json!("odd"),
        product("5", 0),
    ];
    let report = world.send(&world.one, None, block).await.expect("sends");
    assert_eq!((report.received, report.accepted), (5, 2));
    let rejected: Vec<_> = report.rejected.iter().map(|r| (r.index, r.code)).collect();
    let wanted = [
        (1, "name_missing"),
        (2, "invalid_document"),
        (3, "invalid_document"),
    ];
    assert_eq!(rejected, wanted);
    assert_eq!(world.live(&world.one).await, ["1", "5"]);
    assert!(world.live(&world.two).await.is_empty());
}

#[tokio::test]
async fn blocks_have_1_to_500_documents() {
    let world = World::new().await;
    world.indices(&["es"]).await;
    let many = |count: usize| {
        (0..count)
            .map(|n| product(&n.to_string(), 0))
            .collect::<Vec<_>>()
    };
    let error = world
        .send(&world.one, None, many(501))
        .await
        .expect_err("refused");
    assert!(matches!(
        error,
        OperationError::TooManyDocuments {
            max: 500,
            got: 501,
            ..
        }
    ));
    let error = world
        .send(&world.one, None, Vec::new())
        .await
        .expect_err("refused");
    assert_eq!(error.code(), "invalid_request");
    assert!(world.live(&world.one).await.is_empty());
    let report = world
        .send(&world.one, None, many(500))
        .await
        .expect("sends");
    assert_eq!(report.accepted, 500);
    assert_eq!(world.live(&world.one).await.len(), 500);
}

#[tokio::test]
async fn an_older_document_is_stale() {
    let world = World::new().await;
    world.indices(&["es"]).await;
    world
        .send(&world.one, None, vec![product("1", -10)])
        .await
        .expect("sends");
    let mut newer = product("1", -10);
    newer["name"] = json!("Newer");
    let report = world
        .send(&world.one, None, vec![newer])
        .await
        .expect("sends");
    assert_eq!(report.accepted, 1);
    let report = world
        .send(&world.one, None, vec![product("1", -11)])
        .await
        .expect("sends");
    assert_eq!((report.accepted, report.stale), (0, vec!["1".to_owned()]));
    assert!(stored(&world).await[0].body.contains("Newer"));
    // A clock that runs ahead must not lock a document.
    world
        .send(&world.one, None, vec![product("1", 9_000_000)])
        .await
        .expect("sends");
    world.clock.advance_ms(1);
    let report = world
        .send(&world.one, None, vec![product("1", 1)])
        .await
        .expect("sends");
    assert_eq!((report.accepted, report.stale.len()), (1, 0));
}

#[tokio::test]
async fn a_document_without_rev_counts_as_built_on_arrival() {
    let world = World::new().await;
    world.indices(&["es"]).await;
    let bare = json!({"id": "1", "name": "x"});
    world
        .send(&world.one, None, vec![bare])
        .await
        .expect("sends");
    let report = world
        .send(&world.one, None, vec![product("1", -1)])
        .await
        .expect("sends");
    assert_eq!(report.stale, ["1"]);
}

#[tokio::test]
async fn only_what_changed_advances_the_sequences() {
    let world = World::new().await;
    world.indices(&["es"]).await;
    world
        .send(&world.one, None, products(&["1", "2"]))
        .await
        .expect("sends");
    let first = stored(&world).await;
    assert_eq!((first[0].seq, first[0].text_seq, first[1].seq), (1, 1, 2));
    world
        .send(&world.one, None, products(&["1", "2"]))
        .await
        .expect("sends");
    assert_eq!(stored(&world).await, first);
    let mut dearer = product("1", 0);
    dearer["priceInclTax"] = json!(9.5);
    world
        .send(&world.one, None, vec![dearer])
        .await
        .expect("sends");
    let changed = stored(&world).await;
    let last = changed.last().expect("two documents");
    assert_eq!(
        (last.id.as_str(), last.seq, last.text_seq, last.ordinal),
        ("1", 3, 1, 0)
    );
    let mut renamed = product("1", 0);
    renamed["name"] = json!("Other");
    world
        .send(&world.one, None, vec![renamed])
        .await
        .expect("sends");
    let changed = stored(&world).await;
    let last = changed.last().expect("two documents");
    assert_eq!((last.seq, last.text_seq), (4, 4));
    // The equal document advanced its rev all the same: an older one is stale now.
    world.clock.advance_ms(1_000);
    world
        .send(&world.one, None, vec![product("2", 500)])
        .await
        .expect("sends");
    let report = world
        .send(&world.one, None, vec![product("2", 499)])
        .await
        .expect("sends");
    assert_eq!(report.stale, ["2"]);
}

#[tokio::test]
async fn the_last_of_one_id_counts_and_tenants_are_separate() {
    let world = World::new().await;
    world.indices(&["es"]).await;
    let mut second = product("1", 0);
    second["name"] = json!("Second");
    let report = world
        .send(&world.one, None, vec![product("1", 0), second])
        .await
        .expect("sends");
    assert_eq!((report.received, report.accepted), (2, 1));
    world
        .send(&world.two, None, vec![product("1", 0)])
        .await
        .expect("sends");
    assert!(stored(&world).await[0].body.contains("Second"));
    assert_eq!(world.live(&world.two).await, ["1"]);
}

#[tokio::test]
async fn everything_but_rev_and_hash_is_stored() {
    let world = World::new().await;
    world.indices(&["es"]).await;
    let sent = json!({"id": "a/b'c\"", "name": "Ñ \u{1f600}", "reference": "00123", "priceInclTax_USD_t4_cfr": 3,
                      "accessGroups": ["none"], "odd": {"deep": [1, null]}, "rev": NOW.0, "hash": "x"});
    world
        .send(&world.one, None, vec![sent.clone()])
        .await
        .expect("sends");
    let body: Value = serde_json::from_str(&stored(&world).await[0].body).expect("JSON");
    let mut wanted = sent;
    let wanted = wanted.as_object_mut().expect("an object");
    wanted.remove("rev");
    wanted.remove("hash");
    assert_eq!(body.as_object(), Some(&*wanted));
}

#[tokio::test]
async fn a_scope_without_index_is_reported() {
    let world = World::new().await;
    let error = world
        .send(&world.one, None, products(&["1"]))
        .await
        .expect_err("refused");
    assert_eq!(error.code(), "index_missing");
    let details = error.details().expect("details");
    assert_eq!(details, json!({"type": "products", "language": "es"}));
}

#[tokio::test]
async fn acknowledged_documents_survive_a_restart() {
    let world = World::new().await;
    world.indices(&["es"]).await;
    world
        .send(&world.one, None, products(&["1", "2"]))
        .await
        .expect("sends");
    // Another process looks at the files as they are now, with the first one still at work.
    let copy = tempfile::tempdir().expect("a directory");
    for name in ["findwell.db", "findwell.db-wal", "master.key"] {
        std::fs::copy(world.dir.path().join(name), copy.path().join(name)).expect("copies");
    }
    let again = open(&copy, &world.clock).await;
    assert!(again.readiness().await.storage);
    let storage = storage::Storage::open(&storage::Database::in_dir(copy.path()))
        .await
        .expect("opens");
    let index = index_of(&storage, &world.one).await;
    assert_eq!(index.documents, 2);
    again.close().await;
    assert!(!again.readiness().await.storage);
}
