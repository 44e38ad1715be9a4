//! The expected state of a part of a store after a failure: what was acknowledged, with or without the write in flight.

use crate::harness::{Outcome as Ended, Reply, eventually};
use std::fmt::Debug;

/// The outcome of a write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It was acknowledged.
    Done,
    /// The server responded with an error.
    Failed,
    /// There was no response.
    Unknown,
}

/// Repeats a write until it succeeds. It fails only while the index lags behind, on a busy machine.
pub fn must_succeed(mut write: impl FnMut() -> Outcome) {
    eventually("a write is acknowledged", || write() == Outcome::Done);
}

/// The outcome of a write according to its `reply`.
///
/// Panics if it is a client error, because the writes of these tests are valid, or an error without its envelope.
pub fn outcome(reply: Option<&Reply>) -> Outcome {
    match reply {
        None => Outcome::Unknown,
        Some(reply) if reply.status < 300 => Outcome::Done,
        Some(reply) => {
            let failures = [(503, "unavailable"), (500, "internal")];
            assert!(
                failures.contains(&(reply.status, reply.code())),
                "{reply:?}"
            );
            assert_eq!(reply.json["success"], false, "{reply:?}");
            Outcome::Failed
        }
    }
}

/// The outcome of a write according to the exit of its command.
pub fn ended(command: &Ended) -> Outcome {
    assert!(matches!(command.status, 0 | 1), "{command:?}");
    if command.status == 0 {
        return Outcome::Done;
    }
    assert!(!command.stderr.is_empty(), "a failure without a message");
    Outcome::Failed
}

/// One part of a store, written by a single writer.
#[derive(Clone, Debug)]
pub struct Expected<T> {
    acknowledged: T,
    in_flight: Option<T>,
}

impl<T: Clone + Debug> Expected<T> {
    /// A part whose state is known.
    pub fn known(acknowledged: T) -> Self {
        Self {
            acknowledged,
            in_flight: None,
        }
    }

    /// The acknowledged state.
    pub fn acknowledged(&self) -> &T {
        &self.acknowledged
    }

    /// Records a write that changes the part to `next`, and its outcome.
    pub fn record(&mut self, next: T, outcome: Outcome) -> Outcome {
        if outcome == Outcome::Done {
            self.acknowledged = next;
            self.in_flight = None;
        } else {
            self.in_flight = Some(next);
        }
        outcome
    }

    /// Records that a write in flight may have changed the part to its state in `next`.
    pub fn may_become(&mut self, next: &Self) {
        self.in_flight = Some(next.acknowledged.clone());
    }

    /// Compares with what was `found`, which decides whether the write in flight succeeded; `shows` returns what should
    /// be found for a state.
    pub fn settle<F: Debug + PartialEq>(&mut self, found: &F, shows: impl Fn(&T) -> F) {
        let in_flight = self.in_flight.take();
        if *found == shows(&self.acknowledged) {
            return;
        }
        let with_in_flight = in_flight.as_ref().map(&shows);
        assert_eq!(
            Some(found),
            with_in_flight.as_ref(),
            "neither with the last write nor without it, which would be {:?}",
            shows(&self.acknowledged)
        );
        self.acknowledged = in_flight.expect("it was found");
    }

    /// Compares while the server lives: a write that failed may still be found by the next comparison.
    pub fn check<F: Debug + PartialEq>(&mut self, found: &F, shows: impl Fn(&T) -> F) {
        if *found != shows(&self.acknowledged) {
            self.settle(found, shows);
        }
    }
}
