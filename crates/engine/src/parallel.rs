//! Work of one search that is shared with cores that have nothing to do.
//!
//! Only a search that wants many hits is worth it: handing work over takes some microseconds, and computes nothing.

use parking_lot::Mutex;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::available_parallelism;

/// Threads that work on one search at most: what one search gains beyond that others would miss.
const THREADS_MAX: usize = 4;

/// The threads that help: one for each core but that of the search.
static POOL: LazyLock<Option<ThreadPool>> = LazyLock::new(|| {
    let helpers = available_parallelism().map_or(0, |cores| cores.get() - 1);
    // Without one, every search works alone; a pool of no thread would be one of all cores.
    let pool = ThreadPoolBuilder::new().thread_name(|at| format!("search_helper_{at}"));
    (helpers > 0).then(|| pool.num_threads(helpers).build().ok())?
});

/// Pieces that find room at once.
const ROOM_MAX: usize = 1024;

/// How often a thread looks whether the others are done before it lies down: some fifty microseconds, for they end at
/// about the same time, and to be woken takes as long.
const LOOKS_MAX: usize = 2_000;

/// How often a thread that helped looks whether it is asked again: some hundred microseconds.
const LOOKS_AFTERWARDS: usize = 2_000;

/// Threads of the pool that help a search now.
static HELPING: AtomicUsize = AtomicUsize::new(0);

/// Threads that may work on one search on this machine.
pub fn threads() -> usize {
    let helpers = POOL.as_ref().map_or(0, ThreadPool::current_num_threads);
    (helpers + 1).min(THREADS_MAX)
}

/// Threads that an answer of so many `hits` is worth on this machine, where `least` are worth several.
pub fn threads_for(hits: usize, least: usize) -> usize {
    if hits >= least { threads() } else { 1 }
}

/// Calls `work` here, and at the same time on as many other threads as are idle, `threads` in all at most; the answer of
/// each, and so one at least. Each is given the next of the `pieces` whenever it asks for one, in order.
pub fn together<P: Sync, T: Send>(
    threads: usize,
    pieces: &[P],
    work: impl Fn(&mut dyn Iterator<Item = &P>) -> T + Sync,
) -> Vec<T> {
    let taken = AtomicUsize::new(0);
    let answer = || {
        let next = || pieces.get(taken.fetch_add(1, Ordering::Relaxed));
        work(&mut std::iter::from_fn(next))
    };
    let (Some(pool), Some(wanted)) = (&*POOL, threads.checked_sub(1)) else {
        return vec![answer()];
    };
    let helpers = Helpers::engage(&HELPING, wanted, pool.current_num_threads());
    if helpers.count == 0 {
        return vec![answer()];
    }
    let answers = Mutex::new(Vec::with_capacity(helpers.count + 1));
    let working = AtomicUsize::new(helpers.count + 1);
    let take_part = || {
        let answer = answer();
        answers.lock().push(answer);
    };
    let done = || working.fetch_sub(1, Ordering::Release);
    let help = || {
        take_part();
        // Before it is done, for once all are done nothing shall keep the search waiting.
        rayon::spawn(linger);
        done();
    };
    pool.in_place_scope(|scope| {
        (0..helpers.count).for_each(|_| scope.spawn(|_| help()));
        take_part();
        done();
        wait_awake(|| working.load(Ordering::Acquire) == 0);
    });
    answers.into_inner()
}

/// What several threads make, each with its place among all.
pub struct OrderedResults<T>(Mutex<Vec<(usize, T)>>);

impl<T> OrderedResults<T> {
    /// Room for so many from the beginning, as long as that is little: what is wanted may be any number, what is found is not.
    pub fn with_capacity(capacity: usize) -> Self {
        Self(Mutex::new(Vec::with_capacity(capacity.min(ROOM_MAX))))
    }

    /// Adds what stands at `place`.
    pub fn put(&self, place: usize, made: T) {
        self.0.lock().push((place, made));
    }

    /// All, in the order of their places.
    pub fn in_order(self) -> Vec<T> {
        let mut all = self.0.into_inner();
        all.sort_unstable_by_key(|(place, _)| *place);
        all.into_iter().map(|(_, made)| made).collect()
    }
}

/// Keeps a thread that helped awake for a while, for mostly the same search asks again in a moment, and to be woken
/// takes as long as a part of the work.
fn linger() {
    for _ in 0..LOOKS_AFTERWARDS {
        if rayon::yield_now() == Some(rayon::Yield::Executed) {
            return;
        }
        std::hint::spin_loop();
    }
}

/// Waits until `done`, or for a short while.
fn wait_awake(done: impl Fn() -> bool) {
    for _ in 0..LOOKS_MAX {
        if done() {
            return;
        }
        std::hint::spin_loop();
    }
}

/// Threads that help a search, until they are let go.
struct Helpers<'a> {
    count: usize,
    helping: &'a AtomicUsize,
}

impl<'a> Helpers<'a> {
    /// Engages up to `wanted` threads, as long as there are no more than `all` among those that are `helping`.
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
    //! 1. Whatever the threads, all pieces are done, each once, and told in their order.
    //! 2. No more threads help than may, and afterwards they are free again.

    use super::*;

    #[test]
    fn every_piece_is_done_once() {
        for threads in [0, 1, 2, 8] {
            let pieces: Vec<usize> = (0..100).collect();
            let done = together(threads, &pieces, |own| own.copied().collect::<Vec<_>>());
            assert!(done.len() <= threads.max(1));
            let mut all = done.concat();
            all.sort_unstable();
            assert_eq!(all, pieces);
            let gathered = OrderedResults::with_capacity(1);
            together(threads, &pieces, |own| {
                own.for_each(|piece| gathered.put(*piece, *piece))
            });
            assert_eq!(gathered.in_order(), pieces);
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
