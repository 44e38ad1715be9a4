//! The headers of every response of the control panel.

use super::options::PATH;
use axum::extract::{Request, State};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
    X_FRAME_OPTIONS,
};
use axum::http::{HeaderName, HeaderValue};
use axum::middleware::Next;
use axum::response::Response;

const OPENER_POLICY: HeaderName = HeaderName::from_static("cross-origin-opener-policy");
pub(super) const RESOURCE_POLICY: HeaderName =
    HeaderName::from_static("cross-origin-resource-policy");

/// Names the version of the panel's files, so that open pages of another one can offer to be loaded again.
const VERSION: HeaderName = HeaderName::from_static("findwell-panel");

/// The policy with what `$images` allows beside pictures of this server.
macro_rules! policy {
    ($images:literal) => {
        HeaderValue::from_static(concat!(
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' ",
            $images,
            "; connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; ",
            "require-trusted-types-for 'script'; trusted-types 'none'"
        ))
    };
}

/// Middleware that adds the headers to responses of the panel, also to errors. `local` is whether the panel is reached
/// on this machine.
pub async fn add(State(local): State<bool>, request: Request, next: Next) -> Response {
    let path = request.uri().path();
    let own = path
        .strip_prefix(PATH)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    let mut response = next.run(request).await;
    if !own {
        return response;
    }
    let headers = response.headers_mut();
    headers.insert(VERSION, HeaderValue::from_static(super::files::digest()));
    // Pictures of products come from the shops; those under development have no certificate.
    let policy = if local {
        policy!("https: http:")
    } else {
        policy!("https:")
    };
    // The preview of the widget has a policy of its own, and is shown in a frame.
    headers.entry(CONTENT_SECURITY_POLICY).or_insert(policy);
    let deny = HeaderValue::from_static("DENY");
    headers.entry(X_FRAME_OPTIONS).or_insert(deny);
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    let same_origin = HeaderValue::from_static("same-origin");
    headers.insert(OPENER_POLICY, same_origin.clone());
    headers.entry(RESOURCE_POLICY).or_insert(same_origin);
    headers
        .entry(CACHE_CONTROL)
        .or_insert(HeaderValue::from_static("no-store"));
    response
}
