//! The operations as the interface shows them, one row each: routes, checks of input, the OpenAPI description, the tools
//! and the names in the metrics are derived from these rows.
//!
//! Who may run an operation is in the row of the same id in [`operations::catalogue`].

mod examples;
mod row;

pub(crate) use examples::example;
pub use row::{BodyRow, OperationRow, QueryRow, Route};

use crate::{App, feed, public, rest};
use axum::Router;

/// The rows of all faces, in the order of the description and of the list of tools.
pub fn all() -> impl Iterator<Item = &'static OperationRow> {
    let faces = [rest::TABLES, public::TABLES, feed::TABLES];
    faces.into_iter().flatten().copied().flatten()
}

/// The row of the operation `id`.
pub fn row(id: &str) -> Option<&'static OperationRow> {
    all().find(|row| row.id == id)
}

/// Method and path below `/api/v1` of the operation `id`; none for operations of the command line.
pub fn route(id: &str) -> Option<(&'static str, &'static str)> {
    row(id).map(|row| (row.method, row.path))
}

/// A router with the routes of `tables`.
pub fn router(tables: &[&'static [OperationRow]]) -> Router<App> {
    let rows = tables.iter().copied().flatten();
    rows.fold(Router::new(), |router, row| {
        let routes = row.routes().into_iter();
        routes.fold(router, |router, (path, methods)| {
            router.route(&path, methods)
        })
    })
}

/// Compiles the schema of every input, so that no request has to wait for it.
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
    //! 1. Every operation of a key has its row here, and every row its operation: the two tables agree.
    //! 2. No two rows have the same id or the same route.
    //! 3. An operation whose tool changes something is one that writes.
    //! 4. Every schema of an input compiles.

    use super::*;
    use operations::catalogue::{OPERATIONS, RequiredAccess};
    use std::collections::BTreeSet;

    #[test]
    fn every_operation_has_its_row() {
        let operations = OPERATIONS
            .iter()
            .filter(|operation| operation.access != RequiredAccess::Operator);
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
