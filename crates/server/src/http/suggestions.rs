//! Requests of programs on this machine, as opposed to those that a proxy on it makes for others.

use super::proxies::{Peer, Proxies};
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderName, header};

/// Headers that only a proxy adds.
const OF_PROXIES: [HeaderName; 5] = [
    header::FORWARDED,
    header::VIA,
    HeaderName::from_static("x-forwarded-for"),
    HeaderName::from_static("x-forwarded-host"),
    HeaderName::from_static("x-real-ip"),
];

/// Headers by which a proxy tells for whom it asks.
const OF_CLIENTS: [HeaderName; 3] = [
    header::FORWARDED,
    HeaderName::from_static("x-forwarded-for"),
    HeaderName::from_static("x-real-ip"),
];

/// Does a program on this machine ask, for itself?
pub fn is_nearby(request: &Request, proxies: &Proxies) -> bool {
    let peer = request.extensions().get::<Peer>().map(|peer| peer.0);
    let is_local = peer.is_some_and(|peer| {
        peer.to_canonical().is_loopback() && !proxies.trusts(peer.to_canonical())
    });
    is_local && !has_one(request.headers(), &OF_PROXIES)
}

/// Does the request say that it is made for somebody else?
pub fn names_a_client(headers: &HeaderMap) -> bool {
    has_one(headers, &OF_CLIENTS)
}

fn has_one(headers: &HeaderMap, names: &[HeaderName]) -> bool {
    names.iter().any(|name| headers.contains_key(name))
}

#[cfg(test)]
mod tests {
    //! 1. Only a request from this machine, of no named proxy and without a header of proxies, is nearby.

    use super::*;
    use axum::body::Body;

    #[test]
    fn only_this_machine_is_nearby() {
        let named = Proxies {
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
            assert_eq!(is_nearby(&request, &named), expected, "{peer} {header:?}");
        }
    }
}
