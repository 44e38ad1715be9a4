//! What a part of a store must be after a failure: what was acknowledged, with the write on its way or without it.

use crate::harness::{Outcome as Ended, Reply, eventually};
use std::fmt::Debug;

/// What became of a write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It was acknowledged.
    Done,
    /// It was answered by a failure of the server.
    Failed,
    /// No answer came.
    Unknown,
}

/// Does a write that must succeed. It is refused only while the index lags behind, on a machine with other work.
pub fn done(mut write: impl FnMut() -> Outcome) {
    eventually("a write is acknowledged", || write() == Outcome::Done);
}

/// What `reply` says of the write that it answers.
///
/// Panics when it is a refusal, because the writes of these tests are valid, or a failure without its envelope.
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

/// What the end of a command says of the write that it was to do.
pub fn ended(command: &Ended) -> Outcome {
    assert!(matches!(command.status, 0 | 1), "{command:?}");
    if command.status == 0 {
        return Outcome::Done;
    }
    assert!(!command.stderr.is_empty(), "a failure without a message");
    Outcome::Failed
}

/// One part of a store that only one writer writes.
#[derive(Clone, Debug)]
pub struct Expected<T> {
    is: T,
    may_be: Option<T>,
}

impl<T: Clone + Debug> Expected<T> {
    /// A part that is known.
    pub fn known(is: T) -> Self {
        Self { is, may_be: None }
    }

    /// What was acknowledged.
    pub fn acknowledged(&self) -> &T {
        &self.is
    }

    /// Takes note of a write that makes the part `next`, and of its outcome.
    pub fn note(&mut self, next: T, outcome: Outcome) -> Outcome {
        if outcome == Outcome::Done {
            self.is = next;
            self.may_be = None;
        } else {
            self.may_be = Some(next);
        }
        outcome
    }

    /// Takes note that a write may be on its way that makes the part what it is in `next`.
    pub fn perhaps(&mut self, next: &Self) {
        self.may_be = Some(next.is.clone());
    }

    /// Compares with what was `found`, which decides whether the write on its way happened; `shows` tells what is to
    /// be found of a state.
    pub fn settle<F: Debug + PartialEq>(&mut self, found: &F, shows: impl Fn(&T) -> F) {
        let may_be = self.may_be.take();
        if *found == shows(&self.is) {
            return;
        }
        let perhaps = may_be.as_ref().map(&shows);
        assert_eq!(
            Some(found),
            perhaps.as_ref(),
            "neither with the last write nor without it, which would be {:?}",
            shows(&self.is)
        );
        self.is = may_be.expect("it was found");
    }

    /// The same for a server that lives on: a write that failed may still be found by the next one.
    pub fn look<F: Debug + PartialEq>(&mut self, found: &F, shows: impl Fn(&T) -> F) {
        if *found != shows(&self.is) {
            self.settle(found, shows);
        }
    }
}
