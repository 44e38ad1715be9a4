//! The connector's face: the feed operations of one store, with their rows of the catalogue.
//!
//! An unknown path answers 404 here as everywhere, which tells a connector that the operation is not supported.

mod blocks;
mod runs;
mod setup;

use crate::App;
use crate::catalogue::{self, OperationRow};
use axum::Router;

/// The rows of the feed.
pub const TABLES: &[&[OperationRow]] = &[setup::ROWS, blocks::ROWS, runs::ROWS];

/// The paths of the feed, below `/api/v1`.
pub fn paths() -> Router<App> {
    catalogue::router(TABLES)
}
