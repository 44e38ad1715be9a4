//! Counts documents in parallel on idle cores.
//!
//! This pays only for many documents: starting threads costs some microseconds.
//! See `docs/adr/0051-what-four-means-of-the-search-are-worth.md`.

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

/// Number of threads of the pool that are in use by searches.
static HELPING: AtomicUsize = AtomicUsize::new(0);

/// Number of threads for one search on this machine.
pub fn threads() -> usize {
    let helpers = POOL.as_ref().map_or(0, ThreadPool::current_num_threads);
    (helpers + 1).min(THREADS_MAX)
}

/// Calls `work` on this thread and on idle helpers, on at most `threads` threads in all, and returns the result of each
/// call. Every call takes work items from the same iterator, which yields `items` in order.
pub fn run_parallel<P: Sync, T: Send>(
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
    let participate = || {
        let result = run();
        results.lock().push(result);
    };
    pool.in_place_scope(|scope| {
        (0..helpers.count).for_each(|_| scope.spawn(|_| participate()));
        participate();
    });
    results.into_inner()
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
    //! 1. Every item is processed exactly once on any number of threads.
    //! 2. Helpers are limited in number, and are free again afterwards.

    use super::*;

    #[test]
    fn every_item_is_processed_once() {
        for threads in [0, 1, 2, 8] {
            let items: Vec<usize> = (0..100).collect();
            let done = run_parallel(threads, &items, |own| own.copied().collect::<Vec<_>>());
            assert!(done.len() <= threads.max(1));
            let mut all = done.concat();
            all.sort_unstable();
            assert_eq!(all, items);
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
