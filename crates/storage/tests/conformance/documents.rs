//! 1. A block of more rows than one statement takes is stored whole, and read back by its ids.
//! 2. A row that is written again keeps its ordinal.
//! 3. Changes come by sequence, live documents by ordinal, both page without loss.
//! 4. The same ids of another store are other documents.
//! 5. Old marks go only when the index has passed them and no open run counts them.

use crate::world::{NOW, World, feed_permit, products, put, row};
use domain::{IndexId, Language, StoreId};
use storage::{ConnectorRow, DocumentRow};

fn page(documents: usize) -> storage::PageSize {
    storage::PageSize {
        documents,
        bytes: 1 << 20,
    }
}

#[tokio::test]
async fn a_large_block_is_stored_whole() {
    let world = World::new().await;
    let [one, two] = world.indices().await;
    let ids: Vec<String> = (0..1_234).map(|n| format!("id'{n}/\u{1f600}")).collect();
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    let after = put(&world, "s1", one, &ids).await;
    put(&world, "s2", two, &["id'0/\u{1f600}"]).await;
    let mut feed = world.feed("s1").await;
    let found = feed.documents(&one, &ids).await.expect("reads");
    assert_eq!(found.len(), 1_234);
    let last = DocumentRow {
        written: 1,
        ..row(1_233, 1_234)
    };
    assert_eq!(found[ids[1_233]], last);
    assert_eq!(feed.index(&products()).await.expect("takes"), Some(after));
    drop(feed);
    let rows = world.storage.indices_of(&"s1".into()).await.expect("reads");
    assert_eq!(
        (rows.len(), rows[0].documents, rows[0].sequence),
        (1, 1_234, 1_234)
    );
    let changes = world
        .storage
        .changes_after(two.id, 0, page(10))
        .await
        .expect("reads")
        .documents;
    assert_eq!(changes.len(), 1);
    assert!(changes[0].body.contains("\"s2\""));
}

#[tokio::test]
async fn a_row_that_is_written_again_keeps_its_ordinal() {
    let world = World::new().await;
    let [one, _] = world.indices().await;
    put(&world, "s1", one, &["a", "b"]).await;
    let mut feed = world.feed("s1").await;
    let mark = DocumentRow {
        deleted_at: Some(NOW),
        ..row(99, 3)
    };
    feed.put_documents(one.id, &[("a", &mark)])
        .await
        .expect("writes");
    feed.drop_bodies(one.id, &[0]).await.expect("drops");
    feed.commit().await.expect("commits");
    let changes = world
        .storage
        .changes_after(one.id, 0, page(10))
        .await
        .expect("reads")
        .documents;
    let seen: Vec<_> = changes
        .iter()
        .map(|d| {
            (
                d.id.as_str(),
                d.ordinal,
                d.seq,
                d.deleted,
                d.body.is_empty(),
            )
        })
        .collect();
    assert_eq!(seen, [("b", 1, 2, false, false), ("a", 0, 3, true, true)]);
    let live = world
        .storage
        .live_documents(one.id, None, page(10))
        .await
        .expect("reads")
        .documents;
    assert_eq!(live.len(), 1);
}

#[tokio::test]
async fn pages_of_changes_and_of_live_documents_lose_nothing() {
    let world = World::new().await;
    let [one, _] = world.indices().await;
    put(&world, "s1", one, &["a", "b", "c"]).await;
    let first = world
        .storage
        .changes_after(one.id, 0, page(2))
        .await
        .expect("reads")
        .documents;
    let rest = world
        .storage
        .changes_after(one.id, first[1].seq, page(2))
        .await
        .expect("reads")
        .documents;
    assert_eq!((first.len(), rest.len(), rest[0].id.as_str()), (2, 1, "c"));
    let first = world
        .storage
        .live_documents(one.id, None, page(2))
        .await
        .expect("reads")
        .documents;
    let after = Some(first[1].ordinal);
    let rest = world
        .storage
        .live_documents(one.id, after, page(2))
        .await
        .expect("reads")
        .documents;
    assert_eq!(
        (first[0].ordinal, rest.len(), rest[0].id.as_str()),
        (0, 1, "c")
    );
}

#[tokio::test]
async fn indices_are_of_one_store_and_never_share_a_number() {
    let world = World::new().await;
    let [one, two] = world.indices().await;
    assert_ne!(one.id, two.id);
    assert_eq!(world.storage.all_indices().await.expect("reads").len(), 2);
    let index = world
        .storage
        .index(two.id)
        .await
        .expect("reads")
        .expect("an index");
    assert_eq!(
        (index.store, index.scope),
        (StoreId::from("s2"), products())
    );
    assert!(
        world
            .storage
            .index(IndexId(99))
            .await
            .expect("reads")
            .is_none()
    );
    // The counters of another store's index stay what they are.
    let mut feed = world.feed("s1").await;
    let stolen = storage::IndexState {
        documents: 5,
        ..two
    };
    feed.save_index(&stolen, NOW).await.expect("asks");
    assert_eq!(feed.scopes().await.expect("reads"), [products()]);
    feed.commit().await.expect("commits");
    let index = world
        .storage
        .index(two.id)
        .await
        .expect("reads")
        .expect("an index");
    assert_eq!(index.documents, 0);
}

#[tokio::test]
async fn the_feed_sees_and_changes_its_own_store_only() {
    let world = World::new().await;
    let english = Language::parse("en").expect("a code");
    let connector = ConnectorRow {
        client: "prestashop/1.0.0".to_owned(),
        module_version: Some("1.0.0".to_owned()),
        platform_version: None,
        php_version: None,
        seen_at: NOW,
    };
    let mut feed = world.feed("s1").await;
    let mut languages = feed
        .store()
        .await
        .expect("reads")
        .expect("a store")
        .languages;
    languages.push(english);
    feed.save_languages(&languages).await.expect("saves");
    feed.save_connector(&connector).await.expect("saves");
    feed.save_connector(&connector).await.expect("saves again");
    feed.commit().await.expect("commits");
    let store = world.storage.store(&"s1".into()).await.expect("reads");
    assert_eq!(store.map(|s| s.languages.len()), Some(2));
    let store = world.storage.store(&"s2".into()).await.expect("reads");
    assert_eq!(store.map(|s| s.languages.len()), Some(1));
    let seen = world.storage.connector(&"s1".into()).await.expect("reads");
    assert_eq!(seen, Some(connector));
    assert!(
        world
            .storage
            .connector(&"s2".into())
            .await
            .expect("reads")
            .is_none()
    );
}

#[tokio::test]
async fn old_marks_go_when_nothing_needs_them() {
    let world = World::new().await;
    let [one, two] = world.indices().await;
    for (store, index) in [("s1", one), ("s2", two)] {
        let mut feed = world
            .storage
            .begin_feed(&feed_permit(store))
            .await
            .expect("opens");
        let old = DocumentRow {
            deleted_at: Some(NOW),
            ..row(0, 5)
        };
        let young = DocumentRow {
            deleted_at: Some(NOW.plus_hours(2)),
            ..row(1, 6)
        };
        let live = row(2, 7);
        let rows = [("old", &old), ("young", &young), ("live", &live)];
        feed.put_documents(index.id, &rows).await.expect("writes");
        feed.commit().await.expect("commits");
    }
    let before = NOW.plus_hours(1);
    assert_eq!(
        world
            .storage
            .forget_marks((&"s1".into(), one.id), before, 4, 10)
            .await
            .expect("asks"),
        0
    );
    assert_eq!(
        world
            .storage
            .forget_marks((&"s1".into(), one.id), before, 9, 10)
            .await
            .expect("asks"),
        1
    );
    let left = world
        .storage
        .changes_after(two.id, 0, page(9))
        .await
        .expect("reads")
        .documents;
    assert_eq!(left.len(), 3);
}
