//! 1. The number of running searches is limited, and stores take turns: another store's search comes next, however many
//!    one store has in the queue.
//! 2. Dropping the future leaves the queue, and the work is never started.
//! 3. Equal searches are executed once, at the position of the first, even if the first one leaves.
//! 4. When all callers leave, a search that was not started never is; one that was started ends and frees its turn.
//! 5. A search that panics fails for all its callers, and frees its turn.

use super::*;
use std::sync::mpsc;
use std::time::{Duration, Instant};
use tokio::task::JoinHandle;

type Keyed = SharedComputations<u32, u32>;

struct SearchBench {
    searches: Searches,
    shared: Keyed,
    order: Arc<parking_lot::Mutex<Vec<u32>>>,
}

fn bench(at_once: usize) -> SearchBench {
    SearchBench {
        searches: Searches::new(at_once),
        shared: Keyed::default(),
        order: Arc::default(),
    }
}

impl SearchBench {
    /// Starts a search of `store` for `key`, which records its execution.
    fn search(&self, store: &str, key: u32) -> JoinHandle<Result<u32, OperationError>> {
        let (searches, shared) = (self.searches.clone(), self.shared.clone());
        let (store, order) = (StoreId::from(store), Arc::clone(&self.order));
        tokio::spawn(async move {
            let work = move || {
                order.lock().push(key);
                Ok(key)
            };
            let run = searches.run_shared(&store, (&shared, &key), || None, work);
            run.await
        })
    }

    /// Occupies one turn until the sender is dropped.
    async fn hold(
        &self,
        store: &str,
    ) -> (mpsc::Sender<()>, JoinHandle<Result<(), OperationError>>) {
        let (release, held) = mpsc::channel::<()>();
        let (searches, store) = (self.searches.clone(), StoreId::from(store));
        let before = self.searches.at_work();
        let working = tokio::spawn(async move {
            let work = move || {
                let _ = held.recv();
                Ok(())
            };
            searches.run(&store, work).await
        });
        until(|| self.searches.at_work() > before).await;
        (release, working)
    }
}

#[expect(clippy::disallowed_methods, reason = "the wait has a deadline")]
async fn until(done: impl Fn() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(30);
    while !done() {
        assert!(Instant::now() < deadline, "it does not happen in time");
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn stores_take_turns() {
    let bench = bench(1);
    let (release, working) = bench.hold("flood").await;
    let mut flood = Vec::new();
    for key in 0..50 {
        flood.push(bench.search("flood", key));
        until(|| bench.searches.waiting() == key as usize + 1).await;
    }
    let other = bench.search("other", 100);
    until(|| bench.searches.waiting() == 51).await;
    assert_eq!(bench.searches.at_work(), 1);
    drop(release);
    assert!(working.await.expect("runs").is_ok());
    assert_eq!(other.await.expect("runs").expect("is found"), 100);
    for (key, search) in (0..).zip(flood) {
        assert_eq!(search.await.expect("runs").expect("is found"), key);
    }
    let order = bench.order.lock().clone();
    assert_eq!(order[..3], [0, 100, 1], "the other store comes second");
    assert_eq!(order.len(), 51);
}

#[tokio::test]
async fn a_dropped_search_leaves_the_queue() {
    let bench = bench(1);
    let (release, working) = bench.hold("a").await;
    let searches = bench.searches.clone();
    let alone = tokio::spawn(async move { searches.run(&"a".into(), || Ok(0)).await });
    let shared = bench.search("a", 1);
    until(|| bench.searches.waiting() == 2).await;
    alone.abort();
    shared.abort();
    until(|| bench.searches.waiting() == 0).await;
    drop(release);
    assert!(working.await.expect("runs").is_ok());
    until(|| bench.searches.at_work() == 0).await;
    assert_eq!(bench.searches.executed(), 1, "only what held the turn");
    assert!(bench.order.lock().is_empty());
}

#[tokio::test]
async fn equal_searches_are_executed_once() {
    let bench = bench(1);
    let (release, working) = bench.hold("a").await;
    let first = bench.search("a", 7);
    until(|| bench.searches.waiting() == 1).await;
    let behind = bench.search("a", 8);
    until(|| bench.searches.waiting() == 2).await;
    let equal: Vec<_> = (0..20).map(|_| bench.search("a", 7)).collect();
    let joined = || {
        let flights = bench.shared.0.lock();
        flights.get(&7).map(|result| result.receiver_count())
    };
    until(|| joined() == Some(21)).await;
    first.abort();
    until(|| joined() == Some(20)).await;
    assert_eq!(bench.searches.waiting(), 2, "equal ones wait as one");
    drop(release);
    assert!(working.await.expect("runs").is_ok());
    for search in equal {
        assert_eq!(search.await.expect("runs").expect("is found"), 7);
    }
    assert!(behind.await.expect("runs").is_ok());
    assert_eq!(
        *bench.order.lock(),
        [7, 8],
        "at the position of the first one"
    );
}

#[tokio::test]
async fn work_that_was_started_ends_without_its_clients() {
    let bench = bench(1);
    let (release, working) = bench.hold("a").await;
    working.abort();
    let next = bench.search("b", 1);
    until(|| bench.searches.waiting() == 1).await;
    assert_eq!(bench.searches.at_work(), 1);
    drop(release);
    assert_eq!(next.await.expect("runs").expect("is found"), 1);
    until(|| bench.searches.at_work() == 0).await;
}

#[tokio::test]
async fn a_panic_fails_for_all_and_frees_the_turn() {
    let bench = bench(1);
    let work = || -> Result<u32, OperationError> { panic!("wanted by the test") };
    let store = StoreId::from("a");
    let run = bench
        .searches
        .run_shared(&store, (&bench.shared, &1), || None, work);
    assert!(matches!(run.await, Err(OperationError::Internal { .. })));
    until(|| bench.searches.at_work() == 0).await;
    assert_eq!(
        bench.search("a", 1).await.expect("runs").expect("is found"),
        1
    );
}
