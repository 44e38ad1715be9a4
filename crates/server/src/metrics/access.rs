//! Restricts the metrics on the main address to programs on this machine.

use crate::App;
use crate::http::Failure;
use crate::http::forwarding::is_local;
use crate::message;
use axum::extract::{Request, State};
use axum::http::header::HOST;
use axum::http::uri::Authority;
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use domain::error_codes;
use std::sync::Arc;

/// State of the check.
#[derive(Clone)]
pub struct LocalReaders {
    /// The state that handlers share.
    pub app: App,
    /// Allowed values of `Host`, with or without port.
    pub hosts: Arc<[String]>,
}

/// Rejects requests from other machines, requests forwarded by a proxy on this machine, and requests with a foreign
/// `Host`, which protects against DNS rebinding.
pub async fn local_only(
    State(readers): State<LocalReaders>,
    request: Request,
    next: Next,
) -> Response {
    let LocalReaders { app, hosts } = readers;
    if is_local(&request, &app.proxies) && is_allowed_host(request.headers(), &hosts) {
        return next.run(request).await;
    }
    let message = message::sender::metrics();
    Failure::new(StatusCode::FORBIDDEN, error_codes::RESERVED, message).into_response()
}

/// Returns whether `Host` is one of `hosts`, with their port if they have one.
fn is_allowed_host(headers: &HeaderMap, hosts: &[String]) -> bool {
    let host = headers.get(HOST).and_then(|host| host.to_str().ok());
    let Some(named) = host.and_then(|host| host.parse::<Authority>().ok()) else {
        return false;
    };
    let bare = |host: &str| host.trim_matches(['[', ']']).to_ascii_lowercase();
    hosts.iter().any(|known| {
        let with_port = known.eq_ignore_ascii_case(named.as_str());
        with_port || bare(known) == bare(named.host())
    })
}

#[cfg(test)]
mod tests {
    //! 1. Only allowed hosts pass; the port is ignored for those without one.

    use super::*;
    use axum::http::HeaderValue;

    #[test]
    fn only_allowed_hosts_pass() {
        let hosts = ["localhost", "127.0.0.1", "::1", "m.example:81"].map(str::to_owned);
        for (host, expected) in [
            ("127.0.0.1:7700", true),
            ("LOCALHOST", true),
            ("[::1]:7700", true),
            ("m.example:81", true),
            ("m.example:82", false),
            ("evil.example:7700", false),
            ("", false),
        ] {
            let mut headers = HeaderMap::new();
            headers.insert(HOST, HeaderValue::from_static(host));
            assert_eq!(is_allowed_host(&headers, &hosts), expected, "{host}");
        }
        assert!(!is_allowed_host(&HeaderMap::new(), &hosts));
    }
}
