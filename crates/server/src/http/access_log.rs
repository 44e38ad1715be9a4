//! The outermost layer: gives every request its id, completes failures with it and writes one line of log.
//!
//! Query strings never reach the log, because keys are put into them by mistake.

use super::failure::Failure;
use super::request_id::RequestIds;
use axum::extract::{Request, State};
use axum::http::{HeaderName, HeaderValue};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use domain::RequestId;
use std::any::Any;
use std::sync::Arc;
use std::time::Instant;

/// Header with the id of the request.
pub const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Runs the request under an id of its own.
#[expect(
    clippy::disallowed_methods,
    reason = "the log says how long a request took, and nothing else depends on it"
)]
pub async fn conclude(
    State(ids): State<Arc<RequestIds>>,
    mut request: Request,
    next: Next,
) -> Response {
    let started = Instant::now();
    let id = ids.next();
    let method = request.method().clone();
    let path = request.uri().path().to_owned();
    request.extensions_mut().insert(RequestId(id.clone()));

    let mut response = next.run(request).await;
    let failure = response.extensions_mut().remove::<Failure>();
    if let Some(failure) = &failure {
        let rendered = failure.render(&id);
        let (parts, body) = rendered.into_parts();
        *response.body_mut() = body;
        response.headers_mut().extend(parts.headers);
    }
    if let Ok(value) = HeaderValue::from_str(&id) {
        response.headers_mut().insert(X_REQUEST_ID, value);
    }
    tracing::info!(
        request_id = %id,
        %method,
        path,
        status = response.status().as_u16(),
        code = failure.map(|failure| failure.code),
        took_ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX),
        "request"
    );
    response
}

/// What a panic of a handler becomes: 500, and its text in the log only.
pub fn panicked(cause: Box<dyn Any + Send>) -> Response {
    let text = cause
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| cause.downcast_ref::<&str>().copied())
        .unwrap_or("no text");
    tracing::error!(panic = text, "a handler panicked");
    Failure::internal().into_response()
}
