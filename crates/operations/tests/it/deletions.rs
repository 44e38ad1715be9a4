//! 1. A delete counts documents over languages, reports missing ones, and is stale for newer documents.
//! 2. Its mark rejects an older upsert, even of an unknown id; an equal or newer one is accepted.
//! 3. A document that comes back keeps its ordinal; deletes affect their own store only.
//! 4. Marks are removed after 24 hours; then an older upsert is accepted again.
//! 5. A delete without a rev counts as of the moment in which it could write.
//! 6. If an index has too many marks, the oldest are removed; rows of a clear do not count as marks, marks of unknown
//!    ids do.

use crate::world::{NOW, World, index_of, language, product, products, scope};
use domain::DocType;
use domain::feed::{Block, Clear, Deletion};
use operations::feed::{blocks, clear};
use operations::jobs;

#[tokio::test]
async fn a_delete_counts_documents_over_languages() {
    let world = World::new().await;
    world.indices(&["es", "en"]).await;
    world
        .send(&world.one, None, products(&["1", "2"]))
        .await
        .expect("sends");
    world
        .send(&world.two, None, products(&["1"]))
        .await
        .expect("sends");
    let caller = world.feeder(&world.one).await;
    let english = Block {
        language: "en".to_owned(),
        run_id: None,
        documents: products(&["1"]).into(),
    };
    blocks::upsert(&world.service, &caller, DocType::Products, english)
        .await
        .expect("sends");
    let report = world
        .delete(&world.one, &["1", "13", "1"], Some(NOW.0))
        .await
        .expect("deletes");
    assert_eq!(
        (report.deleted, report.missing, report.stale.len()),
        (2, vec!["13".to_owned()], 0)
    );
    let again = world
        .delete(&world.one, &["1"], None)
        .await
        .expect("deletes");
    assert_eq!((again.deleted, again.missing), (0, vec!["1".to_owned()]));
    assert_eq!(world.live(&world.one).await, ["2"]);
    assert_eq!(world.live(&world.two).await, ["1"]);
    assert_eq!(
        index_of(&world.storage().await, &world.one).await.documents,
        1
    );
}

#[tokio::test]
async fn languages_can_be_named_and_must_have_an_index() {
    let world = World::new().await;
    world.indices(&["es", "en"]).await;
    world
        .send(&world.one, None, products(&["1"]))
        .await
        .expect("sends");
    let caller = world.feeder(&world.one).await;
    let deletion = |code: &str| Deletion {
        ids: vec!["1".to_owned()],
        languages: Some(vec![language(code)]),
        rev: None,
    };
    let service = &world.service;
    let english = blocks::delete(service, &caller, DocType::Products, deletion("en"))
        .await
        .expect("deletes");
    assert_eq!(english.missing, ["1"]);
    assert_eq!(world.live(&world.one).await, ["1"]);
    let error = blocks::delete(service, &caller, DocType::Products, deletion("fr"))
        .await
        .err();
    assert_eq!(error.map(|e| e.code()), Some("index_missing"));
    let error = world.delete(&world.one, &[], None).await.err();
    assert_eq!(error.map(|e| e.code()), Some("invalid_request"));
    let ids: Vec<String> = (0..501).map(|n| n.to_string()).collect();
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    let error = world.delete(&world.one, &ids, None).await.err();
    assert_eq!(error.map(|e| e.code()), Some("too_many_documents"));
}

#[tokio::test]
async fn a_mark_rejects_older_upserts() {
    let world = World::new().await;
    world.indices(&["es"]).await;
    world
        .send(&world.one, None, vec![product("1", -10)])
        .await
        .expect("sends");
    let stale = world
        .delete(&world.one, &["1"], Some(NOW.0 - 11))
        .await
        .expect("asks");
    assert_eq!((stale.deleted, stale.stale), (0, vec!["1".to_owned()]));
    world
        .delete(&world.one, &["1", "never"], Some(NOW.0 - 5))
        .await
        .expect("deletes");
    for id in ["1", "never"] {
        let report = world
            .send(&world.one, None, vec![product(id, -6)])
            .await
            .expect("sends");
        assert_eq!((report.accepted, report.stale), (0, vec![id.to_owned()]));
    }
    assert!(world.live(&world.one).await.is_empty());
    for id in ["1", "never"] {
        let report = world
            .send(&world.one, None, vec![product(id, -5)])
            .await
            .expect("sends");
        assert_eq!(report.accepted, 1);
    }
    assert_eq!(world.live(&world.one).await, ["1", "never"]);
    assert_eq!(
        index_of(&world.storage().await, &world.one).await.documents,
        2
    );
}

/// The live documents of the first tenant's products in Spanish, with their ordinals.
async fn numbered(world: &World) -> Vec<(String, u32)> {
    let storage = world.storage().await;
    let index = index_of(&storage, &world.one).await.id;
    let live = storage
        .live_documents(index, None, crate::world::PAGE)
        .await;
    let live = live.expect("reads").documents.into_iter();
    live.map(|document| (document.id, document.ordinal))
        .collect()
}

#[tokio::test]
async fn a_document_that_comes_back_keeps_its_ordinal() {
    let world = World::new().await;
    world.indices(&["es"]).await;
    for tenant in [&world.one, &world.two] {
        world
            .send(tenant, None, products(&["1", "2"]))
            .await
            .expect("sends");
    }
    let before = numbered(&world).await;
    world
        .delete(&world.one, &["1"], None)
        .await
        .expect("deletes");
    assert_eq!(world.live(&world.two).await, ["1", "2"]);
    world
        .send(&world.one, None, products(&["3", "1"]))
        .await
        .expect("sends");
    let mut after = numbered(&world).await;
    let third = after.pop().expect("a third document");
    assert_eq!((after, third.0.as_str()), (before, "3"));
}

#[tokio::test]
async fn marks_are_removed_after_a_day() {
    let world = World::new().await;
    world.indices(&["es"]).await;
    world
        .send(&world.one, None, products(&["1", "2"]))
        .await
        .expect("sends");
    world
        .delete(&world.one, &["1", "never"], None)
        .await
        .expect("deletes");
    let at_most = std::time::Duration::from_secs(30);
    let searchable = world
        .service
        .wait_until_searchable(&world.one.store, at_most);
    assert!(searchable.await.expect("asks"));
    world.clock.advance_ms(24 * 3_600_000 - 1);
    let young = jobs::deletion_marks::run(&world.service)
        .await
        .expect("runs");
    assert_eq!(young.rows, 0);
    world.clock.advance_ms(1);
    let old = jobs::deletion_marks::run(&world.service)
        .await
        .expect("runs");
    assert_eq!(old.rows, 2);
    let report = world
        .send(&world.one, None, vec![product("1", -100)])
        .await
        .expect("sends");
    assert_eq!(report.accepted, 1);
}

#[tokio::test]
async fn a_delete_that_waited_is_newer_than_writes_in_the_meantime() {
    let world = World::new().await;
    world.indices(&["es"]).await;
    world
        .send(&world.one, None, products(&["1"]))
        .await
        .expect("sends");
    let caller = world.feeder(&world.one).await;
    let permit = domain::access::feed(&caller.caller).expect("a connector");
    let other = world.storage().await;
    let mut writer = other.begin_feed(&permit).await.expect("opens");
    let held = writer.index(&scope("es")).await.expect("holds the index");
    assert!(held.is_some());
    let deletion = Deletion {
        ids: vec!["1".to_owned()],
        languages: None,
        rev: None,
    };
    let service = world.service.clone();
    let waiting = tokio::spawn(async move {
        blocks::delete(&service, &caller, DocType::Products, deletion).await
    });
    // Lets the delete run as far as it gets during another write.
    for _ in 0..10 {
        tokio::task::yield_now().await;
    }
    world.clock.advance_ms(10);
    drop(writer);
    let report = waiting.await.expect("runs").expect("deletes");
    assert_eq!((report.deleted, report.stale.len()), (1, 0));
    let report = world
        .send(&world.one, None, vec![product("1", 5)])
        .await
        .expect("sends");
    assert_eq!(report.stale, ["1"]);
}

#[tokio::test]
async fn the_oldest_of_too_many_marks_are_removed() {
    let world = World::new().await;
    world.indices(&["es"]).await;
    let sent = world.send(&world.one, None, products(&["a", "b", "c"]));
    sent.await.expect("is stored");
    let caller = world.feeder(&world.one).await;
    let all = Clear {
        languages: None,
        keep_serving: false,
    };
    let cleared = clear::clear(&world.service, &caller, all).await;
    cleared.expect("is cleared");
    let ids: Vec<String> = (0..1_503).map(|id| id.to_string()).collect();
    for block in ids.chunks(500) {
        world.clock.advance_ms(1_000);
        let block: Vec<&str> = block.iter().map(String::as_str).collect();
        let deleted = world.delete(&world.one, &block, Some(NOW.0)).await;
        deleted.expect("is noted");
    }
    let at_most = std::time::Duration::from_secs(60);
    let searchable = (world.service).wait_until_searchable(&world.one.store, at_most);
    assert!(searchable.await.expect("asks"));
    let storage = world.storage().await;
    let index = index_of(&storage, &world.one).await.id;
    let (service, store) = (&world.service, &world.one.store);
    for (marks_max, gone, left) in [(1_503, 0, 1_503), (3, 1_500, 3), (3, 0, 3)] {
        let report = jobs::deletion_marks::enforce_limit(service, store, index, marks_max);
        assert_eq!(report.await.expect("runs").rows, gone);
        assert_eq!(storage.mark_count(index).await.expect("counts"), left);
    }
    let block = ["0", "1499", "1500", "1502"].map(|id| product(id, -100));
    let report = world.send(&world.one, None, block.to_vec()).await;
    let report = report.expect("is answered");
    assert_eq!(
        (report.accepted, report.stale),
        (2, vec!["1500".to_owned(), "1502".to_owned()])
    );
}

#[tokio::test]
async fn a_clear_hides_no_marks_from_the_limit() {
    let world = World::new().await;
    world.indices(&["es"]).await;
    let caller = world.feeder(&world.one).await;
    for round in 0..3 {
        let ids: Vec<String> = (0..500).map(|id| format!("{round}-{id}")).collect();
        let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
        let deleted = world.delete(&world.one, &ids, Some(NOW.0)).await;
        deleted.expect("is noted");
        let all = Clear {
            languages: None,
            keep_serving: false,
        };
        let cleared = clear::clear(&world.service, &caller, all).await;
        cleared.expect("is cleared");
    }
    let storage = world.storage().await;
    let index = index_of(&storage, &world.one).await.id;
    assert_eq!(storage.mark_count(index).await.expect("counts"), 1_500);
    let report = jobs::deletion_marks::enforce_limit(&world.service, &world.one.store, index, 500);
    assert_eq!(report.await.expect("runs").rows, 1_000);
    assert_eq!(storage.mark_count(index).await.expect("counts"), 500);
}
