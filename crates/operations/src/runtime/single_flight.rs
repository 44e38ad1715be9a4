//! Single flight: of equal concurrent computations one is executed, and all callers get its result.

use parking_lot::Mutex;
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;
use tokio::sync::watch;

/// The computations in progress; clones share them.
pub(crate) struct SingleFlight<K, V>(pub(crate) Arc<Mutex<HashMap<K, watch::Sender<Option<V>>>>>);

/// Outcome of joining a computation.
pub(crate) enum Joined<K: Clone + Eq + Hash, V> {
    /// The result was cached already.
    Known(V),
    /// Another caller has started it.
    Later(FlightResult<V>),
    /// The caller is the first and has to execute it.
    First(Flight<K, V>, FlightResult<V>),
}

/// The pending result of a computation. Dropping it stops waiting.
pub(crate) struct FlightResult<V>(watch::Receiver<Option<V>>);

/// A computation, owned by its executor. Dropped without a result, it fails for all who wait.
pub(crate) struct Flight<K: Clone + Eq + Hash, V> {
    flights: SingleFlight<K, V>,
    key: K,
    result: watch::Sender<Option<V>>,
    is_over: bool,
}

impl<K, V> Clone for SingleFlight<K, V> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<K, V> Default for SingleFlight<K, V> {
    fn default() -> Self {
        Self(Arc::default())
    }
}

impl<K: Clone + Eq + Hash, V: Clone> SingleFlight<K, V> {
    /// Joins the computation of `key`; if none is in progress, `cached` may have its result.
    pub fn join(&self, key: &K, cached: impl FnOnce() -> Option<V>) -> Joined<K, V> {
        let mut flights = self.0.lock();
        if let Some(result) = flights.get(key) {
            return Joined::Later(FlightResult(result.subscribe()));
        }
        // Results are cached before their flight ends, so that every result is found in one or the other.
        if let Some(value) = cached() {
            return Joined::Known(value);
        }
        let (result, waiting) = watch::channel(None);
        flights.insert(key.clone(), result.clone());
        let flight = Flight {
            flights: self.clone(),
            key: key.clone(),
            result,
            is_over: false,
        };
        Joined::First(flight, FlightResult(waiting))
    }
}

impl<V: Clone> FlightResult<V> {
    /// Waits for the result; `None` if the computation ended without one.
    pub async fn wait(mut self) -> Option<V> {
        let result = self.0.wait_for(Option::is_some).await.ok()?;
        result.clone()
    }
}

impl<K: Clone + Eq + Hash, V> Flight<K, V> {
    /// Waits until nobody waits for the result.
    pub async fn abandoned(&self) {
        self.result.closed().await;
    }

    /// Ends the computation without a result, if nobody waits for one.
    pub fn end_if_abandoned(mut self) -> Option<Self> {
        {
            // Callers join under the same lock.
            let mut flights = self.flights.0.lock();
            self.is_over = self.result.receiver_count() == 0;
            if self.is_over {
                flights.remove(&self.key);
            }
        }
        Some(self).filter(|flight| !flight.is_over)
    }

    /// Ends the computation with `value`.
    pub fn complete(mut self, value: V) {
        self.remove();
        self.result.send_replace(Some(value));
    }

    fn remove(&mut self) {
        if !self.is_over {
            self.flights.0.lock().remove(&self.key);
            self.is_over = true;
        }
    }
}

impl<K: Clone + Eq + Hash, V> Drop for Flight<K, V> {
    fn drop(&mut self) {
        self.remove();
    }
}
