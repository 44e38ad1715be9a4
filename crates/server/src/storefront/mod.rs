//! The storefront of `findwell demo`: its page, its pictures and the calls of its script. `serve` has none of it.
//!
//! The page holds no key: the server searches with the demo's own search-only key, and tests and saves relevance
//! as the operator. Therefore it answers its own page only.

mod calls;
mod page;
mod same_origin;

use crate::App;
use crate::http::Failure;
use crate::http::suggestions::is_nearby;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::middleware::Next;
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
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
pub fn paths(demo: DemoStore, app: App) -> Router<App> {
    let operators_only = from_fn_with_state(app, operators_only);
    let panel = Router::new()
        .route("/demo/test", post(calls::test))
        .route(
            "/demo/relevance",
            get(calls::relevance).put(calls::save_relevance),
        )
        .route_layer(operators_only);
    let own_page_only = from_fn_with_state(demo.address, same_origin::check);
    Router::new()
        .route("/", get(page::index))
        .route("/demo/assets/{name}", get(page::asset))
        .route("/demo/pictures/{name}", get(page::picture))
        .route("/demo/search", post(calls::search))
        .merge(panel)
        .route_layer(own_page_only)
        .layer(Extension(demo))
}

/// Refuses the calls of the panel, which are the operator's and need no key, unless they are made on this machine.
async fn operators_only(State(app): State<App>, request: Request, next: Next) -> Response {
    if is_nearby(&request, &app.proxies) {
        return next.run(request).await;
    }
    let message = "the demo's panel is for browsers on this machine";
    Failure::new(StatusCode::FORBIDDEN, "reserved", message).into_response()
}
