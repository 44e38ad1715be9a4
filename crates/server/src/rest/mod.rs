//! The configuration interface: one file per resource, with its rows of the catalogue and their handlers.

mod filters;
mod me;
mod relevance;
mod revisions;
mod rules;
mod stores;
mod synonyms;
mod widget;

use crate::App;
use crate::catalogue::{self, OperationRow};
use axum::Router;

/// The rows of the configuration interface.
pub const TABLES: &[&[OperationRow]] = &[
    me::ROWS,
    stores::ROWS,
    relevance::ROWS,
    synonyms::ROWS,
    rules::ROWS,
    filters::ROWS,
    widget::ROWS,
    revisions::ROWS,
];

/// The paths of the configuration interface, below `/api/v1`.
pub fn paths() -> Router<App> {
    catalogue::router(TABLES)
}
