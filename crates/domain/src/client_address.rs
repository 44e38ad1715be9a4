//! `ClientAddress`: the client that requests are counted for.

use std::net::{IpAddr, Ipv6Addr};

/// Number of groups of an IPv6 address that form the /64 prefix, which belongs to one client.
const NETWORK_GROUPS: usize = 4;

/// The address of a client; for IPv6 its /64 network, within which a client may pick any address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ClientAddress(IpAddr);

impl From<IpAddr> for ClientAddress {
    fn from(address: IpAddr) -> Self {
        Self(match address.to_canonical() {
            IpAddr::V6(address) => {
                let mut groups = address.segments();
                groups[NETWORK_GROUPS..].fill(0);
                IpAddr::V6(Ipv6Addr::from(groups))
            }
            four => four,
        })
    }
}

impl std::fmt::Display for ClientAddress {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            IpAddr::V4(address) => address.fmt(f),
            IpAddr::V6(network) => write!(f, "{network}/64"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_of_ipv6_is_one_client_and_a_mapped_address_is_ipv4() {
        let of = |text: &str| ClientAddress::from(text.parse::<IpAddr>().expect("an address"));
        assert_eq!(of("2001:db8:1:2::1"), of("2001:db8:1:2:ffff::9"));
        assert_ne!(of("2001:db8:1:2::1"), of("2001:db8:1:3::1"));
        assert_eq!(of("::ffff:192.0.2.1"), of("192.0.2.1"));
        assert_ne!(of("192.0.2.1"), of("192.0.2.2"));
    }
}
