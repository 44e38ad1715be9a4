//! Equal computations that are wanted at the same moment: one is carried out, and everybody gets its result.

use parking_lot::Mutex;
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;
use tokio::sync::watch;

/// The computations that are wanted and not done; clones are handles of the same ones.
pub(crate) struct SingleFlight<K, V>(pub(super) Arc<Mutex<HashMap<K, watch::Sender<Option<V>>>>>);

/// What there is for somebody who wants a result.
pub(crate) enum Joined<K: Clone + Eq + Hash, V> {
    /// The result itself.
    Known(V),
    /// Somebody wanted it before.
    Later(FlightResult<V>),
    /// Nobody did: the computation has to be carried out now.
    First(Flight<K, V>, FlightResult<V>),
}

/// The result of a computation that is under way. Who drops it does not wait any more.
pub(crate) struct FlightResult<V>(watch::Receiver<Option<V>>);

/// A computation, in the hands of whoever carries it out. Dropped without a result, it fails for all who wait.
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
    /// Joins the computation of `key`; `known` may have its result where none is under way.
    pub fn join(&self, key: &K, known: impl FnOnce() -> Option<V>) -> Joined<K, V> {
        let mut flights = self.0.lock();
        if let Some(result) = flights.get(key) {
            return Joined::Later(FlightResult(result.subscribe()));
        }
        // Results are kept before their flight ends, so that no result falls between the two.
        if let Some(value) = known() {
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
    /// Waits for the result; none when the computation failed without one.
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
            // Whoever joins does so under this lock.
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
