//! Liveness and readiness probes, without a key.

use crate::App;
use crate::http::{ApiResult, Failure, Success};
use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::get;
use operations::Readiness;
use operations::indexing::Warming;
use serde_json::json;

/// Returns the routes `/healthz` and `/readyz`.
pub fn paths() -> Router<App> {
    Router::new()
        .route("/healthz", get(healthz))
        .route("/readyz", get(readyz))
}

/// Succeeds while the process is alive.
async fn healthz() -> ApiResult {
    Success::ok("alive", &json!({"status": "alive"}))
}

/// Succeeds when storage responds and the stores that are opened at the start are open.
async fn readyz(State(app): State<App>) -> ApiResult {
    match app.service.readiness().await {
        Readiness::Ready => Success::ok("ready", &json!({"status": "ready"})),
        Readiness::Opening(Warming { done, of }) => {
            let message = format!("not ready: {done} of {of} stores are open");
            let details = json!({"open": done, "stores": of});
            Err(Failure {
                details: Some(Box::new(details)),
                ..not_ready(message)
            })
        }
        Readiness::NoStorage => Err(not_ready("not ready: storage does not respond")),
    }
}

fn not_ready(message: impl Into<String>) -> Failure {
    let status = StatusCode::SERVICE_UNAVAILABLE;
    Failure {
        retry_after_s: Some(1),
        ..Failure::new(status, "unavailable", message)
    }
}
