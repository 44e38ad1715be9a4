//! `Turns`: a semaphore that is fair between parties: one that holds no turn goes before one that holds some.

use parking_lot::Mutex;
use std::collections::{HashMap, VecDeque};
use std::fmt::{Debug, Formatter, Result as FormatResult};
use std::hash::Hash;
use std::sync::Arc;
use tokio::sync::oneshot;

/// A number of turns that parties share, such as stores the one writer of the database.
///
/// A free turn goes to the waiting party that holds the fewest turns, and among equals to the first in the queue. A
/// party is in the queue once, however many turns it waits for, and moves to its end with each turn. So while a party
/// without a turn waits, no other party gets two. Clones share the turns.
pub struct Turns<K: Eq + Hash + Clone> {
    state: Arc<Mutex<TurnState<K>>>,
}

/// A turn, returned when it is dropped.
pub struct Turn<K: Eq + Hash + Clone> {
    turns: Turns<K>,
    party: K,
}

struct TurnState<K: Eq + Hash + Clone> {
    free: usize,
    held: HashMap<K, usize>,
    /// The waiting parties, each once.
    order: VecDeque<K>,
    waiting: HashMap<K, VecDeque<oneshot::Sender<Turn<K>>>>,
}

impl<K: Eq + Hash + Clone> Turns<K> {
    /// Creates `at_once` turns, at least one.
    pub fn new(at_once: usize) -> Self {
        let state = TurnState {
            free: at_once.max(1),
            held: HashMap::new(),
            order: VecDeque::new(),
            waiting: HashMap::new(),
        };
        Self {
            state: Arc::new(Mutex::new(state)),
        }
    }

    /// Waits for a turn of `party`. Dropping the future leaves the queue.
    pub async fn take(&self, party: K) -> Turn<K> {
        let turn = {
            let mut state = self.state.lock();
            let (sender, receiver) = oneshot::channel();
            state.join(party, sender);
            receiver
        };
        self.grant();
        turn.await.expect(
            "a waiting sender is dropped only after its turn was sent, or its receiver has gone",
        )
    }

    /// Returns a turn of `party` if one is free, which implies that nobody waits.
    pub fn try_take(&self, party: K) -> Option<Turn<K>> {
        let mut state = self.state.lock();
        state.free = state.free.checked_sub(1)?;
        *state.held.entry(party.clone()).or_default() += 1;
        let turns = self.clone();
        Some(Turn { turns, party })
    }

    /// Returns the number of turns that are taken.
    pub fn taken(&self) -> usize {
        self.state.lock().held.values().sum()
    }

    /// Returns the number of calls that wait for a turn.
    pub fn waiting(&self) -> usize {
        let state = self.state.lock();
        let open = |queue: &VecDeque<oneshot::Sender<Turn<K>>>| {
            queue.iter().filter(|sender| !sender.is_closed()).count()
        };
        state.waiting.values().map(open).sum()
    }

    /// Hands free turns to waiting calls.
    fn grant(&self) {
        loop {
            let next = self.state.lock().next();
            let Some((party, sender)) = next else {
                return;
            };
            let turns = self.clone();
            // Outside the lock: if the call was dropped, the turn is dropped here, which locks again to return it.
            let _ = sender.send(Turn { turns, party });
        }
    }
}

impl<K: Eq + Hash + Clone> TurnState<K> {
    fn join(&mut self, party: K, sender: oneshot::Sender<Turn<K>>) {
        match self.waiting.get_mut(&party) {
            Some(queue) => {
                queue.retain(|waiting| !waiting.is_closed());
                queue.push_back(sender);
            }
            None => {
                self.order.push_back(party.clone());
                self.waiting.insert(party, VecDeque::from([sender]));
            }
        }
    }

    /// Takes a free turn for the next party.
    fn next(&mut self) -> Option<(K, oneshot::Sender<Turn<K>>)> {
        while self.free > 0 {
            let held = |party: &K| self.held.get(party).copied().unwrap_or(0);
            let places = self.order.iter().enumerate();
            let (place, _) = places.min_by_key(|(_, party)| held(party))?;
            let party = self.order.remove(place)?;
            let Some(mut queue) = self.waiting.remove(&party) else {
                continue;
            };
            let sender = loop {
                match queue.pop_front() {
                    Some(sender) if sender.is_closed() => {}
                    other => break other,
                }
            };
            if !queue.is_empty() {
                self.order.push_back(party.clone());
                self.waiting.insert(party.clone(), queue);
            }
            if let Some(sender) = sender {
                self.free -= 1;
                *self.held.entry(party.clone()).or_default() += 1;
                return Some((party, sender));
            }
        }
        None
    }

    fn end(&mut self, party: &K) {
        self.free += 1;
        if let Some(held) = self.held.get_mut(party) {
            *held -= 1;
            if *held == 0 {
                self.held.remove(party);
            }
        }
    }
}

impl<K: Eq + Hash + Clone> Drop for Turn<K> {
    fn drop(&mut self) {
        self.turns.state.lock().end(&self.party);
        self.turns.grant();
    }
}

impl<K: Eq + Hash + Clone> Clone for Turns<K> {
    fn clone(&self) -> Self {
        Self {
            state: Arc::clone(&self.state),
        }
    }
}

impl<K: Eq + Hash + Clone> Debug for Turns<K> {
    fn fmt(&self, f: &mut Formatter<'_>) -> FormatResult {
        let free = self.state.lock().free;
        f.debug_struct("Turns").field("free", &free).finish()
    }
}

#[cfg(test)]
mod tests {
    //! 1. While a party without a turn waits, no other party gets two, whatever starts, ends or stops waiting.
    //! 2. No more turns are held than exist, and none is free while a call waits.
    //! 3. In the end every waiting call gets a turn, within a party in the order of the calls.
    //! 4. `try_take` returns a turn if and only if one is free.

    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;
    use std::pin::Pin;
    use std::task::{Context, Poll, Waker};

    type Taking = Pin<Box<dyn Future<Output = Turn<u8>>>>;

    /// Parties that take, return and stop waiting for turns, step by step.
    struct Simulation {
        turns: Turns<u8>,
        at_once: usize,
        /// Waiting calls, by number, with their party.
        waiting: Vec<(usize, u8, Taking)>,
        held: Vec<(u8, Turn<u8>)>,
        asked: usize,
        /// Numbers of the calls that got a turn, by party.
        given: HashMap<u8, Vec<usize>>,
        /// For each waiting party without a turn: turns that others got meanwhile.
        meanwhile: HashMap<u8, HashMap<u8, usize>>,
    }

    impl Simulation {
        fn new(at_once: usize) -> Self {
            Self {
                turns: Turns::new(at_once),
                at_once,
                waiting: Vec::new(),
                held: Vec::new(),
                asked: 0,
                given: HashMap::new(),
                meanwhile: HashMap::new(),
            }
        }

        fn take(&mut self, party: u8) {
            let turns = self.turns.clone();
            let taking: Taking = Box::pin(async move { turns.take(party).await });
            self.waiting.push((self.asked, party, taking));
            self.asked += 1;
            self.settle();
        }

        fn try_take(&mut self, party: u8) {
            assert_eq!(self.turns.taken(), self.held.len());
            let turn = self.turns.try_take(party);
            assert_eq!(turn.is_some(), self.held.len() < self.at_once);
            self.held.extend(turn.map(|turn| (party, turn)));
        }

        /// Polls all waiting calls and checks the turns they get.
        fn settle(&mut self) {
            let mut given = Vec::new();
            let mut still = Vec::new();
            for (number, party, mut taking) in std::mem::take(&mut self.waiting) {
                match taking
                    .as_mut()
                    .poll(&mut Context::from_waker(Waker::noop()))
                {
                    Poll::Ready(turn) => given.push((number, party, turn)),
                    Poll::Pending => still.push((number, party, taking)),
                }
            }
            self.waiting = still;
            for (number, party, turn) in given {
                self.held.push((party, turn));
                self.given.entry(party).or_default().push(number);
                for (waiting, others) in &mut self.meanwhile {
                    if *waiting != party {
                        let count = others.entry(party).or_default();
                        *count += 1;
                        assert!(*count < 2, "{party} had two turns while {waiting} had none");
                    }
                }
            }
            assert!(self.held.len() <= self.at_once);
            assert!(self.held.len() == self.at_once || self.waiting.is_empty());
            let held = |party: u8| self.held.iter().any(|(holder, _)| *holder == party);
            let poor: Vec<u8> = self.waiting.iter().map(|(_, party, _)| *party).collect();
            let poor: Vec<u8> = poor.into_iter().filter(|party| !held(*party)).collect();
            self.meanwhile.retain(|party, _| poor.contains(party));
            for party in poor {
                self.meanwhile.entry(party).or_default();
            }
        }
    }

    proptest! {
        #[test]
        fn turns_are_fair(at_once in 1_usize..4, steps in vec((0_u8..5, 0_u8..5, 0_usize..8), 1..200)) {
            let mut simulation = Simulation::new(at_once);
            for (what, party, place) in steps {
                match what {
                    0 | 1 => simulation.take(party),
                    2 if !simulation.held.is_empty() => {
                        let place = place % simulation.held.len();
                        drop(simulation.held.swap_remove(place));
                        simulation.settle();
                    }
                    3 if !simulation.waiting.is_empty() => {
                        let place = place % simulation.waiting.len();
                        drop(simulation.waiting.remove(place));
                        simulation.settle();
                    }
                    4 => simulation.try_take(party),
                    _ => {}
                }
            }
            while let Some(turn) = simulation.held.pop() {
                drop(turn);
                simulation.settle();
            }
            assert!(simulation.waiting.is_empty());
            assert_eq!(simulation.turns.waiting(), 0);
            for numbers in simulation.given.values() {
                assert!(numbers.is_sorted(), "{numbers:?}");
            }
        }
    }
}
