//! The configuration interface: one file per resource.

mod filters;
mod me;
mod relevance;
mod revisions;
mod rules;
mod stores;
mod synonyms;
mod widget;

use crate::App;
use axum::Router;
use axum::routing::{get, post};

/// The paths of the configuration interface, below `/api/v1`.
pub fn paths() -> Router<App> {
    Router::new()
        .route("/me", get(me::get))
        .route("/stores", get(stores::list))
        .route(
            "/stores/{id}",
            get(stores::get).put(stores::update).delete(stores::delete),
        )
        .route(
            "/stores/{id}/relevance",
            get(relevance::get).put(relevance::update),
        )
        .route("/stores/{id}/relevance/test", post(relevance::test))
        .route(
            "/stores/{id}/synonyms",
            get(synonyms::list).post(synonyms::create),
        )
        .route("/stores/{id}/synonyms/import", post(synonyms::import))
        .route(
            "/stores/{id}/synonyms/{synId}",
            get(synonyms::get)
                .put(synonyms::update)
                .delete(synonyms::delete),
        )
        .route("/stores/{id}/rules", get(rules::list).post(rules::create))
        .route(
            "/stores/{id}/rules/{ruleId}",
            get(rules::get).put(rules::update).delete(rules::delete),
        )
        .route(
            "/stores/{id}/filters",
            get(filters::list).post(filters::create),
        )
        .route("/stores/{id}/filters/sync", post(filters::sync))
        .route("/stores/{id}/filters/values", get(filters::values))
        .route(
            "/stores/{id}/filters/{filterId}",
            get(filters::get)
                .put(filters::update)
                .delete(filters::delete),
        )
        .route("/stores/{id}/widget", get(widget::get).put(widget::update))
        .route("/stores/{id}/revisions", get(revisions::list))
        .route("/stores/{id}/revisions/{n}", get(revisions::get))
}
