//! A tool with its operation.

use super::address::Address;
use super::call::ToolCall;
use super::gate::ToolCaller;
use super::tool::{ListedRecords, ToolRow};
use super::tools::{FURTHER, TABLES};
use crate::catalogue::OperationRow;
use crate::http::{ApiResult, attempts};
use crate::{App, api};
use domain::WriteAttempt;
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
    /// Returns all tools: those that every address lists, then the others.
    pub fn all() -> impl Iterator<Item = Self> {
        let tables = TABLES.iter().chain(FURTHER);
        tables.copied().flatten().map(Self::of)
    }

    /// Returns the tools of an address, in the order of the list.
    pub fn at(address: Address) -> impl Iterator<Item = Self> {
        let further = if address.all_tools { FURTHER } else { &[] };
        let tables = TABLES.iter().chain(further);
        tables.copied().flatten().map(Self::of)
    }

    /// Returns the tool `name` of an address.
    pub fn named(name: &str, address: Address) -> Option<Self> {
        Self::at(address).find(|one| one.tool.id == name)
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
        let mut arguments = arguments;
        let attempt = match self.tool.writes() {
            true => {
                let moves_results = attempts::can_move_results(self.row);
                let of_proposal = self.parameter() == Some("proposalId");
                attempts::of_arguments(&mut arguments, (moves_results, of_proposal))
            }
            false => WriteAttempt::default(),
        };
        let admission = (self.tool.writes(), attempt.clone());
        let call = ToolCall::admitted(app, caller, admission, arguments)?;
        let success = (self.tool.run)(call).await?;
        Ok(match attempt.take_report() {
            Some(report) => success.with_report(report),
            None => success,
        })
    }
}

#[cfg(test)]
mod tests {
    //! 1. Every tool has an operation, which no other tool has, and writes if the operation writes.
    //! 2. A tool names its records if the path of its operation has a record, and another tool lists them.

    use super::*;
    use std::collections::BTreeSet;

    const ALL: Address = Address {
        all_tools: true,
        text_only: false,
    };

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
                assert!(
                    Definition::named(records.list, ALL).is_some(),
                    "{}",
                    one.row.id
                );
            }
        }
    }
}
