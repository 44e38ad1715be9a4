//! Turns: how work of one kind that many stores want at once is let in, so many at a time and store by store.

use parking_lot::Mutex;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::hash::Hash;
use std::sync::Arc;
use tokio::sync::oneshot;

/// A semaphore that is fair to keys: those that wait are served in rounds, one of each key in each round, so that a
/// key with many requests waits for itself first. Requests of one key are served in the order in which they came.
///
/// Who waits does so in his own future: dropping it leaves the queue. Clones are handles of the same one.
#[derive(Clone)]
pub(crate) struct FairTurns<K: Clone + Eq + Hash>(Arc<SharedTurns<K>>);

struct SharedTurns<K: Clone + Eq + Hash> {
    at_once: usize,
    state: Mutex<TurnQueue<K>>,
}

struct TurnQueue<K: Clone + Eq + Hash> {
    /// Turns that nobody has; above 0 only while nobody waits.
    free: usize,
    /// Number of the next request that has to wait.
    next_ticket: u64,
    /// Requests that wait.
    waiting: usize,
    /// Every key of `queues` once, in the order in which they are served.
    round: VecDeque<K>,
    /// Requests by key and in order; empty where those of a key have left since it was served last.
    queues: HashMap<K, BTreeMap<u64, oneshot::Sender<Turn<K>>>>,
}

/// The right to work; dropping it passes it on.
pub(crate) struct Turn<K: Clone + Eq + Hash>(Option<Arc<SharedTurns<K>>>);

/// A request in the queue. The turn comes by the channel, so that one that was granted to a future which is dropped
/// at the same moment is dropped with it, and passed on.
struct QueuedRequest<K: Clone + Eq + Hash> {
    shared: Arc<SharedTurns<K>>,
    key: K,
    ticket: u64,
    granted: oneshot::Receiver<Turn<K>>,
}

impl<K: Clone + Eq + Hash> FairTurns<K> {
    /// All turns free: `at_once` of them, at least 1.
    pub fn new(at_once: usize) -> Self {
        let at_once = at_once.max(1);
        let state = TurnQueue {
            free: at_once,
            next_ticket: 0,
            waiting: 0,
            round: VecDeque::new(),
            queues: HashMap::new(),
        };
        Self(Arc::new(SharedTurns {
            at_once,
            state: Mutex::new(state),
        }))
    }

    /// Waits for a turn for `key`. Cancel-safe: a future that is dropped has left the queue and holds no turn.
    pub async fn acquire(&self, key: &K) -> Turn<K> {
        let mut waiting = match self.request(key) {
            Ok(turn) => return turn,
            Err(waiting) => waiting,
        };
        (&mut waiting.granted)
            .await
            .expect("the sender stays in the queue until it sends or this request leaves")
    }

    /// A turn, if one is free; then nobody waits for it.
    pub fn try_acquire(&self) -> Option<Turn<K>> {
        let mut state = self.0.state.lock();
        let free = state.free.checked_sub(1)?;
        state.free = free;
        Some(Turn(Some(Arc::clone(&self.0))))
    }

    /// A turn at once, or a place in the queue.
    fn request(&self, key: &K) -> Result<Turn<K>, QueuedRequest<K>> {
        let mut state = self.0.state.lock();
        if state.free > 0 {
            state.free -= 1;
            return Ok(Turn(Some(Arc::clone(&self.0))));
        }
        let (sender, granted) = oneshot::channel();
        let ticket = state.next_ticket;
        state.next_ticket += 1;
        state.waiting += 1;
        let TurnQueue { round, queues, .. } = &mut *state;
        let queue = queues.entry(key.clone()).or_insert_with(|| {
            round.push_back(key.clone());
            BTreeMap::new()
        });
        queue.insert(ticket, sender);
        Err(QueuedRequest {
            shared: Arc::clone(&self.0),
            key: key.clone(),
            ticket,
            granted,
        })
    }

    /// Requests that wait.
    pub fn waiting(&self) -> usize {
        self.0.state.lock().waiting
    }

    /// Turns that are taken.
    pub fn at_work(&self) -> usize {
        self.0.at_once - self.0.state.lock().free
    }
}

impl<K: Clone + Eq + Hash> TurnQueue<K> {
    /// Takes the next request out of the queue.
    fn next(&mut self) -> Option<oneshot::Sender<Turn<K>>> {
        while let Some(key) = self.round.pop_front() {
            let Some(queue) = self.queues.get_mut(&key) else {
                continue;
            };
            let first = queue.pop_first();
            if queue.is_empty() {
                self.queues.remove(&key);
            } else {
                self.round.push_back(key);
            }
            if let Some((_, sender)) = first {
                self.waiting -= 1;
                return Some(sender);
            }
        }
        None
    }
}

impl<K: Clone + Eq + Hash> Drop for Turn<K> {
    fn drop(&mut self) {
        let Some(shared) = self.0.take() else {
            return;
        };
        loop {
            let next = {
                let mut state = shared.state.lock();
                let next = state.next();
                if next.is_none() {
                    state.free += 1;
                }
                next
            };
            let Some(sender) = next else {
                return;
            };
            // The lock is free here: whoever gets the turn may drop it at once.
            match sender.send(Self(Some(Arc::clone(&shared)))) {
                Ok(()) => return,
                // Its future was dropped just now; the turn is still in hand.
                Err(mut turn) => turn.0 = None,
            }
        }
    }
}

impl<K: Clone + Eq + Hash> Drop for QueuedRequest<K> {
    fn drop(&mut self) {
        let mut state = self.shared.state.lock();
        let queue = state.queues.get_mut(&self.key);
        // An empty queue goes when its key's turn in the round comes.
        if queue.is_some_and(|queue| queue.remove(&self.ticket).is_some()) {
            state.waiting -= 1;
        }
    }
}

#[cfg(test)]
mod tests;
