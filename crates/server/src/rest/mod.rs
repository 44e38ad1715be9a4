//! The configuration interface: one file per resource.

mod me;
mod relevance;
mod stores;

use crate::App;
use axum::Router;
use axum::routing::{get, post};

/// The paths of the configuration interface, below `/api/v1`.
pub fn paths() -> Router<App> {
    Router::new()
        .route("/me", get(me::get))
        .route("/stores", get(stores::list))
        .route("/stores/{id}", get(stores::get).put(stores::update))
        .route(
            "/stores/{id}/relevance",
            get(relevance::get).put(relevance::update),
        )
        .route("/stores/{id}/relevance/test", post(relevance::test))
}
