//! Who may read the metrics on the address that serves everything else: programs on this machine.

use crate::App;
use crate::http::Failure;
use crate::http::suggestions::is_nearby;
use axum::extract::{Request, State};
use axum::http::header::HOST;
use axum::http::uri::Authority;
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::sync::Arc;

/// What the readers of the metrics are checked with.
#[derive(Clone)]
pub struct LocalReaders {
    /// What handlers share.
    pub app: App,
    /// Hosts that are answered to, with or without port.
    pub hosts: Arc<[String]>,
}

/// Refuses readers that do not come from this machine, or may not: a proxy on it asks for others, and the page of a
/// browser may have bent its own name to this address.
pub async fn local_only(
    State(readers): State<LocalReaders>,
    request: Request,
    next: Next,
) -> Response {
    let LocalReaders { app, hosts } = readers;
    if is_nearby(&request, &app.proxies) && names_one(request.headers(), &hosts) {
        return next.run(request).await;
    }
    let message = "metrics are for programs on this machine; --metrics-listen gives them an address of their own";
    Failure::new(StatusCode::FORBIDDEN, "reserved", message).into_response()
}

/// Does `Host` name one of `hosts`, at their port where they have one?
fn names_one(headers: &HeaderMap, hosts: &[String]) -> bool {
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
    //! 1. Only hosts that are answered to may be named, whatever the port where they have none.

    use super::*;
    use axum::http::HeaderValue;

    #[test]
    fn the_host_is_one_of_those_that_are_answered_to() {
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
            assert_eq!(names_one(&headers, &hosts), expected, "{host}");
        }
        assert!(!names_one(&HeaderMap::new(), &hosts));
    }
}
