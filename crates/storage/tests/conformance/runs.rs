//! 1. A run keeps its scopes in order, counts what it saw, and keeps its result.
//! 2. A purge spares what the run saw and what was written since it was opened, and gives each its own number.
//! 3. Runs that nobody used end by themselves; the other tenant's runs are out of reach.

use crate::world::{NOW, World, feed_permit, put, row};
use domain::feed::{RunClosed, RunMode};
use domain::{RunId, Timestamp};
use storage::{DocumentRow, IndexState, NewRunRow, RunRow, RunState};

async fn open(world: &World, store: &str, index: IndexState) -> RunRow {
    let id = RunId(format!("run_{store}"));
    let mut feed = world.feed(store).await;
    let new = NewRunRow {
        id: id.clone(),
        client_run_id: "c1".to_owned(),
        mode: RunMode::Incremental,
        at: NOW,
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
async fn a_run_counts_what_it_saw_and_keeps_its_result() {
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
async fn a_purge_spares_what_was_seen_or_written_since() {
    let world = World::new().await;
    let [one, two] = world.indices().await;
    let before = put(&world, "s1", one, &["seen", "gone1", "gone2", "touched"]).await;
    put(&world, "s2", two, &["gone1"]).await;
    let run = open(&world, "s1", before).await;
    let after = put(&world, "s1", before, &["hook"]).await;
    let mut feed = world.feed("s1").await;
    feed.mark_seen(one.id, run.number, &[0, 3])
        .await
        .expect("marks");
    let purged = feed
        .purge(&after, run.number, before.writes, NOW)
        .await
        .expect("purges");
    assert_eq!(purged, 2);
    feed.commit().await.expect("commits");
    let changes = world
        .storage
        .changes_after(one.id, after.sequence, 10)
        .await
        .expect("reads");
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
        .live_documents(one.id, None, 10)
        .await
        .expect("reads");
    let live: Vec<&str> = live.iter().map(|d| d.id.as_str()).collect();
    assert_eq!(live, ["seen", "touched", "hook"]);
    let other = world
        .storage
        .live_documents(two.id, None, 10)
        .await
        .expect("reads");
    assert_eq!(other.len(), 1);
    // A mark that an open run counts stays; once the run has ended it may go.
    let kept = world
        .storage
        .forget_marks(one.id, NOW, i64::MAX)
        .await
        .expect("asks");
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
            .forget_marks(one.id, NOW, 9)
            .await
            .expect("asks"),
        0
    );
    let unused = Timestamp(NOW.0 - 1);
    assert_eq!(
        world.storage.expire_runs(unused, NOW).await.expect("asks"),
        0
    );
    assert_eq!(world.storage.expire_runs(NOW, NOW).await.expect("asks"), 2);
    let mut feed = world.feed("s1").await;
    assert!(feed.open_runs_on(one.id).await.expect("reads").is_empty());
    let expired = feed.run(&run.id).await.expect("reads").map(|r| r.state);
    assert_eq!(expired, Some(RunState::Expired));
    drop(feed);
    assert_eq!(
        world
            .storage
            .forget_marks(one.id, NOW, 9)
            .await
            .expect("asks"),
        1
    );
}
