//! The outermost layer: gives every request its id, completes failures with it, and tells log and metrics of it.
//!
//! Query strings never reach the log, because keys are put into them by mistake.

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
use std::any::Any;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tracing::Instrument;

/// Header with the id of the request.
pub const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// What the outermost layer keeps from request to request.
#[derive(Clone)]
pub struct Outermost {
    /// The ids that it gives.
    pub ids: Arc<RequestIds>,
    /// The metrics that it feeds.
    pub requests: Arc<Requests>,
}

/// A request that was answered, as the log tells it.
struct LoggedRequest<'a> {
    id: &'a str,
    method: Method,
    path: String,
    status: StatusCode,
    took: Duration,
}

/// Runs the request under an id of its own.
#[expect(
    clippy::disallowed_methods,
    reason = "the log says how long a request took, and nothing else depends on it"
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
    // What is paid for the body is given back when the response is there.
    let account = BodyAccount::default();
    request.extensions_mut().insert(account.clone());
    let keyed = depends_on_key(&request);

    // Whatever is told while the request runs carries its id.
    let span = tracing::error_span!("request", request_id = %id);
    let mut response = next.run(request).instrument(span).await;
    let failure = response.extensions_mut().remove::<Failure>();
    if let Some(failure) = &failure {
        let rendered = failure.render(&id);
        let (parts, body) = rendered.into_parts();
        *response.body_mut() = body;
        response.headers_mut().extend(parts.headers);
    }
    drop(account);
    if keyed {
        keep_from_caches(response.headers_mut());
    }
    rate.write(response.headers_mut());
    if let Ok(value) = HeaderValue::from_str(&id) {
        response.headers_mut().insert(X_REQUEST_ID, value);
    }
    let answered = LoggedRequest {
        id: &id,
        method,
        path,
        status: response.status(),
        took: started.elapsed(),
    };
    answered.tell(failure.as_ref());
    outermost.requests.answered(
        &answered.method,
        matched.as_ref(),
        answered.status,
        answered.took,
    );
    response
}

/// Whether another key might get another response: all below the interface and of the tool server, but not the
/// permission that a browser asks for beforehand.
fn depends_on_key(request: &Request) -> bool {
    let path = request.uri().path();
    let of_key = path.starts_with("/api/") || path == "/mcp" || path.starts_with("/mcp/");
    of_key && request.method() != Method::OPTIONS
}

/// What depends on the key is kept by no cache, unless the response says otherwise itself: then it is the same for all.
fn keep_from_caches(headers: &mut HeaderMap) {
    let own = headers.get(CACHE_CONTROL);
    if own.is_some_and(|own| own != "no-store") {
        return;
    }
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.append(VARY, HeaderValue::from_static("X-API-Key, Authorization"));
}

impl LoggedRequest<'_> {
    /// One line for an answer of 5xx; for every other one a line of the target `access`.
    fn tell(&self, failure: Option<&Failure>) {
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

/// What a panic of a handler becomes: 500, and its text in the log only.
pub fn panicked(cause: Box<dyn Any + Send>) -> Response {
    let text = cause
        .downcast_ref::<String>()
        .map(String::as_str)
        .or_else(|| cause.downcast_ref::<&str>().copied())
        .unwrap_or("no text");
    Failure::internal(format!("a handler panicked: {text}")).into_response()
}
