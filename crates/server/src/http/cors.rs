//! What lets scripts and pages of any origin use a response.

use super::access_log::X_REQUEST_ID;
use super::envelope::X_CONFIG_REVISION;
use super::rate_headers;
use axum::http::header::{RETRY_AFTER, X_CONTENT_TYPE_OPTIONS};
use axum::http::{HeaderName, HeaderValue, Method};
use axum::response::Response;
use std::time::Duration;
use tower_http::cors::{Any, CorsLayer};

/// How long a browser may cache a preflight response.
const PREFLIGHT_AGE: Duration = Duration::from_secs(24 * 60 * 60);

/// Headers that scripts may send: ours, and those that HTTP libraries of pages add by themselves. A list, because browsers
/// do not take `*` for `Authorization`.
const SENT_HEADERS: [&str; 12] = [
    "accept",
    "accept-language",
    "authorization",
    "baggage",
    "cache-control",
    "content-language",
    "content-type",
    "pragma",
    "traceparent",
    "tracestate",
    "x-api-key",
    "x-requested-with",
];

const CROSS_ORIGIN_RESOURCE_POLICY: HeaderName =
    HeaderName::from_static("cross-origin-resource-policy");

/// Returns the layer that allows scripts of any origin.
pub fn any_origin() -> CorsLayer {
    let exposed: Vec<HeaderName> = [RETRY_AFTER, X_REQUEST_ID, X_CONFIG_REVISION]
        .into_iter()
        .chain(rate_headers::ALL)
        .collect();
    CorsLayer::new()
        .allow_origin(Any)
        .allow_methods([Method::GET, Method::POST])
        .allow_headers(SENT_HEADERS.map(HeaderName::from_static))
        .expose_headers(exposed)
        .max_age(PREFLIGHT_AGE)
}

/// Lets pages of any origin load the response, as what it says it is.
pub fn for_any_page(mut response: Response) -> Response {
    let headers = response.headers_mut();
    let (policy, nosniff) = ("cross-origin", "nosniff");
    headers.insert(
        CROSS_ORIGIN_RESOURCE_POLICY,
        HeaderValue::from_static(policy),
    );
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static(nosniff));
    response
}
