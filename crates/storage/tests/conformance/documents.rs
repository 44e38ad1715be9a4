//! 1. A block with more rows than one statement takes is stored completely, and read by its ids.
//! 2. A row that is written again keeps its ordinal.
//! 3. Changes are ordered by sequence, live documents by ordinal; pages of both lose nothing.
//! 4. The same ids in another store are other documents.
//! 5. Old deletion marks are deleted only if the index has passed them and no open run counts them.
//! 6. A page ends before the text that would exceed its bytes; a larger text is a page of its own.
//! 7. Surplus deletion marks are deleted in portions, the oldest first; rows of a clear do not count.
//! 8. A portion of a sweep is limited by the bytes of its texts, and has at least one.

use crate::world::{NOW, World, feed_permit, products, put, read_permit, row, system_permit};
use domain::{IndexId, Language, StoreId, Timestamp};
use storage::{ConnectorRow, DocumentRow};

fn page(documents: usize) -> storage::PageSize {
    storage::PageSize {
        documents,
        bytes: 1 << 20,
    }
}

#[tokio::test]
async fn a_large_block_is_stored_completely() {
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
    let rows = world.storage.indices_of(&read_permit("s1")).await;
    let rows = rows.expect("reads");
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
async fn indices_belong_to_one_store_and_have_distinct_numbers() {
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
    // The counters of another store's index do not change.
    let mut feed = world.feed("s1").await;
    let stolen = storage::IndexState {
        documents: 5,
        ..two
    };
    feed.save_index(&stolen, NOW).await.expect("succeeds");
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
async fn the_feed_reads_and_writes_its_own_store_only() {
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
    let store = world
        .storage
        .store(&read_permit("s1"))
        .await
        .expect("reads");
    assert_eq!(store.map(|s| s.languages.len()), Some(2));
    let store = world
        .storage
        .store(&read_permit("s2"))
        .await
        .expect("reads");
    assert_eq!(store.map(|s| s.languages.len()), Some(1));
    let seen = world
        .storage
        .connector(&read_permit("s1"))
        .await
        .expect("reads");
    assert_eq!(seen, Some(connector));
    assert!(
        world
            .storage
            .connector(&read_permit("s2"))
            .await
            .expect("reads")
            .is_none()
    );
}

#[tokio::test]
async fn old_marks_are_deleted_when_nothing_needs_them() {
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
            .delete_marks((&system_permit("s1"), one.id), Some(before), 4, 10)
            .await
            .expect("succeeds"),
        0
    );
    assert_eq!(
        world
            .storage
            .delete_marks((&system_permit("s1"), one.id), Some(before), 9, 10)
            .await
            .expect("succeeds"),
        1
    );
    // The other store's index is out of reach of this permit.
    let foreign = world
        .storage
        .delete_marks((&system_permit("s1"), two.id), Some(before), 9, 10)
        .await;
    assert_eq!(foreign.expect("succeeds"), 0);
    let left = world
        .storage
        .changes_after(two.id, 0, page(9))
        .await
        .expect("reads")
        .documents;
    assert_eq!(left.len(), 3);
}

/// Sets the texts of the documents with these ordinals to texts of this size.
async fn resize(world: &World, index: IndexId, sizes: &[(i64, usize)]) {
    let mut feed = world.feed("s1").await;
    for (ordinal, size) in sizes {
        let text = "x".repeat(*size);
        let written = feed.put_bodies(index, &[(*ordinal, &text)]).await;
        written.expect("texts");
    }
    feed.commit().await.expect("commits");
}

#[tokio::test]
async fn pages_are_limited_by_bytes() {
    let world = World::new().await;
    let [one, _] = world.indices().await;
    put(&world, "s1", one, &["a", "b", "c", "d", "e", "f"]).await;
    let sizes = [(0, 40), (1, 60), (2, 1), (3, 101), (4, 250), (5, 99)];
    resize(&world, one.id, &sizes).await;
    let size = |documents| storage::PageSize {
        documents,
        bytes: 100,
    };
    for (documents, wanted) in [
        (
            9,
            vec![vec!["a", "b"], vec!["c"], vec!["d"], vec!["e"], vec!["f"]],
        ),
        (
            1,
            ["a", "b", "c", "d", "e", "f"].map(|id| vec![id]).to_vec(),
        ),
    ] {
        let (mut changes, mut live) = (Vec::new(), Vec::new());
        let (mut more_changes, mut more_live) = (true, true);
        let (mut seq, mut ordinal) = (0, None);
        while more_changes {
            let page = (world.storage).changes_after(one.id, seq, size(documents));
            let page = page.await.expect("reads");
            more_changes = page.more;
            seq = page.documents.last().map_or(seq, |last| last.seq);
            changes.push(page.documents);
        }
        while more_live {
            let page = (world.storage).live_documents(one.id, ordinal, size(documents));
            let page = page.await.expect("reads");
            more_live = page.more;
            ordinal = page.documents.last().map(|last| last.ordinal).or(ordinal);
            live.push(page.documents);
        }
        for pages in [changes, live] {
            let pages: Vec<Vec<&str>> = pages
                .iter()
                .map(|page| page.iter().map(|document| document.id.as_str()).collect())
                .filter(|page: &Vec<&str>| !page.is_empty())
                .collect();
            assert_eq!(pages, wanted);
        }
    }
}

#[tokio::test]
async fn surplus_marks_are_deleted_in_portions_the_oldest_first() {
    let world = World::new().await;
    let [one, two] = world.indices().await;
    for (store, index) in [("s1", one), ("s2", two)] {
        let mut feed = world.feed(store).await;
        let mark = |at: i64| DocumentRow {
            deleted_at: Some(Timestamp(NOW.0 + at)),
            ..row(at, 10 - at)
        };
        // The oldest was cleared and blocks nothing.
        let cleared = DocumentRow {
            rev: i64::MIN,
            seq: 1,
            ..mark(0)
        };
        let marks = [mark(4), mark(1), mark(3), mark(2)];
        let ids = ["4", "1", "3", "2"];
        let mut rows: Vec<_> = ids.into_iter().zip(&marks).collect();
        rows.push(("cleared", &cleared));
        feed.put_documents(index.id, &rows).await.expect("writes");
        feed.commit().await.expect("commits");
    }
    let permit = system_permit("s1");
    let of = (&permit, one.id);
    let count = async || world.storage.mark_count(one.id).await.expect("counts");
    assert_eq!(count().await, 4);
    // The index has not passed the oldest two, whose numbers are 9 and 8.
    let none = world.storage.delete_marks(of, None, 5, 9);
    assert_eq!(none.await.expect("deletes"), 0);
    let portions: [(u32, u64, &[&str]); 3] =
        [(1, 1, &["2", "3", "4"]), (2, 2, &["4"]), (2, 1, &[])];
    for (limit, gone, left) in portions {
        let forgotten = world.storage.delete_marks(of, None, 9, limit).await;
        assert_eq!(forgotten.expect("deletes"), gone);
        assert_eq!(count().await, left.len() as u64);
        let rows = world.storage.changes_after(one.id, 0, page(9)).await;
        let rows = rows.expect("reads").documents;
        let mut ids: Vec<&str> = rows.iter().map(|row| row.id.as_str()).collect();
        ids.sort_unstable();
        assert_eq!(ids, [left, &["cleared"]].concat());
    }
    let other = world.storage.mark_count(two.id).await;
    assert_eq!(other.expect("counts"), 4);
}

#[tokio::test]
async fn portions_of_a_sweep_are_limited_by_bytes() {
    let world = World::new().await;
    let [one, _] = world.indices().await;
    let mut state = put(&world, "s1", one, &["a", "b", "c", "d", "e"]).await;
    let mebibyte = 1 << 20;
    let sizes = [(0, 9), (1, 6), (2, 17), (3, 1), (4, 1)];
    resize(
        &world,
        one.id,
        &sizes.map(|(at, size)| (at, size * mebibyte)),
    )
    .await;
    let mut feed = world.feed("s1").await;
    feed.clear(&mut state).await.expect("clears");
    feed.save_index(&state, NOW).await.expect("saves");
    feed.commit().await.expect("commits");
    let mut sweeps = world.storage.unswept().await.expect("succeeds");
    for wanted in [Some(2), Some(1), Some(2), None] {
        let followed = world.storage.sweep(&mut sweeps[0], 500, NOW).await;
        assert_eq!(followed.expect("sweeps"), wanted);
    }
    assert!(world.storage.unswept().await.expect("succeeds").is_empty());
}
