//! The feed API, which connectors call: rows, inputs and handlers.
//!
//! An unknown path is 404, which tells a connector that the operation is not supported.

mod blocks;
mod runs;
mod setup;

use crate::App;
use crate::catalogue::{self, OperationRow};
use axum::Router;

/// Rows of the feed API.
pub const TABLES: &[&[OperationRow]] = &[setup::ROWS, blocks::ROWS, runs::ROWS];

/// Returns the routes of the feed API, below `/api/v1`.
pub fn paths() -> Router<App> {
    catalogue::router(TABLES)
}
