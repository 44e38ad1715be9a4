//! The storefront of `findwell demo`: its page, its pictures and the calls of its script. `serve` has none of it.
//!
//! The page holds no key: the server searches with the demo's own search-only key, and tests and saves relevance
//! as the operator. Therefore it answers its own page only.

mod calls;
mod page;
mod same_origin;

use crate::App;
use axum::middleware::from_fn_with_state;
use axum::routing::{get, post};
use axum::{Extension, Router};
use domain::StoreId;
use std::net::SocketAddr;
use std::sync::Arc;

/// The demo's store as its storefront sees it.
#[derive(Clone)]
pub struct DemoStore {
    /// The store.
    pub store: StoreId,
    /// Its search-only key.
    pub search_key: Arc<str>,
    /// Where the server listens.
    pub address: SocketAddr,
}

/// The paths of the storefront.
pub fn paths(demo: DemoStore) -> Router<App> {
    let own_page_only = from_fn_with_state(demo.address, same_origin::check);
    Router::new()
        .route("/", get(page::index))
        .route("/demo/assets/{name}", get(page::asset))
        .route("/demo/pictures/{name}", get(page::picture))
        .route("/demo/search", post(calls::search))
        .route("/demo/test", post(calls::test))
        .route(
            "/demo/relevance",
            get(calls::relevance).put(calls::save_relevance),
        )
        .route_layer(own_page_only)
        .layer(Extension(demo))
}
