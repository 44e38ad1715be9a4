//! The panel's own calls, one file per subject, with rows, inputs and handlers.

mod audit;
mod entry;
mod first_steps;
mod head;
mod imports;
mod keys;
mod made_link;
mod members;
mod pages;
mod profile;
mod proposals;
mod releases;
mod sources;
mod stores;

use crate::catalogue::OperationRow;

/// Returns the rows of all own calls.
pub fn rows() -> impl Iterator<Item = &'static OperationRow> {
    let tables = [
        entry::ROWS,
        profile::ROWS,
        releases::ROWS,
        members::ROWS,
        keys::ROWS,
        stores::ROWS,
        sources::ROWS,
        audit::ROWS,
        pages::ROWS,
        head::ROWS,
        first_steps::ROWS,
        imports::ROWS,
        proposals::ROWS,
    ];
    tables.into_iter().flatten()
}
