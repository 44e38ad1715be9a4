//! Liveness and readiness probes, without a key.

use crate::App;
use crate::http::{ApiResult, Failure, Success};
use crate::message;
use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::get;
use domain::{Message, error_codes};
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

/// Succeeds when the stores that are opened at the start are open. Whether storage responds is reported only: it may be
/// shared, and no other node would do better.
async fn readyz(State(app): State<App>) -> ApiResult {
    let readiness = app.service.readiness().await;
    let storage = if readiness.storage { "up" } else { "down" };
    if readiness.is_ready() {
        let message = match readiness.storage {
            true => "ready",
            false => "ready, but storage does not respond",
        };
        return Success::ok(message, &json!({"status": "ready", "storage": storage}));
    }
    let Warming { done, of } = readiness.warming;
    let message = message::sender::not_ready(done, of);
    let details = json!({"open": done, "stores": of, "storage": storage});
    Err(Failure {
        details: Some(Box::new(details)),
        ..not_ready(message)
    })
}

fn not_ready(message: Message) -> Failure {
    let status = StatusCode::SERVICE_UNAVAILABLE;
    Failure {
        retry_after_s: Some(1),
        ..Failure::new(status, error_codes::UNAVAILABLE, message)
    }
}
