//! The panel's own calls, one file per subject, with rows, inputs and handlers.

mod audit;
mod drafts;
mod entry;
mod keys;
mod made_link;
mod members;
mod pages;
mod previews;
mod profile;
mod stores;

use crate::catalogue::OperationRow;

/// Returns the rows of all own calls.
pub fn rows() -> impl Iterator<Item = &'static OperationRow> {
    let tables = [
        entry::ROWS,
        profile::ROWS,
        members::ROWS,
        keys::ROWS,
        stores::ROWS,
        audit::ROWS,
        pages::ROWS,
        drafts::ROWS,
        previews::ROWS,
    ];
    tables.into_iter().flatten()
}
