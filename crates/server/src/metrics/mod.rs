//! `GET /metrics`: metrics in the text format of Prometheus.
//!
//! Labels come from fixed sets, never from requests: they cannot contain stores, keys or queries.

mod access;
mod exposition;
mod names;
mod requests;
mod source_metrics;

pub use requests::Requests;
pub use source_metrics::{ImportedRows, SourceMetrics};

use exposition::Edge;

use crate::App;
use crate::http::Failure;
use axum::Router;
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use axum::routing::get;

/// Returns the route for readers on this machine, on the main address.
///
/// `hosts` are the allowed values of `Host`.
pub fn local_path(app: App, hosts: Vec<String>) -> Router<App> {
    let readers = access::LocalReaders {
        app,
        hosts: hosts.into(),
    };
    let local_only = from_fn_with_state(readers, access::local_only);
    Router::new().route("/metrics", get(scrape).route_layer(local_only))
}

/// Returns the route for a separate address, which has no access check.
pub fn path() -> Router<App> {
    Router::new().route("/metrics", get(scrape))
}

async fn scrape(State(app): State<App>) -> Result<Response, Failure> {
    let statistics = app.service.statistics().await;
    let edge = Edge {
        connections: app.connections.count() as u64,
        rejected_connections: app.connections.rejected(),
        body_bytes: app.memory.bytes(),
        rejected_bodies: app.memory.rejected(),
    };
    let text = exposition::text((&app.requests, &app.sources), &statistics, edge)
        .map_err(|error| Failure::internal(format!("the metrics cannot be rendered: {error}")))?;
    let headers = [
        (CONTENT_TYPE, prometheus::TEXT_FORMAT),
        (CACHE_CONTROL, "no-store"),
    ];
    Ok((headers, text).into_response())
}
