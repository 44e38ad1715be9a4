//! 1. Of a block's items those are marked whose document is live and has the given hash, each once for a run; the ids of
//!    all others are reported, in every size of block.
//! 2. What a run marks while an earlier purge is not swept survives that purge, and its own; an upsert and a touch alike.
//! 3. Documents of another store are not marked.

use crate::world::{NOW, World, put, row};
use domain::RunId;
use domain::feed::{RunMode, RunOrigin};
use storage::{FeedWrite, IndexState, NewRunRow};

/// Opens a run and returns its number.
async fn open(world: &World, index: &IndexState, client: &str) -> i64 {
    let new = NewRunRow {
        id: RunId(format!("run_{client}")),
        client_run_id: client.to_owned(),
        mode: RunMode::Incremental,
        at: NOW,
        origin: RunOrigin::Connector,
        by: None,
        process: None,
    };
    let mut feed = world.feed("s1").await;
    feed.open_run(&new, &[*index]).await.expect("opens");
    let run = feed.run(&new.id).await.expect("reads").expect("a run");
    feed.commit().await.expect("commits");
    run.number
}

async fn mark(
    feed: &mut FeedWrite,
    index: &IndexState,
    run: i64,
    items: &[(&str, &str)],
) -> (u64, Vec<String>) {
    let marked = feed.mark_unchanged(index, run, items).await.expect("marks");
    let unsure = marked.unsure.iter().map(|id| (*id).to_owned());
    (marked.count, unsure.collect())
}

async fn live(world: &World, index: &IndexState) -> Vec<String> {
    let size = storage::PageSize {
        documents: 10,
        bytes: 1 << 20,
    };
    let page = world.storage.live_documents(index.id, None, size).await;
    let documents = page.expect("reads").documents;
    documents.into_iter().map(|document| document.id).collect()
}

#[tokio::test]
async fn unchanged_documents_are_marked_once() {
    let world = World::new().await;
    let [one, two] = world.indices().await;
    let ids: Vec<String> = (0..130).map(|n| format!("id'{n}")).collect();
    let names: Vec<&str> = ids.iter().map(String::as_str).collect();
    let one = put(&world, "s1", one, &names).await;
    let two = put(&world, "s2", two, &names).await;
    let hashes: Vec<String> = (0..130).map(|n| row(n, 0).hash).collect();
    let mut items: Vec<(&str, &str)> = names
        .iter()
        .copied()
        .zip(hashes.iter().map(String::as_str))
        .collect();
    let run = open(&world, &one, "c1").await;

    let mut feed = world.feed("s1").await;
    let gone = storage::DocumentRow {
        deleted_at: Some(NOW),
        ..row(3, 131)
    };
    let written = feed.put_documents(one.id, &[(names[3], &gone)]).await;
    written.expect("writes");
    items[2].1 = "sha1:other";
    items[129].0 = "unknown";
    let (count, unsure) = mark(&mut feed, &one, run, &items).await;
    assert_eq!(count, 127);
    for id in ["id'2", "id'3", "unknown"] {
        assert!(unsure.iter().any(|unsure| unsure == id), "{id}");
    }
    assert!(unsure.len() < items.len());
    // A second time none is marked, and nothing is said of any.
    let (count, unsure) = mark(&mut feed, &one, run, &items).await;
    assert_eq!((count, unsure.len()), (0, 130));
    let unseen = feed.unseen(&one, run, one.writes).await.expect("counts");
    assert_eq!(unseen, 2);
    feed.commit().await.expect("commits");

    let mut other = world.feed("s2").await;
    let unseen = other.unseen(&two, run, two.writes).await.expect("counts");
    assert_eq!(unseen, 130);
}

#[tokio::test]
async fn marks_during_a_sweep_are_kept() {
    let world = World::new().await;
    let [one, _] = world.indices().await;
    let before = put(&world, "s1", one, &["gone", "touched", "sent", "later"]).await;
    let first = open(&world, &before, "c1").await;
    let mut state = before;
    let mut feed = world.feed("s1").await;
    let marked = feed.mark_seen(&state, first, &[1, 2, 3]).await;
    marked.expect("marks");
    feed.purge(&mut state, first, before.writes, 1)
        .await
        .expect("purges");
    feed.save_index(&state, NOW).await.expect("saves");
    feed.commit().await.expect("commits");

    let second = open(&world, &state, "c2").await;
    let mut feed = world.feed("s1").await;
    let items = [("gone", "sha1:0"), ("touched", "sha1:1")];
    let (count, unsure) = mark(&mut feed, &state, second, &items).await;
    assert_eq!((count, unsure.len()), (1, 2));
    let sent = feed.mark_seen(&state, second, &[2]).await;
    sent.expect("marks");
    feed.commit().await.expect("commits");
    assert_eq!(live(&world, &state).await, ["touched", "sent", "later"]);
    for mut sweep in world.storage.unswept().await.expect("reads") {
        while let Some(_rows) = world
            .storage
            .sweep(&mut sweep, 1, NOW)
            .await
            .expect("sweeps")
        {}
    }
    assert_eq!(live(&world, &state).await, ["touched", "sent", "later"]);
    let mut feed = world.feed("s1").await;
    let unseen = feed.unseen(&state, second, state.writes).await;
    assert_eq!(unseen.expect("counts"), 1);
}
