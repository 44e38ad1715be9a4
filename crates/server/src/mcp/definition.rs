//! What a tool says about itself, beside what the catalogue and the types say.

use super::call::ToolCall;
use crate::catalogue::{self, OperationRow};
use crate::http::ApiResult;
use std::pin::Pin;

/// What an operation's row says about its tool.
#[derive(Clone, Copy)]
pub struct ToolRow {
    /// Title, for people.
    pub title: &'static str,
    /// When to use it, and what happens.
    pub description: &'static str,
    /// What changes anything, and how.
    pub effect: Effect,
    /// How to get what did not fit into an answer.
    pub more: More,
    /// Runs a call.
    pub run: ToolHandler,
}

/// Runs the call of a tool.
pub type ToolHandler = fn(ToolCall) -> Pin<Box<dyn Future<Output = ApiResult> + Send>>;

/// A tool: an operation whose row says that it is one.
#[derive(Clone, Copy)]
pub struct Definition {
    /// The operation.
    pub row: &'static OperationRow,
    /// The tool.
    pub tool: &'static ToolRow,
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

/// A tool whose answers that do not fit are got over REST.
pub const fn tool(
    title: &'static str,
    effect: Effect,
    description: &'static str,
    run: ToolHandler,
) -> ToolRow {
    ToolRow {
        title,
        description,
        effect,
        more: More::Rest,
        run,
    }
}

impl ToolRow {
    /// The same, with another way to get what did not fit.
    pub const fn with_more(self, more: More) -> Self {
        Self { more, ..self }
    }

    /// Whether it changes anything.
    pub fn writes(&self) -> bool {
        self.effect != Effect::Reads
    }
}

impl Definition {
    /// All of them, in the order in which they are worked with.
    pub fn all() -> impl Iterator<Item = Self> {
        catalogue::all().filter_map(|row| row.tool.as_ref().map(|tool| Self { row, tool }))
    }

    /// The definition of the tool `name`.
    pub fn named(name: &str) -> Option<Self> {
        Self::all().find(|definition| definition.row.id == name)
    }

    /// Whether it is about a store.
    pub fn of_store(&self) -> bool {
        self.row.path.starts_with("/stores/{")
    }

    /// Name and meaning of the id that it takes beside the store's, if any.
    pub fn record(&self) -> Option<(&'static str, &'static str)> {
        let is_in_path = |(name, _): &&(&str, &str)| self.row.path.contains(&format!("{{{name}}}"));
        RECORDS.iter().find(is_in_path).copied()
    }
}

/// Ids of records that tools take.
const RECORDS: [(&str, &str); 2] = [
    ("synId", "Id of the group, from list_synonyms."),
    ("ruleId", "Id of the rule, from list_rules."),
];
