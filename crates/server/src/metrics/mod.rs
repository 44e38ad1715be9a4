//! `GET /metrics`: what a watcher reads, in the text format of Prometheus.
//!
//! Labels are taken from fixed sets, never from requests: no store, key or question can get into them.

mod access;
mod exposition;
mod requests;

pub use requests::Requests;

use exposition::Edge;

use crate::App;
use crate::http::Failure;
use axum::Router;
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use axum::routing::get;

/// The path for readers on this machine, on the address that serves everything else.
///
/// `hosts` are those by which the server may be reached here.
pub fn local_path(app: App, hosts: Vec<String>) -> Router<App> {
    let readers = access::LocalReaders {
        app,
        hosts: hosts.into(),
    };
    let local_only = from_fn_with_state(readers, access::local_only);
    Router::new().route("/metrics", get(scrape).route_layer(local_only))
}

/// The path on an address of its own, which says by itself who can read it.
pub fn path() -> Router<App> {
    Router::new().route("/metrics", get(scrape))
}

async fn scrape(State(app): State<App>) -> Result<Response, Failure> {
    let figures = app.service.figures().await?;
    let edge = Edge {
        connections: app.connections.count() as u64,
        refused_connections: app.connections.refused(),
        body_bytes: app.memory.bytes(),
        refused_bodies: app.memory.refused(),
    };
    let text = exposition::text(&app.requests, &figures, edge)
        .map_err(|error| Failure::internal(format!("the metrics have no text form: {error}")))?;
    let headers = [
        (CONTENT_TYPE, prometheus::TEXT_FORMAT),
        (CACHE_CONTROL, "no-store"),
    ];
    Ok((headers, text).into_response())
}
