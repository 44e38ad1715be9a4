//! The operations of the API, one row each: router, input schemas, OpenAPI description, tools and metric labels are
//! derived from these rows.
//!
//! The row of the same id in [`operations::catalogue`] has access and summary.

use crate::catalogue::OperationRow;
use crate::{feed, public, rest};

/// Returns all rows, in the order of the description and of the list of tools.
pub fn all() -> impl Iterator<Item = &'static OperationRow> {
    let faces = [rest::TABLES, public::TABLES, feed::TABLES];
    faces.into_iter().flatten().copied().flatten()
}

/// Returns the row of the operation `id`.
pub fn row(id: &str) -> Option<&'static OperationRow> {
    all().find(|row| row.id == id)
}

/// Returns method and path below `/api/v1` of the operation `id`, or `None` for a command-line operation.
pub fn route(id: &str) -> Option<(&'static str, &'static str)> {
    row(id).map(|row| (row.method, row.path))
}

/// Compiles all input schemas, so that no request waits for it.
pub fn compile_inputs() {
    for row in all() {
        if let Some(body) = &row.body {
            body.schema();
        }
        if let Some(query) = &row.query {
            query.schema();
        }
    }
}

#[cfg(test)]
mod tests {
    //! 1. Every operation of the API has a row here, and every row has an operation.
    //! 2. No two rows have the same id or the same route.
    //! 3. A tool writes if its operation writes.
    //! 4. Every input schema compiles.

    use super::*;
    use operations::catalogue::{RequiredAccess, all_operations};
    use std::collections::BTreeSet;

    #[test]
    fn every_operation_has_its_row() {
        let operations = all_operations().filter(|operation| {
            !matches!(
                operation.access,
                RequiredAccess::Operator | RequiredAccess::Panel
            )
        });
        let operations: BTreeSet<&str> = operations.map(|operation| operation.id).collect();
        let rows: BTreeSet<&str> = all().map(|row| row.id).collect();
        assert_eq!(rows, operations);
        assert_eq!(all().count(), rows.len(), "an id is used twice");
    }

    #[test]
    fn every_row_has_its_own_route() {
        let routes: BTreeSet<_> = all().map(|row| (row.method, row.path)).collect();
        assert_eq!(all().count(), routes.len());
    }

    #[test]
    fn tools_write_when_their_operations_write() {
        for row in all() {
            if let Some(tool) = &row.tool {
                assert_eq!(row.operation().writes, tool.writes(), "{}", row.id);
            }
        }
    }

    #[test]
    fn every_schema_compiles() {
        compile_inputs();
    }
}
