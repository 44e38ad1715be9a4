//! Searches at work: so many at once for the process, store by store, and equal ones together.

use crate::OperationError;
use crate::single_flight::{Flight, Joined, SingleFlight};
use domain::StoreId;
use std::hash::Hash;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use storage::{Turn, Turns};
use tracing::Instrument;

/// Searches that may be at work at once for each core. More would not be done sooner, and one that waits for a file
/// leaves its core to another.
const AT_ONCE_PER_CORE: usize = 2;

/// Where everything takes turns that executes a query; clones are handles of the same one.
#[derive(Clone)]
pub(crate) struct Searches {
    turns: Turns<StoreId>,
    executed: Arc<AtomicU64>,
}

/// What was computed together, or why not.
pub(crate) type Computed<V> = Result<V, Arc<OperationError>>;

/// Where one state of a store computes equal searches together.
pub(crate) type SharedComputations<K, V> = SingleFlight<K, Computed<V>>;

impl Searches {
    /// As many at once as the cores of this machine keep busy.
    pub fn of_this_machine() -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Self::new(AT_ONCE_PER_CORE * cores)
    }

    /// At most `at_once`.
    pub fn new(at_once: usize) -> Self {
        Self {
            turns: Turns::new(at_once),
            executed: Arc::default(),
        }
    }

    /// Does `work` at the turn of `store`, on a thread that may block. Who drops the future before leaves the queue.
    ///
    /// Errors: those of the work.
    pub async fn run<T: Send + 'static>(
        &self,
        store: &StoreId,
        work: impl FnOnce() -> Result<T, OperationError> + Send + 'static,
    ) -> Result<T, OperationError> {
        let turn = self.turns.take(store.clone()).await;
        self.executed.fetch_add(1, Ordering::Relaxed);
        let work = move || {
            let _turn = turn;
            work()
        };
        let working = tokio::task::spawn_blocking(work);
        working.await.map_err(OperationError::internal)?
    }

    /// The same for work that others may want at the same moment, under an equal `key`: it is done once. `known` may
    /// have what was done meanwhile; `work` has to put its result there.
    ///
    /// The work keeps its place in the queue as long as anybody waits for it, and is left when nobody does.
    /// Errors: those of the work.
    pub async fn run_together<K, V>(
        &self,
        store: &StoreId,
        (together, key): (&SharedComputations<K, V>, &K),
        known: impl FnOnce() -> Option<V>,
        work: impl FnOnce() -> Result<V, OperationError> + Send + 'static,
    ) -> Result<V, OperationError>
    where
        K: Clone + Eq + Hash + Send + Sync + 'static,
        V: Clone + Send + Sync + 'static,
    {
        let result = match together.join(key, || known().map(Ok)) {
            Joined::Known(known) => return known.map_err(|error| OperationError::shared(&error)),
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

    /// Has `work` done when the turn of `store` has come, unless all who wait for it leave before.
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
        let executed = Arc::clone(&self.executed);
        tokio::task::spawn_blocking(move || {
            let _turn = turn;
            // All may have left between the turn and the thread.
            if let Some(flight) = flight.end_if_abandoned() {
                executed.fetch_add(1, Ordering::Relaxed);
                flight.complete(work().map_err(Arc::new));
            }
        });
    }

    /// Searches that wait for their turn; equal ones count as one.
    pub fn waiting(&self) -> usize {
        self.turns.waiting()
    }

    /// Searches that are executed now.
    pub fn at_work(&self) -> usize {
        self.turns.taken()
    }

    /// Searches that were executed.
    pub fn executed(&self) -> u64 {
        self.executed.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests;
