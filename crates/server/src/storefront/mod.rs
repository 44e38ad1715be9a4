//! The storefront of `findwell demo`, not part of `findwell serve`: its page, pictures and the endpoints of its script.
//!
//! The page contains no key: the server searches with the demo's search-only key, and explains rankings as the operator.
//! Therefore it serves requests of its own page only. Relevance is tuned in the control panel, to which the page links.

mod calls;
mod page;
mod same_origin;

use crate::App;
use crate::http::Failure;
use crate::http::forwarding::is_local;
use crate::message;
use crate::panel::PanelUrl;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::middleware::Next;
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Extension, Router};
use domain::{Language, StoreId, error_codes};
use std::net::SocketAddr;
use std::sync::Arc;

/// The store of the demo.
#[derive(Clone)]
pub struct DemoStore {
    /// The store.
    pub store: StoreId,
    /// Its search-only key.
    pub search_key: Arc<str>,
    /// The address of the server.
    pub address: SocketAddr,
    /// Address of the control panel, if there is one.
    pub panel: Option<PanelUrl>,
    /// Language of the products of a file; `None` if they are the invented ones.
    pub language_of_file: Option<Language>,
}

/// Returns the routes of the storefront.
pub fn paths(demo: DemoStore, app: App) -> Router<App> {
    let operators_only = from_fn_with_state(app, operators_only);
    let of_operators = Router::new()
        .route("/demo/ranking", post(calls::ranking))
        .route("/demo/enter", get(calls::enter))
        .route_layer(operators_only);
    let own_page_only = from_fn_with_state(demo.address, same_origin::check);
    Router::new()
        .route("/", get(page::index))
        .route("/demo/shop", get(page::shop))
        .route("/demo/assets/{name}", get(page::asset))
        .route("/demo/pictures/{name}", get(page::picture))
        .route("/demo/search", post(calls::search))
        .merge(of_operators)
        .route_layer(own_page_only)
        .layer(Extension(demo))
}

/// Rejects other machines: explanations are read as the operator and need no key, and whoever enters becomes the owner.
async fn operators_only(State(app): State<App>, request: Request, next: Next) -> Response {
    if is_local(&request, &app.proxies) {
        return next.run(request).await;
    }
    let message = message::sender::demo_on_this_machine();
    Failure::new(StatusCode::FORBIDDEN, error_codes::RESERVED, message).into_response()
}
