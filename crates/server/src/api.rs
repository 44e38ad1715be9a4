//! The operations of the API: the rows of its faces together.

use crate::catalogue::OperationRow;
use crate::{feed, public, rest};

/// Returns all rows, in the order of the description.
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

#[cfg(test)]
mod tests {
    //! 1. Every operation of the API has a row here, and every row has an operation.
    //! 2. No two rows have the same id or the same route.
    //! 3. Every input schema compiles.

    use super::*;
    use crate::catalogue;
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
    fn every_schema_compiles() {
        // Panics at one that does not.
        catalogue::compile_inputs(all());
    }
}
