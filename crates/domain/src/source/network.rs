//! Which networks the service fetches nothing from, because they may be its own.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// IPv4 networks that are not public: first address and bits.
const REFUSED_V4: [(Ipv4Addr, u32); 16] = [
    (Ipv4Addr::new(0, 0, 0, 0), 8),
    (Ipv4Addr::new(10, 0, 0, 0), 8),
    (Ipv4Addr::new(100, 64, 0, 0), 10),
    (Ipv4Addr::new(127, 0, 0, 0), 8),
    (Ipv4Addr::new(169, 254, 0, 0), 16),
    (Ipv4Addr::new(172, 16, 0, 0), 12),
    (Ipv4Addr::new(192, 0, 0, 0), 24),
    (Ipv4Addr::new(192, 0, 2, 0), 24),
    (Ipv4Addr::new(192, 88, 99, 0), 24),
    (Ipv4Addr::new(192, 168, 0, 0), 16),
    (Ipv4Addr::new(198, 18, 0, 0), 15),
    (Ipv4Addr::new(198, 51, 100, 0), 24),
    (Ipv4Addr::new(203, 0, 113, 0), 24),
    (Ipv4Addr::new(224, 0, 0, 0), 4),
    (Ipv4Addr::new(240, 0, 0, 0), 4),
    // Where virtual machines of a large cloud reach its own services.
    (Ipv4Addr::new(168, 63, 129, 16), 32),
];

/// The only IPv6 network with public addresses.
const PUBLIC_V6: (Ipv6Addr, u32) = (Ipv6Addr::new(0x2000, 0, 0, 0, 0, 0, 0, 0), 3);

/// Networks within it that are not public, or lead to IPv4 addresses.
const REFUSED_V6: [(Ipv6Addr, u32); 4] = [
    (Ipv6Addr::new(0x2001, 0, 0, 0, 0, 0, 0, 0), 23),
    (Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 0), 32),
    (Ipv6Addr::new(0x2002, 0, 0, 0, 0, 0, 0, 0), 16),
    (Ipv6Addr::new(0x3fff, 0, 0, 0, 0, 0, 0, 0), 20),
];

/// Returns whether an address is in a public network.
pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => !REFUSED_V4
            .iter()
            .any(|(first, bits)| (u32::from(address) ^ u32::from(*first)) >> (32 - bits) == 0),
        IpAddr::V6(address) => {
            let is_in = |(first, bits): &(Ipv6Addr, u32)| {
                (u128::from(address) ^ u128::from(*first)) >> (128 - bits) == 0
            };
            is_in(&PUBLIC_V6) && !REFUSED_V6.iter().any(is_in)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::is_public;

    fn public(text: &str) -> bool {
        is_public(text.parse().expect("an address"))
    }

    #[test]
    fn first_and_last_addresses_of_each_network_are_refused() {
        for (first, last) in [
            ("0.0.0.0", "0.255.255.255"),
            ("10.0.0.0", "10.255.255.255"),
            ("100.64.0.0", "100.127.255.255"),
            ("127.0.0.0", "127.255.255.255"),
            ("169.254.0.0", "169.254.255.255"),
            ("172.16.0.0", "172.31.255.255"),
            ("192.0.0.0", "192.0.0.255"),
            ("192.0.2.0", "192.0.2.255"),
            ("192.88.99.0", "192.88.99.255"),
            ("192.168.0.0", "192.168.255.255"),
            ("198.18.0.0", "198.19.255.255"),
            ("198.51.100.0", "198.51.100.255"),
            ("203.0.113.0", "203.0.113.255"),
            ("224.0.0.0", "255.255.255.255"),
            ("168.63.129.16", "168.63.129.16"),
            ("::", "::ffff:8.8.8.8"),
            ("64:ff9b::1", "1fff:ffff::1"),
            ("2001::", "2001:1ff:ffff::1"),
            ("2001:db8::", "2001:db8:ffff::1"),
            ("2002::", "2002:ffff::1"),
            ("3fff::", "3fff:fff::1"),
            ("4000::", "fc00::1"),
            ("fe80::1", "ff02::1"),
        ] {
            assert!(!public(first), "{first}");
            assert!(!public(last), "{last}");
        }
    }

    #[test]
    fn their_neighbours_are_not() {
        for address in [
            "1.0.0.0",
            "9.255.255.255",
            "11.0.0.0",
            "100.63.255.255",
            "100.128.0.0",
            "126.255.255.255",
            "128.0.0.0",
            "169.253.255.255",
            "172.32.0.0",
            "192.0.1.0",
            "192.0.3.0",
            "198.17.255.255",
            "198.20.0.0",
            "223.255.255.255",
            "168.63.129.17",
            "2001:200::1",
            "2001:db7::1",
            "2001:db9::1",
            "2003::1",
            "2a00:1450::1",
            "3fff:1000::1",
        ] {
            assert!(public(address), "{address}");
        }
    }
}
