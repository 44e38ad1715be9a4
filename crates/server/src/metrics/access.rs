//! Who may read the metrics on the address that serves everything else: programs on this machine.

use crate::App;
use crate::http::Failure;
use crate::http::proxies::Peer;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

/// Headers that only a proxy adds.
const OF_PROXIES: [HeaderName; 5] = [
    header::FORWARDED,
    header::VIA,
    HeaderName::from_static("x-forwarded-for"),
    HeaderName::from_static("x-forwarded-host"),
    HeaderName::from_static("x-real-ip"),
];

/// Refuses readers that do not come from this machine, or may not: a proxy on it asks for others.
pub async fn local_only(State(app): State<App>, request: Request, next: Next) -> Response {
    let peer = request.extensions().get::<Peer>().map(|peer| peer.0);
    let is_local = peer.is_some_and(|peer| {
        peer.to_canonical().is_loopback() && !app.proxies.trusts(peer.to_canonical())
    });
    if is_local && !is_forwarded(request.headers()) {
        return next.run(request).await;
    }
    let message = "metrics are for programs on this machine; --metrics-listen gives them an address of their own";
    Failure::new(StatusCode::FORBIDDEN, "reserved", message).into_response()
}

fn is_forwarded(headers: &HeaderMap) -> bool {
    OF_PROXIES.iter().any(|name| headers.contains_key(name))
}
