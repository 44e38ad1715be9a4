//! The tool part of an operation's row.

use super::call::ToolCall;
use crate::api;
use crate::catalogue::OperationRow;
use crate::http::ApiResult;
use std::pin::Pin;

/// The tool of an operation. Name, input and output follow from the row.
#[derive(Clone, Copy)]
pub struct ToolRow {
    /// Title for humans.
    pub title: &'static str,
    /// What the tool does and when to use it, for models.
    pub description: &'static str,
    /// Effect on the store.
    pub effect: Effect,
    /// How to get the rest of a truncated response.
    pub more: More,
    /// Handler of calls: `|call| Box::pin(function(call))`.
    pub run: ToolHandler,
}

/// Handler of a tool.
pub type ToolHandler = fn(ToolCall) -> Pin<Box<dyn Future<Output = ApiResult> + Send>>;

/// A tool with its operation.
#[derive(Clone, Copy)]
pub struct Definition {
    /// Row of the operation.
    pub row: &'static OperationRow,
    /// Tool of the row.
    pub tool: &'static ToolRow,
}

/// How a client gets the rest of a truncated response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum More {
    /// Over REST, where responses are not truncated.
    Rest,
    /// With `page` and `limit`; `data` is a list.
    Pages,
    /// With `from`; `data` has the hits of a simulation.
    From,
    /// As this sentence says.
    Words(&'static str),
}

/// Effect of a tool on the store, for the annotations of the protocol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// None.
    Reads,
    /// Adds; not idempotent.
    Adds,
    /// Adds what does not exist yet; idempotent.
    AddsOnce,
    /// Overwrites or deletes; idempotent.
    Overwrites,
}

/// Returns a tool with [`More::Rest`].
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
    /// Replaces how to get the rest of a truncated response.
    pub const fn with_more(self, more: More) -> Self {
        Self { more, ..self }
    }

    /// Whether the tool writes.
    pub fn writes(&self) -> bool {
        self.effect != Effect::Reads
    }
}

impl Definition {
    /// Returns all tools, in the order of the rows.
    pub fn all() -> impl Iterator<Item = Self> {
        api::all().filter_map(|row| row.tool.as_ref().map(|tool| Self { row, tool }))
    }

    /// Returns the tool `name`.
    pub fn named(name: &str) -> Option<Self> {
        Self::all().find(|definition| definition.row.id == name)
    }

    /// Whether the tool takes a store.
    pub fn of_store(&self) -> bool {
        self.row.path.starts_with("/stores/{")
    }

    /// Returns name and description of the argument with the id of a record, if the path has one.
    pub fn record(&self) -> Option<(&'static str, &'static str)> {
        let is_in_path = |(name, _): &&(&str, &str)| self.row.path.contains(&format!("{{{name}}}"));
        RECORDS.iter().find(is_in_path).copied()
    }
}

/// Arguments with ids of records.
const RECORDS: [(&str, &str); 2] = [
    ("synId", "Id of the group, from list_synonyms."),
    ("ruleId", "Id of the rule, from list_rules."),
];
