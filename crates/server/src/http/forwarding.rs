//! Tells requests of programs on this machine from those that a proxy on it forwards.

use super::proxies::{Peer, Proxies};
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderName, header};

/// Headers that only proxies add.
const PROXY_HEADERS: [HeaderName; 5] = [
    header::FORWARDED,
    header::VIA,
    HeaderName::from_static("x-forwarded-for"),
    HeaderName::from_static("x-forwarded-host"),
    HeaderName::from_static("x-real-ip"),
];

/// Headers in which a proxy names the client.
const CLIENT_HEADERS: [HeaderName; 3] = [
    header::FORWARDED,
    HeaderName::from_static("x-forwarded-for"),
    HeaderName::from_static("x-real-ip"),
];

/// Returns whether the request comes from a program on this machine and was not forwarded.
pub fn is_local(request: &Request, proxies: &Proxies) -> bool {
    let peer = request.extensions().get::<Peer>().map(|peer| peer.0);
    let from_this_machine = peer.is_some_and(|peer| {
        peer.to_canonical().is_loopback() && !proxies.trusts(peer.to_canonical())
    });
    from_this_machine && !has_any(request.headers(), &PROXY_HEADERS)
}

/// Returns whether the request was forwarded for another client.
pub fn has_client_header(headers: &HeaderMap) -> bool {
    has_any(headers, &CLIENT_HEADERS)
}

fn has_any(headers: &HeaderMap, names: &[HeaderName]) -> bool {
    names.iter().any(|name| headers.contains_key(name))
}

#[cfg(test)]
mod tests {
    //! 1. Only a request from this machine, from no trusted proxy and without a proxy header, is local.

    use super::*;
    use axum::body::Body;

    #[test]
    fn only_unforwarded_requests_of_this_machine_are_local() {
        let proxies = Proxies {
            trusted: vec![
                "127.0.0.9"
                    .parse::<std::net::IpAddr>()
                    .expect("an address")
                    .into(),
            ],
            ..Proxies::default()
        };
        for (peer, header, expected) in [
            ("127.0.0.1", None, true),
            ("::1", None, true),
            ("::ffff:127.0.0.1", None, true),
            ("192.0.2.7", None, false),
            ("127.0.0.9", None, false),
            ("127.0.0.1", Some("x-forwarded-for"), false),
        ] {
            let mut request = Request::new(Body::empty());
            let peer: std::net::IpAddr = peer.parse().expect("an address");
            request.extensions_mut().insert(Peer(peer));
            if let Some(name) = header {
                let value = header::HeaderValue::from_static("192.0.2.7");
                request.headers_mut().insert(name, value);
            }
            assert_eq!(is_local(&request, &proxies), expected, "{peer} {header:?}");
        }
    }
}
