//! The router of all endpoints.

use crate::http::Failure;
use crate::http::access_log::{Outermost, conclude, panicked};
use crate::http::failure::method_not_allowed;
use crate::http::leftover::discard;
use crate::http::request_id::RequestIds;
use crate::{App, api, description, downloads, feed, panel, probes, public, rest, widget};
use axum::Router;
use axum::middleware::{from_fn, from_fn_with_state};
use std::sync::Arc;
use tower_http::catch_panic::CatchPanicLayer;

/// Returns the routes of every server: the API, its description and the probes.
pub fn paths() -> Router<App> {
    let api = rest::paths()
        .merge(feed::paths())
        .merge(public::paths())
        .merge(widget::paths())
        .merge(downloads::paths())
        .merge(description::paths());
    Router::new()
        .nest("/api/v1", api)
        .merge(probes::paths())
        .merge(description::page_paths())
}

/// Wraps `paths` in the layers for unknown paths and methods, panics, request ids, the headers of the control panel and
/// the access log. `local` is whether the server listens on this machine only.
pub fn serve(paths: Router<App>, app: App, ids: Arc<RequestIds>, local: bool) -> Router {
    let outermost = Outermost {
        ids,
        requests: Arc::clone(&app.requests),
    };
    paths
        .fallback(async || Failure::no_such_path())
        .method_not_allowed_fallback(method_not_allowed)
        .layer(CatchPanicLayer::custom(panicked))
        .layer(from_fn(discard))
        .layer(from_fn_with_state(outermost, conclude))
        .layer(from_fn_with_state(local, panel::headers::add))
        .with_state(app)
}

/// Returns method, path and id of every operation, once for each method and path that it is called with.
pub fn operations() -> impl Iterator<Item = (&'static str, String, &'static str)> {
    let api = api::all().flat_map(|row| {
        let get = row.has_get_variant().then_some("GET");
        let methods = get.into_iter().chain([row.method]);
        methods.flat_map(move |method| {
            let paths = row.paths().into_iter();
            paths.map(move |(path, _)| (method, format!("/api/v1{path}"), row.id))
        })
    });
    let panel = panel::routes();
    api.chain(panel.map(|(method, path, id)| (method, format!("/panel/api{path}"), id)))
}
