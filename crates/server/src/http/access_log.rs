//! The outermost layer: assigns request ids, renders failures, and writes the access log and the request metrics.
//!
//! Query strings are never logged, because clients put keys into them by mistake.

use super::failure::Failure;
use super::in_flight::BodyAccount;
use super::rate_headers::RateHeaders;
use super::request_id::RequestIds;
use crate::metrics::Requests;
use axum::extract::{MatchedPath, Request, State};
use axum::http::header::{CACHE_CONTROL, VARY};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use domain::RequestId;
use operations::traces;
use std::any::Any;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tracing::Instrument;

/// Header with the request id.
pub const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// State of the outermost layer.
#[derive(Clone)]
pub struct Outermost {
    /// Generator of the request ids.
    pub ids: Arc<RequestIds>,
    /// Request metrics.
    pub requests: Arc<Requests>,
}

/// A finished request as it is logged.
struct LoggedRequest<'a> {
    id: &'a str,
    method: Method,
    path: String,
    status: StatusCode,
    took: Duration,
}

/// Runs a request with a new request id, then renders, logs and counts the response.
#[expect(
    clippy::disallowed_methods,
    reason = "only the log and the metrics depend on the duration"
)]
pub async fn conclude(
    State(outermost): State<Outermost>,
    mut request: Request,
    next: Next,
) -> Response {
    let started = Instant::now();
    let id = outermost.ids.next();
    let method = request.method().clone();
    let path = request.uri().path().to_owned();
    let matched = request.extensions().get::<MatchedPath>().cloned();
    request.extensions_mut().insert(RequestId(id.clone()));
    let rate = RateHeaders::default();
    request.extensions_mut().insert(rate.clone());
    // Memory for the body is released when the response is ready.
    let account = BodyAccount::default();
    request.extensions_mut().insert(account.clone());
    let has_key = depends_on_key(&request);

    // Everything that is logged while the request runs carries its id.
    let span = tracing::error_span!("request", request_id = %id);
    let operation = outermost.requests.operation(&method, matched.as_ref());
    let route = matched.as_ref().map(MatchedPath::as_str);
    let trace = span.in_scope(|| traces::request(operation, &id, method.as_str(), route));
    let mut response = next
        .run(request)
        .instrument(trace.clone())
        .instrument(span)
        .await;
    let failure = response.extensions_mut().remove::<Failure>();
    if let Some(failure) = &failure {
        let rendered = failure.render(&id);
        let (parts, body) = rendered.into_parts();
        *response.body_mut() = body;
        response.headers_mut().extend(parts.headers);
    }
    drop(account);
    traces::responded(&trace, response.status().as_u16());
    drop(trace);
    if has_key {
        forbid_caching(response.headers_mut());
    }
    rate.write(response.headers_mut());
    if let Ok(value) = HeaderValue::from_str(&id) {
        response.headers_mut().insert(X_REQUEST_ID, value);
    }
    let finished = LoggedRequest {
        id: &id,
        method,
        path,
        status: response.status(),
        took: started.elapsed(),
    };
    finished.log(failure.as_ref());
    outermost
        .requests
        .finished(operation, finished.status, finished.took);
    response
}

/// Returns whether the response may depend on the key: everything of the API and the MCP server except CORS preflight
/// requests.
fn depends_on_key(request: &Request) -> bool {
    let path = request.uri().path();
    let of_key = path.starts_with("/api/") || path == "/mcp" || path.starts_with("/mcp/");
    of_key && request.method() != Method::OPTIONS
}

/// Forbids caching of responses that depend on the key, unless the response sets `Cache-Control` itself: then it is the
/// same for all keys.
fn forbid_caching(headers: &mut HeaderMap) {
    let own = headers.get(CACHE_CONTROL);
    if own.is_some_and(|own| own != "no-store") {
        return;
    }
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.append(VARY, HeaderValue::from_static("X-API-Key, Authorization"));
}

impl LoggedRequest<'_> {
    /// Logs a 5xx response as warning or error, every other one to the target `access`.
    fn log(&self, failure: Option<&Failure>) {
        let Self {
            id: request_id,
            method,
            path,
            ..
        } = self;
        let status = self.status.as_u16();
        let code = failure.map(|failure| failure.code);
        let took_ms = u64::try_from(self.took.as_millis()).unwrap_or(u64::MAX);
        let cause = failure.and_then(|failure| failure.cause.as_deref());
        if self.status == StatusCode::SERVICE_UNAVAILABLE {
            tracing::warn!(request_id, %method, path, status, code, cause, took_ms, "not available");
        } else if self.status.is_server_error() {
            tracing::error!(request_id, %method, path, status, code, cause, took_ms, "failed");
        } else {
            tracing::debug!(target: "access", request_id, %method, path, status, code, took_ms, "answered");
        }
    }
}

/// Turns a panic of a handler into 500; its text goes to the log only.
pub fn panicked(cause: Box<dyn Any + Send>) -> Response {
    let text = cause
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| cause.downcast_ref::<&str>().copied())
        .unwrap_or("no text");
    Failure::internal(format!("a handler panicked: {text}")).into_response()
}
