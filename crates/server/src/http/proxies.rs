//! The address of a client: that of the connection, or the one that a trusted proxy forwards.

use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, header};
use domain::ClientAddress;
use ipnet::IpNet;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

const X_FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");
const X_FORWARDED_PROTO: HeaderName = HeaderName::from_static("x-forwarded-proto");

/// The address of the other end of a connection.
#[derive(Clone, Copy, Debug)]
pub struct Peer(pub IpAddr);

/// The header in which proxies forward the address of the client.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ProxyHeader {
    /// `X-Forwarded-For`: addresses, the nearest last.
    #[default]
    XForwardedFor,
    /// `Forwarded` of RFC 7239.
    Forwarded,
}

impl ProxyHeader {
    /// Parses the name of a header, ignoring case.
    pub fn parse(text: &str) -> Option<Self> {
        match text.to_ascii_lowercase().as_str() {
            "x-forwarded-for" => Some(Self::XForwardedFor),
            "forwarded" => Some(Self::Forwarded),
            _ => None,
        }
    }
}

/// The trusted proxies, and the header in which they forward the address of the client.
#[derive(Clone, Debug, Default)]
pub struct Proxies {
    /// Networks of the proxies; every other address is a client.
    pub trusted: Vec<IpNet>,
    /// The only header that is read: the other one may come from the client unchanged.
    pub header: ProxyHeader,
}

impl Proxies {
    /// Returns the address of the client of a request.
    pub fn client(&self, parts: &Parts) -> ClientAddress {
        let peer = parts.extensions.get::<Peer>();
        // Only a request without a connection has no peer.
        let peer = peer.map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |peer| peer.0);
        self.behind(peer, &parts.headers).into()
    }

    /// Returns the nearest address that is not a trusted proxy.
    ///
    /// The addresses before it in the header may be forged by the client.
    fn behind(&self, peer: IpAddr, headers: &HeaderMap) -> IpAddr {
        let mut address = peer.to_canonical();
        if !self.trusts(address) {
            return address;
        }
        for forwarded in self.forwarded(headers).into_iter().rev() {
            // If a proxy hides or garbles the address, its own address counts.
            let Some(forwarded) = forwarded else { break };
            address = forwarded.to_canonical();
            if !self.trusts(address) {
                break;
            }
        }
        address
    }

    /// Returns whether a trusted proxy received the request by https.
    pub fn forwards_https(&self, parts: &Parts) -> bool {
        let peer = parts.extensions.get::<Peer>();
        if !peer.is_some_and(|peer| self.trusts(peer.0.to_canonical())) {
            return false;
        }
        let name = match self.header {
            ProxyHeader::XForwardedFor => X_FORWARDED_PROTO,
            ProxyHeader::Forwarded => header::FORWARDED,
        };
        // The last element is that of the nearest proxy.
        let values = parts.headers.get_all(name).iter();
        let last = values.filter_map(|value| value.to_str().ok()).next_back();
        let element = last
            .and_then(|value| value.rsplit(',').next())
            .map(str::trim);
        element.is_some_and(|element| match self.header {
            ProxyHeader::XForwardedFor => element.eq_ignore_ascii_case("https"),
            ProxyHeader::Forwarded => element
                .split(';')
                .any(|pair| pair.trim().eq_ignore_ascii_case("proto=https")),
        })
    }

    /// Returns whether `address` is a trusted proxy.
    pub fn trusts(&self, address: IpAddr) -> bool {
        self.trusted
            .iter()
            .any(|network| network.contains(&address))
    }

    /// Returns the addresses in the header, the nearest last; `None` for each that does not parse.
    fn forwarded(&self, headers: &HeaderMap) -> Vec<Option<IpAddr>> {
        let (name, read): (_, fn(&str) -> Option<IpAddr>) = match self.header {
            ProxyHeader::XForwardedFor => (X_FORWARDED_FOR, node),
            ProxyHeader::Forwarded => (header::FORWARDED, forwarded_for),
        };
        headers
            .get_all(name)
            .iter()
            .flat_map(|value| value.to_str().unwrap_or_default().split(','))
            .map(|element| read(element.trim()))
            .collect()
    }
}

/// Parses the address of one element of `Forwarded`, such as `for="[2001:db8::1]:4711";proto=https`.
fn forwarded_for(element: &str) -> Option<IpAddr> {
    let node_of = |pair: &str| {
        let (name, value) = pair.split_once('=')?;
        let is_for = name.trim().eq_ignore_ascii_case("for");
        is_for.then(|| node(value.trim().trim_matches('"')))?
    };
    element.split(';').find_map(node_of)
}

/// Parses an address with or without port, and for IPv6 with or without brackets.
fn node(text: &str) -> Option<IpAddr> {
    if let Ok(address) = text.parse::<IpAddr>() {
        return Some(address);
    }
    if let Ok(address) = text.parse::<SocketAddr>() {
        return Some(address.ip());
    }
    text.strip_prefix('[')?.strip_suffix(']')?.parse().ok()
}

#[cfg(test)]
mod tests {
    //! 1. Without a trusted proxy, headers are ignored.
    //! 2. In a chain, the nearest address that is not a trusted proxy counts; an invalid address ends the chain.
    //! 3. Only the configured header is read, in every form of its grammar.

    use super::*;

    fn behind(header: ProxyHeader, peer: &str, fields: &[(&'static str, &str)]) -> String {
        let network = |text: &str| text.parse::<IpNet>().expect("a network");
        let proxies = Proxies {
            trusted: vec![network("10.0.0.0/8"), network("2001:db8:f::/48")],
            header,
        };
        let mut headers = HeaderMap::new();
        for (name, value) in fields {
            headers.append(*name, value.parse().expect("a header value"));
        }
        let peer = peer.parse().expect("an address");
        proxies.behind(peer, &headers).to_string()
    }

    #[test]
    fn only_headers_of_trusted_proxies_count() {
        let x = |peer, value| {
            let fields = [("x-forwarded-for", value)];
            behind(ProxyHeader::XForwardedFor, peer, &fields)
        };
        assert_eq!(x("192.0.2.1", "198.51.100.7"), "192.0.2.1");
        assert_eq!(x("10.1.1.1", "198.51.100.7"), "198.51.100.7");
        assert_eq!(x("::ffff:10.1.1.1", "198.51.100.7"), "198.51.100.7");
        assert_eq!(
            x("10.1.1.1", "1.1.1.1, 198.51.100.7, 10.2.2.2"),
            "198.51.100.7"
        );
        assert_eq!(x("10.1.1.1", "198.51.100.7, unknown"), "10.1.1.1");
        assert_eq!(x("10.1.1.1", "10.3.3.3"), "10.3.3.3");
        assert_eq!(x("10.1.1.1", ""), "10.1.1.1");
        assert_eq!(x("2001:db8:f::1", "[2001:db8::5]:99"), "2001:db8::5");
        assert_eq!(x("10.1.1.1", "198.51.100.7:1234"), "198.51.100.7");
        let twice = [
            ("x-forwarded-for", "1.1.1.1"),
            ("x-forwarded-for", "2.2.2.2"),
        ];
        assert_eq!(
            behind(ProxyHeader::XForwardedFor, "10.1.1.1", &twice),
            "2.2.2.2"
        );
    }

    #[test]
    fn only_the_configured_header_is_read() {
        let both = [
            ("x-forwarded-for", "1.1.1.1"),
            (
                "forwarded",
                "for=9.9.9.9, For=\"[2001:db8::5]:4711\";proto=https",
            ),
        ];
        assert_eq!(
            behind(ProxyHeader::Forwarded, "10.1.1.1", &both),
            "2001:db8::5"
        );
        assert_eq!(
            behind(ProxyHeader::XForwardedFor, "10.1.1.1", &both),
            "1.1.1.1"
        );
        let forwarded = |value| behind(ProxyHeader::Forwarded, "10.1.1.1", &[("forwarded", value)]);
        assert_eq!(forwarded("proto=http; for=192.0.2.43"), "192.0.2.43");
        assert_eq!(forwarded("for=_hidden"), "10.1.1.1");
        assert_eq!(forwarded("by=192.0.2.43"), "10.1.1.1");
    }
}
