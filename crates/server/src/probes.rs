//! Probes without a key: is the process alive, and can it do its work?

use crate::App;
use crate::http::{Answer, Failure, Success};
use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::get;
use serde_json::json;

/// `/healthz` and `/readyz`.
pub fn paths() -> Router<App> {
    Router::new()
        .route("/healthz", get(healthz))
        .route("/readyz", get(readyz))
}

/// The process answers.
async fn healthz() -> Answer {
    Success::ok("alive", &json!({"status": "alive"}))
}

/// Storage answers.
async fn readyz(State(app): State<App>) -> Answer {
    if app.service.ready().await {
        Success::ok("ready", &json!({"status": "ready"}))
    } else {
        let status = StatusCode::SERVICE_UNAVAILABLE;
        Err(Failure {
            retry_after_s: Some(1),
            ..Failure::new(status, "unavailable", "not ready")
        })
    }
}
