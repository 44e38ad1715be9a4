//! A tool with its operation.

use super::call::ToolCall;
use super::gate::ToolCaller;
use super::tool::{ListedRecords, ToolRow};
use super::tools::TABLES;
use crate::catalogue::OperationRow;
use crate::http::ApiResult;
use crate::{App, api};
use rmcp::model::JsonObject;

/// A tool with its operation.
#[derive(Clone, Copy)]
pub struct Definition {
    /// Row of the operation.
    pub row: &'static OperationRow,
    /// Row of the tool.
    pub tool: &'static ToolRow,
}

impl Definition {
    /// Returns all tools, in the order of their tables.
    pub fn all() -> impl Iterator<Item = Self> {
        TABLES.iter().copied().flatten().map(Self::of)
    }

    /// Returns the tool `name`.
    pub fn named(name: &str) -> Option<Self> {
        let mut tools = TABLES.iter().copied().flatten();
        tools.find(|tool| tool.id == name).map(Self::of)
    }

    fn of(tool: &'static ToolRow) -> Self {
        let row = api::row(tool.id).expect("every tool has an operation; a test compares them");
        Self { row, tool }
    }

    /// Whether the tool takes a store.
    pub fn of_store(&self) -> bool {
        self.row.path.starts_with("/stores/{")
    }

    /// Returns the argument with the id of a record, if the tool takes one, and the records.
    pub fn record(&self) -> Option<(&'static str, ListedRecords)> {
        Some((self.parameter()?, self.tool.records?))
    }

    /// Returns the parameter of the path after that of the store.
    fn parameter(&self) -> Option<&'static str> {
        let parts = self.row.path.split('/');
        let mut parameters = parts.filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
        parameters.nth(1)
    }

    /// Runs a call. Errors are checked in the order 429, 403, 404, 400.
    pub async fn run(self, app: &App, caller: &ToolCaller, arguments: JsonObject) -> ApiResult {
        let call = ToolCall::admitted(app, caller, self.tool.writes(), arguments)?;
        (self.tool.run)(call).await
    }
}

#[cfg(test)]
mod tests {
    //! 1. Every tool has an operation, which no other tool has, and writes if the operation writes.
    //! 2. A tool names its records if the path of its operation has a record, and another tool lists them.

    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_tool_has_its_operation() {
        let ids: BTreeSet<&str> = Definition::all().map(|one| one.row.id).collect();
        assert_eq!(Definition::all().count(), ids.len(), "an id is used twice");
        for Definition { row, tool } in Definition::all() {
            assert_eq!(row.operation().writes, tool.writes(), "{}", row.id);
        }
    }

    #[test]
    fn tools_of_a_record_name_its_kind() {
        for one in Definition::all() {
            let is_of_one = one.tool.records.is_some();
            assert_eq!(one.parameter().is_some(), is_of_one, "{}", one.row.id);
            if let Some(records) = one.tool.records {
                assert!(Definition::named(records.list).is_some(), "{}", one.row.id);
            }
        }
    }
}
