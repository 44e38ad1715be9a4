//! Runs the work of one search in parallel on idle cores.
//!
//! This pays only for searches with many hits: starting threads costs some microseconds.

use parking_lot::Mutex;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::available_parallelism;

/// Most threads of one search: more would take from other searches what this one gains.
const THREADS_MAX: usize = 4;

/// The helper threads: one for each core except that of the search.
static POOL: LazyLock<Option<ThreadPool>> = LazyLock::new(|| {
    let helpers = available_parallelism().map_or(0, |cores| cores.get() - 1);
    // On a single core there is no pool; rayon would take 0 threads to mean one per core.
    let pool = ThreadPoolBuilder::new().thread_name(|at| format!("search_helper_{at}"));
    (helpers > 0).then(|| pool.num_threads(helpers).build().ok())?
});

/// Largest initial capacity of results.
const CAPACITY_MAX: usize = 1024;

/// Spins of a thread that waits for the others before it blocks: some fifty microseconds. Threads finish at about the
/// same time, and waking up takes as long.
const WAIT_SPINS: usize = 2_000;

/// Spins of a helper that waits for more work: some hundred microseconds.
const IDLE_SPINS: usize = 2_000;

/// Number of threads of the pool that are in use by searches.
static HELPING: AtomicUsize = AtomicUsize::new(0);

/// Number of threads for one search on this machine.
pub fn threads() -> usize {
    let helpers = POOL.as_ref().map_or(0, ThreadPool::current_num_threads);
    (helpers + 1).min(THREADS_MAX)
}

/// Number of threads for a search of `hits` hits: one for fewer than `hits_min`.
pub fn threads_for(hits: usize, hits_min: usize) -> usize {
    if hits >= hits_min { threads() } else { 1 }
}

/// Calls `work` on this thread and on idle helpers, on at most `threads` threads in all, and returns the result of each
/// call. Every call takes work items from the same iterator, which yields `items` in order.
pub fn together<P: Sync, T: Send>(
    threads: usize,
    items: &[P],
    work: impl Fn(&mut dyn Iterator<Item = &P>) -> T + Sync,
) -> Vec<T> {
    let taken = AtomicUsize::new(0);
    let run = || {
        let next = || items.get(taken.fetch_add(1, Ordering::Relaxed));
        work(&mut std::iter::from_fn(next))
    };
    let (Some(pool), Some(wanted)) = (&*POOL, threads.checked_sub(1)) else {
        return vec![run()];
    };
    let helpers = Helpers::engage(&HELPING, wanted, pool.current_num_threads());
    if helpers.count == 0 {
        return vec![run()];
    }
    let results = Mutex::new(Vec::with_capacity(helpers.count + 1));
    let working = AtomicUsize::new(helpers.count + 1);
    let participate = || {
        let result = run();
        results.lock().push(result);
    };
    let done = || working.fetch_sub(1, Ordering::Release);
    let help = || {
        participate();
        // Spawned before `done`, so that the search does not wait for it.
        rayon::spawn(await_work);
        done();
    };
    pool.in_place_scope(|scope| {
        (0..helpers.count).for_each(|_| scope.spawn(|_| help()));
        participate();
        done();
        spin_until(|| working.load(Ordering::Acquire) == 0);
    });
    results.into_inner()
}

/// Collects results of several threads, each with its index.
pub struct OrderedResults<T>(Mutex<Vec<(usize, T)>>);

impl<T> OrderedResults<T> {
    /// Creates a collection. The initial capacity is limited, as a request may ask for far more than is found.
    pub fn with_capacity(capacity: usize) -> Self {
        Self(Mutex::new(Vec::with_capacity(capacity.min(CAPACITY_MAX))))
    }

    /// Adds the result with this index.
    pub fn put(&self, index: usize, result: T) {
        self.0.lock().push((index, result));
    }

    /// Returns the results ordered by index.
    pub fn in_order(self) -> Vec<T> {
        let mut all = self.0.into_inner();
        all.sort_unstable_by_key(|(index, _)| *index);
        all.into_iter().map(|(_, result)| result).collect()
    }
}

/// Keeps a helper awake for a while: the same search often has more work soon, and waking a thread takes as long as a
/// work item.
fn await_work() {
    for _ in 0..IDLE_SPINS {
        if rayon::yield_now() == Some(rayon::Yield::Executed) {
            return;
        }
        std::hint::spin_loop();
    }
}

/// Spins until `done`, or for a short while.
fn spin_until(done: impl Fn() -> bool) {
    for _ in 0..WAIT_SPINS {
        if done() {
            return;
        }
        std::hint::spin_loop();
    }
}

/// Helpers of a search, freed on drop.
struct Helpers<'a> {
    count: usize,
    helping: &'a AtomicUsize,
}

impl<'a> Helpers<'a> {
    /// Reserves up to `wanted` threads; at most `all` are reserved by all searches together.
    fn engage(helping: &'a AtomicUsize, wanted: usize, all: usize) -> Self {
        let free = |engaged: usize| wanted.min(all.saturating_sub(engaged));
        let more = |engaged| Some(engaged + free(engaged));
        let before = helping.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more);
        Self {
            count: before.map_or(0, free),
            helping,
        }
    }
}

impl Drop for Helpers<'_> {
    fn drop(&mut self) {
        self.helping.fetch_sub(self.count, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    //! 1. Every item is processed exactly once on any number of threads, and results are returned in order.
    //! 2. Helpers are limited in number, and are free again afterwards.

    use super::*;

    #[test]
    fn every_item_is_processed_once() {
        for threads in [0, 1, 2, 8] {
            let items: Vec<usize> = (0..100).collect();
            let done = together(threads, &items, |own| own.copied().collect::<Vec<_>>());
            assert!(done.len() <= threads.max(1));
            let mut all = done.concat();
            all.sort_unstable();
            assert_eq!(all, items);
            let gathered = OrderedResults::with_capacity(1);
            together(threads, &items, |own| {
                own.for_each(|item| gathered.put(*item, *item))
            });
            assert_eq!(gathered.in_order(), items);
        }
    }

    #[test]
    fn helpers_are_free_again() {
        let helping = AtomicUsize::new(0);
        for _ in 0..2 {
            let first = Helpers::engage(&helping, 2, 3);
            let second = Helpers::engage(&helping, 2, 3);
            let third = Helpers::engage(&helping, 2, 3);
            assert_eq!([first, second, third].map(|own| own.count), [2, 1, 0]);
        }
    }
}
