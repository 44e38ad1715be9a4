//! The address of a client: that of the connection, or the one that a proxy tells if the operator has named the proxy.

use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, header};
use domain::ClientAddress;
use ipnet::IpNet;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

const X_FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// The other end of a connection.
#[derive(Clone, Copy, Debug)]
pub struct Peer(pub IpAddr);

/// The header in which proxies tell for whom they ask.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ProxyHeader {
    /// `X-Forwarded-For`: addresses, the nearest last.
    #[default]
    XForwardedFor,
    /// `Forwarded` of RFC 7239.
    Forwarded,
}

impl ProxyHeader {
    /// The header that `text` names, without case.
    pub fn parse(text: &str) -> Option<Self> {
        match text.to_ascii_lowercase().as_str() {
            "x-forwarded-for" => Some(Self::XForwardedFor),
            "forwarded" => Some(Self::Forwarded),
            _ => None,
        }
    }
}

/// The proxies that are believed, and where they tell the address of a client.
#[derive(Clone, Debug, Default)]
pub struct Proxies {
    /// Addresses of the proxies; a client may come from any other one.
    pub trusted: Vec<IpNet>,
    /// The one header that is read: the other one comes from the client unchanged.
    pub header: ProxyHeader,
}

impl Proxies {
    /// The client of a request.
    pub fn client(&self, parts: &Parts) -> ClientAddress {
        let peer = parts.extensions.get::<Peer>();
        // Only a request that came through no connection has no peer.
        let peer = peer.map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |peer| peer.0);
        self.behind(peer, &parts.headers).into()
    }

    /// The first address, seen from here, that is no trusted proxy.
    ///
    /// What stands before it in the header may be anything that the client wrote there.
    fn behind(&self, peer: IpAddr, headers: &HeaderMap) -> IpAddr {
        let mut address = peer.to_canonical();
        if !self.trusts(address) {
            return address;
        }
        for told in self.told(headers).into_iter().rev() {
            // A proxy that hides the address, or garbles it, counts itself.
            let Some(told) = told else { break };
            address = told.to_canonical();
            if !self.trusts(address) {
                break;
            }
        }
        address
    }

    /// Is `address` that of a proxy which is believed?
    pub fn trusts(&self, address: IpAddr) -> bool {
        self.trusted
            .iter()
            .any(|network| network.contains(&address))
    }

    /// The addresses that the header tells, the nearest last; none for each that cannot be read.
    fn told(&self, headers: &HeaderMap) -> Vec<Option<IpAddr>> {
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

/// The address of one element of `Forwarded`, such as `for="[2001:db8::1]:4711";proto=https`.
fn forwarded_for(element: &str) -> Option<IpAddr> {
    let node_of = |pair: &str| {
        let (name, value) = pair.split_once('=')?;
        let is_for = name.trim().eq_ignore_ascii_case("for");
        is_for.then(|| node(value.trim().trim_matches('"')))?
    };
    element.split(';').find_map(node_of)
}

/// An address with or without port; of IPv6 with or without brackets.
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
    //! 1. Without a trusted proxy headers count nothing, whatever they say.
    //! 2. Of a chain the nearest address that is no trusted proxy counts; what cannot be read ends the chain.
    //! 3. Only the header that was chosen is read, in every form that its grammar has.

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
    fn only_trusted_proxies_are_believed() {
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
    fn the_header_that_was_chosen_is_read() {
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
