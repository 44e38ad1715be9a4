//! The row of a tool: what models read about it, and its handler.

use super::call::ToolCall;
use crate::http::ApiResult;
use crate::validation::Checker;
use std::pin::Pin;

/// A tool. Its input and output follow from the row of its operation.
#[derive(Clone, Copy)]
pub struct ToolRow {
    /// Id of the operation, and name of the tool.
    pub id: &'static str,
    /// Title for humans.
    pub title: &'static str,
    /// What the tool does and when to use it, for models.
    pub description: &'static str,
    /// Effect on the store.
    pub effect: Effect,
    /// The records of which the arguments name one.
    pub records: Option<ListedRecords>,
    /// How to get the rest of a truncated response.
    pub more: More,
    /// The checker of arguments that only the tool has, beside those of [`More`].
    pub arguments: Option<fn() -> &'static Checker>,
    /// Handler of calls: `|call| Box::pin(function(call))`.
    pub run: ToolHandler,
}

/// Handler of a tool.
pub type ToolHandler = fn(ToolCall) -> Pin<Box<dyn Future<Output = ApiResult> + Send>>;

/// Records whose ids are arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ListedRecords {
    /// The tool that lists them.
    pub list: &'static str,
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

/// Returns a tool of a whole store, with [`More::Rest`].
pub const fn tool(
    id: &'static str,
    title: &'static str,
    effect: Effect,
    description: &'static str,
    run: ToolHandler,
) -> ToolRow {
    ToolRow {
        id,
        title,
        description,
        effect,
        records: None,
        more: More::Rest,
        arguments: None,
        run,
    }
}

impl ToolRow {
    /// Says that the arguments name one of these records.
    pub const fn of_one(self, records: ListedRecords) -> Self {
        Self {
            records: Some(records),
            ..self
        }
    }

    /// Replaces how to get the rest of a truncated response.
    pub const fn with_more(self, more: More) -> Self {
        Self { more, ..self }
    }

    /// Adds arguments that only the tool has.
    pub const fn with_arguments(self, checker: fn() -> &'static Checker) -> Self {
        Self {
            arguments: Some(checker),
            ..self
        }
    }

    /// Whether the tool writes.
    pub fn writes(&self) -> bool {
        self.effect != Effect::Reads
    }
}
