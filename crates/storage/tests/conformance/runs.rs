//! 1. A run stores its scopes in order, the number of documents it saw, and its result.
//! 2. A purge keeps documents that the run saw or that were written since it was opened; each purged one has a number.
//! 3. A clear empties one index, keeps the ordinals of its documents and leaves no mark that blocks an upsert.
//! 4. A held run stays open with its result; runs of a store are listed, the newest first.
//! 5. Unused runs expire; the other tenant's runs cannot be read.

use crate::world::{NOW, World, feed_permit, products, put, read_permit, row, system_permit};
use domain::feed::{RunClosed, RunMode, RunOrigin};
use domain::{RunId, Timestamp};
use storage::{DocumentRow, IndexState, NewRunRow, RunRow, RunState};

fn page(documents: usize) -> storage::PageSize {
    storage::PageSize {
        documents,
        bytes: 1 << 20,
    }
}

/// Sweeps everything, `rows` rows at a time.
async fn sweep(world: &World, rows: usize) {
    for mut sweep in world.storage.unswept().await.expect("succeeds") {
        while let Some(count) = world
            .storage
            .sweep(&mut sweep, rows, NOW)
            .await
            .expect("sweeps")
        {
            assert!(count <= rows as u64);
        }
    }
    assert!(world.storage.unswept().await.expect("succeeds").is_empty());
}

/// Returns the ordinals that the last purge removed.
async fn removed(world: &World, state: IndexState) -> Vec<u32> {
    let removal = world
        .storage
        .bulk_removals(state.id)
        .await
        .expect("succeeds")
        .removal;
    let removal = removal.expect("a purge");
    let removed = world.storage.removed_ordinals(state.id, removal, None, 10);
    removed.await.expect("reads")
}

async fn open(world: &World, store: &str, index: IndexState) -> RunRow {
    let id = RunId(format!("run_{store}"));
    let mut feed = world.feed(store).await;
    let new = NewRunRow {
        id: id.clone(),
        client_run_id: "c1".to_owned(),
        mode: RunMode::Incremental,
        at: NOW,
        origin: RunOrigin::Connector,
        by: None,
        process: None,
    };
    feed.open_run(&new, &[index]).await.expect("opens");
    feed.commit().await.expect("commits");
    let (run, scopes) = world
        .storage
        .run(&feed_permit(store), &id)
        .await
        .expect("reads")
        .expect("a run");
    assert_eq!((scopes.len(), scopes[0].opened_writes), (1, index.writes));
    run
}

#[tokio::test]
async fn a_run_counts_seen_documents_and_stores_its_result() {
    let world = World::new().await;
    let [one, two] = world.indices().await;
    let run = open(&world, "s1", one).await;
    let other = open(&world, "s2", two).await;
    assert_ne!(run.number, other.number);
    assert_eq!(
        (run.state, run.mode),
        (RunState::Open, RunMode::Incremental)
    );
    let later = NOW.plus_hours(1);
    let mut feed = world.feed("s1").await;
    assert!(feed.run(&other.id).await.expect("reads").is_none());
    let found = feed.run_of_client("c1").await.expect("reads");
    assert_eq!(found.as_ref(), Some(&run));
    assert_eq!(
        feed.open_runs_on(one.id).await.expect("reads"),
        std::slice::from_ref(&run)
    );
    assert!(feed.open_runs_on(two.id).await.expect("reads").is_empty());
    feed.use_run(&run, one.id, 3, later).await.expect("notes");
    feed.use_run(&run, one.id, 2, later).await.expect("notes");
    assert_eq!(feed.run_scopes(&run).await.expect("reads")[0].seen, 5);
    let result = RunClosed { scopes: Vec::new() };
    feed.end_run(&run, RunState::Closed, Some(&result), later)
        .await
        .expect("ends");
    feed.commit().await.expect("commits");
    let (run, _) = world
        .storage
        .run(&feed_permit("s1"), &run.id)
        .await
        .expect("reads")
        .expect("a run");
    assert_eq!(
        (run.state, run.last_used_at, run.ended_at),
        (RunState::Closed, later, Some(later))
    );
    assert_eq!(run.result, Some(result));
    let foreign = world
        .storage
        .run(&feed_permit("s2"), &run.id)
        .await
        .expect("reads");
    assert!(foreign.is_none());
}

#[tokio::test]
async fn a_purge_keeps_what_was_seen_or_written_since() {
    let world = World::new().await;
    let [one, two] = world.indices().await;
    let before = put(&world, "s1", one, &["seen", "gone1", "gone2", "touched"]).await;
    put(&world, "s2", two, &["gone1"]).await;
    let run = open(&world, "s1", before).await;
    let after = put(&world, "s1", before, &["hook"]).await;
    let mut feed = world.feed("s1").await;
    feed.mark_seen(&one, run.number, &[0, 3])
        .await
        .expect("marks");
    let purged = feed.unseen(&after, run.number, before.writes).await;
    assert_eq!(purged.expect("counts"), 2);
    let mut state = after;
    feed.purge(&mut state, run.number, before.writes, 2)
        .await
        .expect("purges");
    feed.save_index(&state, NOW).await.expect("saves");
    feed.commit().await.expect("commits");
    // All are gone before the first row is swept.
    let live = world.storage.live_documents(one.id, None, page(10)).await;
    assert_eq!(live.expect("reads").documents.len(), 3);
    assert_eq!(removed(&world, one).await, [1, 2]);
    sweep(&world, 1).await;
    assert_eq!(removed(&world, one).await, [1, 2]);
    let changes = world
        .storage
        .changes_after(one.id, after.sequence, page(10))
        .await
        .expect("reads")
        .documents;
    let gone: Vec<_> = changes
        .iter()
        .map(|d| (d.id.as_str(), d.seq, d.deleted))
        .collect();
    assert_eq!(
        gone,
        [
            ("gone1", after.sequence + 1, true),
            ("gone2", after.sequence + 2, true)
        ]
    );
    let live = world
        .storage
        .live_documents(one.id, None, page(10))
        .await
        .expect("reads")
        .documents;
    let live: Vec<&str> = live.iter().map(|d| d.id.as_str()).collect();
    assert_eq!(live, ["seen", "touched", "hook"]);
    let other = world
        .storage
        .live_documents(two.id, None, page(10))
        .await
        .expect("reads")
        .documents;
    assert_eq!(other.len(), 1);
    // A mark that an open run counts stays until the run has ended.
    let kept = world
        .storage
        .delete_marks((&system_permit("s1"), one.id), Some(NOW), i64::MAX, 10)
        .await
        .expect("succeeds");
    assert_eq!(kept, 2);
}

#[tokio::test]
async fn a_mark_that_an_open_run_counts_stays() {
    let world = World::new().await;
    let [one, two] = world.indices().await;
    let run = open(&world, "s1", one).await;
    open(&world, "s2", two).await;
    let mut feed = world.feed("s1").await;
    let mark = DocumentRow {
        deleted_at: Some(NOW),
        seen_run: run.number,
        ..row(0, 1)
    };
    feed.put_documents(one.id, &[("a", &mark)])
        .await
        .expect("writes");
    feed.commit().await.expect("commits");
    assert_eq!(
        world
            .storage
            .delete_marks((&system_permit("s1"), one.id), Some(NOW), 9, 10)
            .await
            .expect("succeeds"),
        0
    );
    let unused = Timestamp(NOW.0 - 1);
    assert_eq!(
        world
            .storage
            .expire_runs(unused, NOW)
            .await
            .expect("succeeds"),
        0
    );
    assert_eq!(
        world.storage.expire_runs(NOW, NOW).await.expect("succeeds"),
        2
    );
    let mut feed = world.feed("s1").await;
    assert!(feed.open_runs_on(one.id).await.expect("reads").is_empty());
    let expired = feed.run(&run.id).await.expect("reads").map(|r| r.state);
    assert_eq!(expired, Some(RunState::Expired));
    drop(feed);
    assert_eq!(
        world
            .storage
            .delete_marks((&system_permit("s1"), one.id), Some(NOW), 9, 10)
            .await
            .expect("succeeds"),
        1
    );
}

#[tokio::test]
async fn a_clear_empties_one_index_and_blocks_no_upsert() {
    let world = World::new().await;
    let [one, two] = world.indices().await;
    let before = put(&world, "s1", one, &["a", "b"]).await;
    put(&world, "s2", two, &["a"]).await;
    let mut feed = world.feed("s1").await;
    let mark = DocumentRow {
        deleted_at: Some(NOW),
        ..row(9, 1)
    };
    feed.put_documents(one.id, &[("gone", &mark)])
        .await
        .expect("writes");
    let mut after = before;
    feed.clear(&mut after).await.expect("clears");
    assert_eq!(after.sequence, before.sequence + 1);
    feed.save_index(&after, NOW).await.expect("saves");
    feed.commit().await.expect("commits");

    assert_eq!(
        world
            .storage
            .bulk_removals(one.id)
            .await
            .expect("succeeds")
            .cleared,
        after.sequence
    );
    assert_eq!(
        world
            .storage
            .bulk_removals(two.id)
            .await
            .expect("succeeds")
            .cleared,
        0
    );
    let live = |index| world.storage.live_documents(index, None, page(10));
    assert!(live(one.id).await.expect("reads").documents.is_empty());
    assert_eq!(live(two.id).await.expect("reads").documents.len(), 1);
    sweep(&world, 1).await;
    assert!(live(one.id).await.expect("reads").documents.is_empty());
    let changes = world
        .storage
        .changes_after(one.id, after.sequence, page(10))
        .await
        .expect("reads")
        .documents;
    assert!(changes.is_empty());
    let mut feed = world.feed("s1").await;
    assert_eq!(feed.index(&products()).await.expect("reads"), Some(after));
    let rows = feed
        .documents(&after, &["a", "b", "gone"])
        .await
        .expect("reads");
    assert!(
        rows.values()
            .all(|row| row.is_mark() && row.rev == i64::MIN)
    );
    assert_eq!((rows["a"].ordinal, rows["b"].ordinal), (0, 1));
}

#[tokio::test]
async fn disabled_deletion_marks_block_no_upsert() {
    let world = World::new().await;
    let [one, _] = world.indices().await;
    let mut state = put(&world, "s1", one, &["live"]).await;
    let mut feed = world.feed("s1").await;
    let mark = DocumentRow {
        deleted_at: Some(NOW),
        ..row(1, 2)
    };
    feed.put_documents(one.id, &[("gone", &mark)])
        .await
        .expect("writes");
    // A mark has the number of the latest write.
    state.writes = mark.written;
    feed.disable_marks(&mut state).await.expect("deletes");
    let rows = feed
        .documents(&state, &["live", "gone"])
        .await
        .expect("reads");
    assert_eq!(rows["gone"].rev, i64::MIN);
    assert_eq!((rows["live"].rev, rows["live"].is_mark()), (1001, false));
}

#[tokio::test]
async fn a_held_run_stays_open_with_its_result() {
    let world = World::new().await;
    let [one, two] = world.indices().await;
    let state = put(&world, "s1", one, &["a", "b", "seen"]).await;
    let run = open(&world, "s1", state).await;
    let permit = read_permit("s1");
    assert!(
        world
            .storage
            .held_runs(&permit)
            .await
            .expect("reads")
            .is_empty()
    );
    let later = NOW.plus_hours(1);
    let mut feed = world.feed("s1").await;
    feed.mark_seen(&one, run.number, &[2]).await.expect("marks");
    let unseen = |feed| async move {
        let feed: &mut storage::FeedWrite = feed;
        feed.unseen(&state, run.number, state.writes).await
    };
    assert_eq!(unseen(&mut feed).await.expect("counts"), 2);
    let result = RunClosed { scopes: Vec::new() };
    feed.hold_run(&run, &result, later).await.expect("holds");
    feed.commit().await.expect("commits");
    let held = world.storage.held_runs(&permit).await.expect("reads");
    assert_eq!(held.len(), 1);
    let held = &held[0];
    assert_eq!(
        (held.state, held.last_used_at, &held.result),
        (RunState::Open, later, &Some(result.clone()))
    );
    let mut feed = world.feed("s1").await;
    feed.end_run(held, RunState::Aborted, Some(&result), later)
        .await
        .expect("ends");
    feed.commit().await.expect("commits");
    let runs = world.storage.runs_of(&permit, 10).await.expect("reads");
    assert_eq!((runs.len(), runs[0].0.state), (1, RunState::Aborted));
    open(&world, "s2", two).await;
    assert_eq!(
        world
            .storage
            .runs_of(&permit, 10)
            .await
            .expect("reads")
            .len(),
        1
    );
}
