//! Accepts requests of the storefront's own page only: no scripts of other sites, and no DNS rebinding.

use crate::http::Failure;
use crate::message;
use axum::extract::{Request, State};
use axum::http::header::{HOST, HeaderName, ORIGIN};
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use domain::error_codes;
use std::net::{IpAddr, SocketAddr};

const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Rejects requests that do not come from the page of this server.
pub async fn check(State(address): State<SocketAddr>, request: Request, next: Next) -> Response {
    if is_same_origin(request.headers(), address.port()) {
        next.run(request).await
    } else {
        let message = message::sender::demo_page();
        Failure::new(StatusCode::FORBIDDEN, error_codes::RESERVED, message).into_response()
    }
}

fn is_same_origin(headers: &HeaderMap, port: u16) -> bool {
    let text = |name: &HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    let Some(host) = text(&HOST) else {
        return false;
    };
    let origin_is_own =
        text(&ORIGIN).is_none_or(|origin| origin.strip_prefix("http://") == Some(host));
    let site_is_own =
        text(&SEC_FETCH_SITE).is_none_or(|site| matches!(site, "same-origin" | "none"));
    names_this_machine(host, port) && origin_is_own && site_is_own
}

/// Returns whether `host` is an IP address or `localhost` with the port of the server, not a name that can be rebound.
fn names_this_machine(host: &str, port: u16) -> bool {
    let (name, given) = match host.rsplit_once(':') {
        Some((name, given)) if !given.ends_with(']') => (name, given.parse().ok()),
        _ => (host, Some(80)),
    };
    let bare = name.trim_start_matches('[').trim_end_matches(']');
    given == Some(port)
        && (name.eq_ignore_ascii_case("localhost") || bare.parse::<IpAddr>().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn own(pairs: &[(&'static str, &'static str)]) -> bool {
        let headers: HeaderMap = pairs
            .iter()
            .map(|(name, value)| {
                (
                    name.parse().expect("a header name"),
                    value.parse().expect("a header value"),
                )
            })
            .collect();
        is_same_origin(&headers, 7700)
    }

    #[test]
    fn requests_of_the_own_page_pass() {
        assert!(own(&[("host", "127.0.0.1:7700")]));
        assert!(own(&[
            ("host", "localhost:7700"),
            ("origin", "http://localhost:7700")
        ]));
        assert!(own(&[
            ("host", "[::1]:7700"),
            ("sec-fetch-site", "same-origin")
        ]));
    }

    #[test]
    fn other_requests_are_rejected() {
        assert!(!own(&[]));
        assert!(!own(&[("host", "evil.example:7700")]));
        assert!(!own(&[("host", "127.0.0.1:80")]));
        assert!(!own(&[
            ("host", "localhost:7700"),
            ("origin", "http://evil.example")
        ]));
        assert!(!own(&[("host", "localhost:7700"), ("origin", "null")]));
        assert!(!own(&[
            ("host", "localhost:7700"),
            ("sec-fetch-site", "cross-site")
        ]));
    }
}
