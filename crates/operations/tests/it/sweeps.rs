//! 1. A clear or purge whose rows are not all swept when a server ends is finished by the next one; no search finds
//!    removed documents, newer documents stay, and other stores are not affected.
//! 2. An announced rebuild survives a restart: searches find everything until a run has replaced it.
//! 3. Clearing an empty index again rewrites nothing, whether its rows are swept or not.
//! 4. While documents are cleared, searches find all of them or none.
//! 5. While 100,000 documents of a store are removed, every block of another one is acknowledged within 1 s.

use crate::world::{
    NOW, PAGE, Tenant, World, index_of, open, product, products, scope, scope_close, total,
};
use domain::feed::{Clear, ClearReport, ScopeStatus};
use domain::{Caller, RunId, access};
use operations::Service;
use operations::feed::clear;
use std::time::{Duration, Instant};
use storage::{DocumentRow, FeedWrite, RunState, Storage, StoredDocument};

const PATIENCE: Duration = Duration::from_secs(180);

fn ids(count: usize) -> Vec<String> {
    (0..count).map(|number| number.to_string()).collect()
}

async fn send(world: &World, tenant: &Tenant, count: usize) {
    let ids = ids(count);
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    world.store(tenant, products(&ids)).await;
}

async fn searchable(service: &Service, tenant: &Tenant) {
    let waited = service.wait_until_searchable(&tenant.store, PATIENCE).await;
    assert!(waited.expect("storage answers"), "the index stays behind");
}

async fn empty(world: &World, tenant: &Tenant, keep_serving: bool) -> ClearReport {
    let caller = world.feeder(tenant).await;
    let request = Clear {
        languages: None,
        keep_serving,
    };
    let cleared = clear::clear(&world.service, &caller, request).await;
    cleared.expect("is cleared")
}

/// Waits until the service has swept all rows.
#[expect(clippy::disallowed_methods, reason = "a wait ends")]
async fn swept(world: &World) {
    let storage = world.storage().await;
    let deadline = Instant::now() + PATIENCE;
    while !storage.unswept().await.expect("reads").is_empty() {
        assert!(Instant::now() < deadline, "rows have not swept_rows");
        tokio::task::yield_now().await;
    }
}

/// All rows of the tenant's index.
async fn rows(world: &World, tenant: &Tenant) -> Vec<StoredDocument> {
    let storage = world.storage().await;
    let index = index_of(&storage, tenant).await;
    let page = storage.changes_after(index.id, 0, PAGE).await;
    page.expect("reads").documents
}

async fn begin(storage: &Storage, tenant: &Tenant) -> FeedWrite {
    let permit = access::feed_as_operator(&Caller::operator(), &tenant.store).expect("may");
    storage.begin_feed(&permit).await.expect("begins")
}

/// Clears the tenant's index like a server that ends after sweeping `followed` rows.
async fn clear_and_end(storage: &Storage, tenant: &Tenant, swept_rows: usize) {
    let mut feed = begin(storage, tenant).await;
    let state = feed.index(&scope("es")).await.expect("reads");
    let mut state = state.expect("an index");
    feed.clear(&mut state).await.expect("clears");
    feed.save_index(&state, NOW).await.expect("saves");
    feed.commit().await.expect("commits");
    follow(storage, swept_rows).await;
}

/// Closes a run of the tenant's index like a server that ends after sweeping `followed` rows.
async fn purge_and_end(storage: &Storage, tenant: &Tenant, run: &RunId, swept_rows: usize) {
    let mut feed = begin(storage, tenant).await;
    let run = feed.run(run).await.expect("reads").expect("a run");
    let scopes = feed.run_scopes(&run).await.expect("reads");
    let state = feed.index(&scope("es")).await.expect("reads");
    let mut state = state.expect("an index");
    let opened = scopes[0].opened_writes;
    let count = feed.unseen(&state, run.number, opened).await;
    let purged = feed.purge(&mut state, run.number, opened, count.expect("counts"));
    purged.await.expect("purges");
    feed.save_index(&state, NOW).await.expect("saves");
    let ended = feed.end_run(&run, RunState::Closed, None, NOW).await;
    ended.expect("ends");
    feed.commit().await.expect("commits");
    follow(storage, swept_rows).await;
}

async fn follow(storage: &Storage, swept_rows: usize) {
    let mut sweeps = storage.unswept().await.expect("reads");
    assert_eq!(sweeps.len(), 1);
    let done = storage.sweep(&mut sweeps[0], swept_rows, NOW).await;
    assert_eq!(done.expect("sweeps"), Some(swept_rows as u64));
    assert_eq!(storage.unswept().await.expect("reads").len(), 1);
}

#[tokio::test]
async fn an_interrupted_clear_is_finished() {
    let mut world = World::new().await;
    world.indices(&["es"]).await;
    for tenant in [&world.one, &world.two] {
        send(&world, tenant, 40).await;
        searchable(&world.service, tenant).await;
    }
    world.service.close().await;
    let storage = world.storage().await;
    clear_and_end(&storage, &world.one, 7).await;
    storage.close().await;

    world.service = open(&world.dir, &world.clock).await;
    assert_eq!(total(&world.service, &world.one).await, 0);
    assert_eq!(total(&world.service, &world.two).await, 40);
    // One whose row is swept, one whose row may be, and a new one; all older than what was cleared.
    let back = ["0", "39", "new"].map(|id| product(id, -100)).to_vec();
    let sent = world.send(&world.one, None, back).await.expect("is stored");
    assert_eq!(sent.accepted, 3);
    searchable(&world.service, &world.one).await;
    assert_eq!(total(&world.service, &world.one).await, 3);
    swept(&world).await;
    assert_eq!(world.live(&world.one).await, ["0", "39", "new"]);
    let rows = rows(&world, &world.one).await;
    assert_eq!(rows.len(), 41);
    let live = rows.iter().filter(|row| !row.deleted);
    assert_eq!(live.count(), 3);
    assert!(rows.iter().all(|row| row.deleted == row.body.is_empty()));
    assert_eq!(total(&world.service, &world.one).await, 3);
    assert_eq!(world.live(&world.two).await.len(), 40);
    assert_eq!(total(&world.service, &world.two).await, 40);
    world.service.close().await;

    // A rebuilt index has them, too, and no others.
    std::fs::remove_dir_all(world.dir.path().join("indexes")).expect("removed");
    let service = open(&world.dir, &world.clock).await;
    assert_eq!(total(&service, &world.one).await, 3);
    service.close().await;
}

#[tokio::test]
async fn a_rebuilt_index_lacks_rows_that_are_not_swept_yet() {
    let mut world = World::new().await;
    world.indices(&["es"]).await;
    send(&world, &world.one, 60).await;
    let run = world.open_run(&world.one, "c1").await.expect("opens");
    let sent = world.send(&world.one, Some(&run.run_id), products(&["5", "50"]));
    sent.await.expect("is stored");
    world.service.close().await;
    std::fs::remove_dir_all(world.dir.path().join("indexes")).expect("removed");
    let storage = world.storage().await;
    purge_and_end(&storage, &world.one, &run.run_id, 7).await;
    storage.close().await;
    world.service = open(&world.dir, &world.clock).await;
    assert_eq!(total(&world.service, &world.one).await, 2);
    swept(&world).await;
    searchable(&world.service, &world.one).await;
    assert_eq!(total(&world.service, &world.one).await, 2);
    world.service.close().await;
}

#[tokio::test]
async fn an_interrupted_purge_is_finished() {
    let mut world = World::new().await;
    world.indices(&["es"]).await;
    for tenant in [&world.one, &world.two] {
        send(&world, tenant, 40).await;
    }
    let run = world.open_run(&world.one, "c1").await.expect("opens");
    let run = run.run_id;
    let sent = world.send(&world.one, Some(&run), products(&["5", "30", "seen"]));
    sent.await.expect("is stored");
    let hook = world.send(&world.one, None, products(&["hook"])).await;
    hook.expect("is stored");
    for tenant in [&world.one, &world.two] {
        searchable(&world.service, tenant).await;
    }
    world.service.close().await;
    let storage = world.storage().await;
    purge_and_end(&storage, &world.one, &run, 7).await;
    let sequence = index_of(&storage, &world.one).await.sequence;
    storage.close().await;

    world.service = open(&world.dir, &world.clock).await;
    assert_eq!(total(&world.service, &world.one).await, 4);
    assert_eq!(total(&world.service, &world.two).await, 40);
    let back = world.send(&world.one, None, products(&["0", "39"])).await;
    assert_eq!(back.expect("is stored").accepted, 2);
    // The next purge waits for the sweep of the first.
    let next = world.open_run(&world.one, "c2").await.expect("opens");
    let block = products(&["0", "39", "seen", "hook"]);
    let sent = world.send(&world.one, Some(&next.run_id), block).await;
    sent.expect("is stored");
    let closed = world.close_run(&world.one, &next.run_id, vec![scope_close(4, 0)]);
    let closed = closed.await.expect("closes");
    assert_eq!(
        (closed.scopes[0].purged, closed.scopes[0].documents),
        (2, 4)
    );
    searchable(&world.service, &world.one).await;
    assert_eq!(total(&world.service, &world.one).await, 4);
    swept(&world).await;
    assert_eq!(world.live(&world.one).await, ["0", "39", "seen", "hook"]);
    let rows = rows(&world, &world.one).await;
    assert!(rows.iter().all(|row| row.deleted == row.body.is_empty()));
    // Each change has its own number, and none exceeds the sequence of the index.
    let mut numbers: Vec<i64> = rows.iter().map(|row| row.seq).collect();
    numbers.dedup();
    assert_eq!(numbers.len(), 42);
    let storage = world.storage().await;
    let now = index_of(&storage, &world.one).await.sequence;
    assert_eq!((now, numbers.last()), (sequence + 4, Some(&now)));
    assert_eq!(world.live(&world.two).await.len(), 40);
    world.service.close().await;
}

#[tokio::test]
async fn an_announced_rebuild_survives_a_restart() {
    let mut world = World::new().await;
    world.indices(&["es"]).await;
    send(&world, &world.one, 60).await;
    let deleted = world.delete(&world.one, &["gone"], None).await;
    deleted.expect("is deleted");
    let cleared = empty(&world, &world.one, true).await;
    assert_eq!(cleared.cleared[0].documents, 60);
    world.service.close().await;

    world.service = open(&world.dir, &world.clock).await;
    assert_eq!(total(&world.service, &world.one).await, 60);
    let run = world.open_run(&world.one, "c1").await.expect("opens");
    let run = run.run_id;
    // Its mark rejects no older document.
    let block = vec![product("gone", -100), product("1", 0)];
    let sent = world.send(&world.one, Some(&run), block).await;
    assert_eq!(sent.expect("is stored").accepted, 2);
    searchable(&world.service, &world.one).await;
    assert_eq!(total(&world.service, &world.one).await, 61);
    let closed = world.close_run(&world.one, &run, vec![scope_close(2, 0)]);
    let closed = closed.await.expect("closes");
    assert_eq!(
        (closed.scopes[0].status, closed.scopes[0].purged),
        (ScopeStatus::Purged, 59)
    );
    world.service.close().await;

    world.service = open(&world.dir, &world.clock).await;
    assert_eq!(total(&world.service, &world.one).await, 2);
    swept(&world).await;
    assert_eq!(world.live(&world.one).await, ["1", "gone"]);
    world.service.close().await;
}

#[tokio::test]
async fn a_repeated_clear_rewrites_nothing() {
    let mut world = World::new().await;
    world.indices(&["es"]).await;
    send(&world, &world.one, 40).await;
    world.service.close().await;
    let storage = world.storage().await;
    clear_and_end(&storage, &world.one, 7).await;
    let before = storage.unswept().await.expect("reads");
    let sequence = index_of(&storage, &world.one).await.sequence;
    // Cleared again before all rows are swept.
    let mut feed = begin(&storage, &world.one).await;
    let state = feed.index(&scope("es")).await.expect("reads");
    let mut state = state.expect("an index");
    let same = state;
    feed.clear(&mut state).await.expect("clears");
    assert_eq!(state, same);
    feed.commit().await.expect("commits");
    assert_eq!(storage.unswept().await.expect("reads"), before);
    storage.close().await;

    world.service = open(&world.dir, &world.clock).await;
    swept(&world).await;
    let swept_rows = rows(&world, &world.one).await;
    for _ in 0..3 {
        let cleared = empty(&world, &world.one, false).await;
        assert_eq!(cleared.cleared[0].documents, 0);
        let storage = world.storage().await;
        assert!(storage.unswept().await.expect("reads").is_empty());
        let index = index_of(&storage, &world.one).await;
        assert_eq!(index.sequence, sequence);
    }
    assert_eq!(rows(&world, &world.one).await, swept_rows);
    // With a document it is a change again.
    send(&world, &world.one, 1).await;
    let cleared = empty(&world, &world.one, false).await;
    assert_eq!(cleared.cleared[0].documents, 1);
    swept(&world).await;
    assert!(world.live(&world.one).await.is_empty());
    world.service.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[expect(clippy::disallowed_methods, reason = "a wait ends")]
async fn searches_find_all_cleared_documents_or_none() {
    let mut world = World::new().await;
    world.indices(&["es"]).await;
    send(&world, &world.one, 2_000).await;
    searchable(&world.service, &world.one).await;
    let caller = world.feeder(&world.one).await;
    let service = world.service.clone();
    let clearing = tokio::spawn(async move {
        clear::clear(
            &service,
            &caller,
            Clear {
                languages: None,
                keep_serving: false,
            },
        )
        .await
    });
    let deadline = Instant::now() + PATIENCE;
    loop {
        match total(&world.service, &world.one).await {
            2_000 => assert!(Instant::now() < deadline, "the clear is not seen"),
            0 => break,
            some => panic!("{some} of what was cleared"),
        }
    }
    clearing.await.expect("runs").expect("is cleared");
    // Stopped at any point, and opened again.
    world.service.close().await;
    world.service = open(&world.dir, &world.clock).await;
    assert_eq!(total(&world.service, &world.one).await, 0);
    send(&world, &world.one, 10).await;
    swept(&world).await;
    searchable(&world.service, &world.one).await;
    assert_eq!(total(&world.service, &world.one).await, 10);
    assert_eq!(world.live(&world.one).await.len(), 10);
    world.service.close().await;
}

/// Stores `count` documents of the tenant, bypassing the operations, which would index each of them.
async fn store(storage: &Storage, tenant: &Tenant, count: usize) {
    let mut feed = begin(storage, tenant).await;
    let state = feed.index(&scope("es")).await.expect("reads");
    let mut state = state.expect("an index");
    state.writes += 1;
    for block in ids(count).chunks(5_000) {
        let (mut rows, mut bodies) = (Vec::new(), Vec::new());
        for id in block {
            state.sequence += 1;
            let row = DocumentRow {
                ordinal: state.next_ordinal,
                rev: NOW.0,
                hash: String::new(),
                body_hash: 1,
                text_hash: 1,
                seq: state.sequence,
                text_seq: state.sequence,
                written: state.writes,
                seen_run: 0,
                deleted_at: None,
                received_at: None,
                clipped: false,
            };
            rows.push((id.as_str(), row));
            let body = format!("{{\"id\":\"{id}\",\"name\":\"Name of {id}\"}}");
            bodies.push((state.next_ordinal, body));
            state.next_ordinal += 1;
            state.documents += 1;
        }
        let rows: Vec<_> = rows.iter().map(|(id, row)| (*id, row)).collect();
        feed.put_documents(state.id, &rows).await.expect("rows");
        let texts = bodies.iter().map(|(at, body)| (*at, body.as_str()));
        let bodies: Vec<_> = texts.collect();
        feed.put_bodies(state.id, &bodies).await.expect("texts");
    }
    feed.save_index(&state, NOW).await.expect("saves");
    feed.commit().await.expect("commits");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[expect(
    clippy::disallowed_methods,
    reason = "a wait ends, and how long something takes is tested"
)]
async fn a_large_clear_does_not_delay_other_stores() {
    const AT_MOST: Duration = Duration::from_secs(1);
    let mut world = World::new().await;
    world.indices(&["es"]).await;
    send(&world, &world.two, 1).await;
    world.service.close().await;
    let storage = world.storage().await;
    store(&storage, &world.one, 100_000).await;
    clear_and_end(&storage, &world.one, 1).await;
    world.service = open(&world.dir, &world.clock).await;
    let deadline = Instant::now() + PATIENCE;
    let (mut during, mut longest) = (0, Duration::ZERO);
    loop {
        let started = Instant::now();
        let id = during.to_string();
        let sent = world.send(&world.two, None, products(&[&id])).await;
        assert_eq!(sent.expect("is stored").accepted, 1);
        let took = started.elapsed();
        if storage.unswept().await.expect("reads").is_empty() {
            break;
        }
        during += 1;
        longest = longest.max(took);
        assert!(Instant::now() < deadline, "rows have not swept_rows");
    }
    assert!(during > 3, "{during} blocks while rows swept_rows");
    assert!(longest < AT_MOST, "one of {during} blocks took {longest:?}");
    storage.close().await;
    world.service.close().await;
}
