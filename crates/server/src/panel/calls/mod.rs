//! The panel's own calls, one file per subject, with rows, inputs and handlers.

mod audit;
mod drafts;
mod entry;
mod keys;
mod members;
mod own;
mod pages;
mod previews;
mod stores;

use super::addresses::PanelUrl;
use crate::catalogue::OperationRow;
use operations::people::MadeLink;
use serde_json::{Value, json};

/// Returns the rows of all own calls.
pub fn rows() -> impl Iterator<Item = &'static OperationRow> {
    let tables = [
        entry::ROWS,
        own::ROWS,
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

/// Returns a new link as its maker gets it, once.
fn link(url: &PanelUrl, made: &MadeLink) -> Value {
    json!({"id": made.id, "link": url.link(&made.token), "expiresAt": made.expires_at})
}
