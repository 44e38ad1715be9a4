//! The configuration API: one file per resource, with rows, inputs and handlers.

mod analytics;
pub mod configuration;
pub mod drafts;
mod filters;
mod me;
mod previews;
mod products;
pub mod proposals;
mod records;
mod relevance;
mod revisions;
mod rules;
mod stores;
mod synonyms;
pub mod watched;
mod widget;

use crate::App;
use crate::catalogue::{self, OperationRow};
use axum::Router;

/// Rows of the configuration API.
pub const TABLES: &[&[OperationRow]] = &[
    me::ROWS,
    stores::ROWS,
    relevance::ROWS,
    synonyms::ROWS,
    rules::ROWS,
    filters::ROWS,
    widget::ROWS,
    analytics::ROWS,
    revisions::ROWS,
    drafts::ROWS,
    previews::ROWS,
    proposals::ROWS,
    watched::ROWS,
    products::ROWS,
    configuration::ROWS,
];

/// Returns the routes of the configuration API, below `/api/v1`.
pub fn paths() -> Router<App> {
    catalogue::router(TABLES)
}
