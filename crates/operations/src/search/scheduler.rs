//! Schedules searches: a limited number at once, fair between stores; equal concurrent searches are executed once.

use crate::OperationError;
use crate::runtime::single_flight::{Flight, Joined, SingleFlight};
use domain::StoreId;
use std::hash::Hash;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use storage::{Turn, Turns};
use tracing::{Instrument, Span};

/// Searches per core that are executed at once. More would not be faster; two, because one that waits for a file leaves
/// its core to another.
const AT_ONCE_PER_CORE: usize = 2;

/// Scheduler of everything that executes a query; clones share it.
#[derive(Clone)]
pub(crate) struct Searches {
    turns: Turns<StoreId>,
    executed: Arc<AtomicU64>,
}

/// Shared result of a computation.
pub(crate) type Computed<V> = Result<V, Arc<OperationError>>;

/// Computations of one state of a store that equal searches share.
pub(crate) type SharedComputations<K, V> = SingleFlight<K, Computed<V>>;

impl Searches {
    /// Returns a scheduler for the cores of this machine.
    pub fn of_this_machine() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Self::new(AT_ONCE_PER_CORE * cores)
    }

    /// Returns a scheduler of at most `at_once` searches at a time.
    pub fn new(at_once: usize) -> Self {
        Self {
            turns: Turns::new(at_once),
            executed: Arc::default(),
        }
    }

    /// Runs `work` when it is the turn of `store`, on a thread that may block. Dropping the future before leaves the
    /// queue.
    ///
    /// Errors: those of `work`.
    pub async fn run<T: Send + 'static>(
        &self,
        store: &StoreId,
        work: impl FnOnce() -> Result<T, OperationError> + Send + 'static,
    ) -> Result<T, OperationError> {
        let turn = self.turns.take(store.clone()).await;
        self.executed.fetch_add(1, Ordering::Relaxed);
        let span = Span::current();
        let work = move || {
            let _turn = turn;
            span.in_scope(work)
        };
        let working = tokio::task::spawn_blocking(work);
        working.await.map_err(OperationError::internal)?
    }

    /// Runs work like [`Searches::run`], but once for all concurrent calls with an equal `key`. `cached` looks up a
    /// result that was computed in the meantime; `work` has to cache its result itself.
    ///
    /// The work keeps its place in the queue as long as any caller waits for it, and is cancelled when none does.
    /// Errors: those of `work`.
    pub async fn run_shared<K, V>(
        &self,
        store: &StoreId,
        (shared, key): (&SharedComputations<K, V>, &K),
        cached: impl FnOnce() -> Option<V>,
        work: impl FnOnce() -> Result<V, OperationError> + Send + 'static,
    ) -> Result<V, OperationError>
    where
        K: Clone + Eq + Hash + Send + Sync + 'static,
        V: Clone + Send + Sync + 'static,
    {
        let result = match shared.join(key, || cached().map(Ok)) {
            Joined::Known(cached) => return cached.map_err(|error| OperationError::shared(&error)),
            Joined::Later(result) => result,
            Joined::First(flight, result) => {
                match self.turns.try_take(store.clone()) {
                    Some(turn) => self.start(turn, flight, work),
                    None => self.enqueue(store, flight, work),
                }
                result
            }
        };
        match result.wait().await {
            Some(computed) => computed.map_err(|error| OperationError::shared(&error)),
            None => Err(OperationError::internal("a search ended without a result")),
        }
    }

    /// Runs `work` when it is the turn of `store`, unless all callers leave before.
    fn enqueue<K, V>(
        &self,
        store: &StoreId,
        mut flight: Flight<K, Computed<V>>,
        work: impl FnOnce() -> Result<V, OperationError> + Send + 'static,
    ) where
        K: Clone + Eq + Hash + Send + Sync + 'static,
        V: Clone + Send + Sync + 'static,
    {
        let (searches, store) = (self.clone(), store.clone());
        let waiting = async move {
            let mut turn = std::pin::pin!(searches.turns.take(store));
            loop {
                tokio::select! {
                    turn = &mut turn => return searches.start(turn, flight, work),
                    () = flight.abandoned() => match flight.end_if_abandoned() {
                        Some(wanted) => flight = wanted,
                        None => return,
                    },
                }
            }
        };
        tokio::spawn(waiting.in_current_span());
    }

    fn start<K, V>(
        &self,
        turn: Turn<StoreId>,
        flight: Flight<K, Computed<V>>,
        work: impl FnOnce() -> Result<V, OperationError> + Send + 'static,
    ) where
        K: Clone + Eq + Hash + Send + Sync + 'static,
        V: Clone + Send + Sync + 'static,
    {
        let (executed, span) = (Arc::clone(&self.executed), Span::current());
        tokio::task::spawn_blocking(move || {
            let _turn = turn;
            let _span = span.entered();
            // All callers may have left between the turn and the start of the thread.
            if let Some(flight) = flight.end_if_abandoned() {
                executed.fetch_add(1, Ordering::Relaxed);
                flight.complete(work().map_err(Arc::new));
            }
        });
    }

    /// Returns the number of searches that wait for their turn; equal ones count as one.
    pub fn waiting(&self) -> usize {
        self.turns.waiting()
    }

    /// Returns the number of searches that are being executed.
    pub fn at_work(&self) -> usize {
        self.turns.taken()
    }

    /// Returns the number of searches executed so far.
    pub fn executed(&self) -> u64 {
        self.executed.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests;
