//! What a tool says about itself, beside what the catalogue and the types say.

use operations::catalogue::{Operation, operation};

/// A tool: an operation of the same name, in words for models.
#[derive(Clone, Copy, Debug)]
pub struct Definition {
    /// Name of the tool and of the operation.
    pub id: &'static str,
    /// Title, for people.
    pub title: &'static str,
    /// When to use it, and what happens.
    pub description: &'static str,
    /// The id that it takes beside the store's, if any.
    pub record: Option<(&'static str, &'static str)>,
    /// What changes anything, and how.
    pub effect: Effect,
    /// How to get what did not fit into an answer.
    pub more: More,
}

/// The arguments by which an answer that does not fit is got in parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum More {
    /// None: over REST, where answers are never cut.
    Rest,
    /// `page` and `limit`, of the list that `data` is.
    Pages,
    /// `from`, of the hits of a simulation.
    From,
    /// What this sentence says.
    Words(&'static str),
}

/// What calling a tool does to the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Nothing.
    Reads,
    /// It adds; once more adds again.
    Adds,
    /// It adds what is not there yet; once more adds nothing.
    AddsOnce,
    /// It overwrites or removes; once more changes nothing further.
    Overwrites,
}

impl Definition {
    /// The operation.
    pub fn operation(&self) -> &'static Operation {
        operation(self.id).expect("every tool is an operation, and a test looks each up")
    }

    /// Whether it changes anything.
    pub fn writes(&self) -> bool {
        self.effect != Effect::Reads
    }

    /// Whether it is about a store.
    pub fn of_store(&self) -> bool {
        let path = self.operation().rest.map_or("", |(_, path)| path);
        path.starts_with("/stores/{")
    }
}
