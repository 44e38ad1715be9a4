//! `SourceAddress`: where a catalogue is fetched from, and what of it is refused as it is written.

use super::allowed_host::AllowedHost;
use super::network::is_public;
use crate::limits::SOURCE_URL_CHARACTERS_MAX;
use crate::message::{self, Message};
use std::net::IpAddr;
use url::{Host, Url};

/// Ports that are fetched from.
pub const SOURCE_PORTS: [u16; 4] = [80, 443, 8080, 8443];

/// Ends of names that no public server has, as whole labels.
const LOCAL_NAMES: [&str; 4] = [".localhost", ".local", ".internal", ".home.arpa"];

/// Hosts that are exempt from what is refused.
#[derive(Clone, Debug, Default)]
pub struct SourceRules {
    /// Hosts that the operator allows.
    pub allowed: Vec<AllowedHost>,
}

/// An address that may be fetched from, as far as it can be seen before its name is looked up.
///
/// Shape: http or https in normal form, without user and fragment: numbers are the addresses they mean.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceAddress {
    url: Url,
    is_exempt: bool,
}

/// Why a redirect is not followed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RedirectFault {
    /// It leads from https to http.
    Unencrypted,
    /// Where it leads is refused.
    Refused(Message),
}

impl SourceRules {
    /// Checks an address as the user writes it.
    ///
    /// Errors: the reason, which names `address_refused` for a scheme, port, name or network that is refused.
    pub fn check(&self, text: &str) -> Result<SourceAddress, Message> {
        if text.chars().count() > SOURCE_URL_CHARACTERS_MAX {
            return Err(message::text::up_to(SOURCE_URL_CHARACTERS_MAX));
        }
        let is_bad = |c: char| c.is_control() || c.is_whitespace() || c == '\\';
        if text.chars().any(is_bad) {
            return Err(message::address::characters());
        }
        if has_zone(text) {
            return Err(message::source::refused_network());
        }
        let url = Url::parse(text).map_err(|_| message::address::absolute())?;
        if url.fragment().is_some() {
            return Err(message::source::fragment());
        }
        self.checked(url)
    }

    /// Checks where a redirect from `from` leads.
    pub fn redirected(
        &self,
        from: &SourceAddress,
        location: &str,
    ) -> Result<SourceAddress, RedirectFault> {
        if has_zone(location) {
            return Err(RedirectFault::Refused(message::source::refused_network()));
        }
        let unreadable = |_| RedirectFault::Refused(message::source::location());
        let mut url = from.url.join(location).map_err(unreadable)?;
        url.set_fragment(None);
        let to = self.checked(url).map_err(RedirectFault::Refused)?;
        match from.is_https() && !to.is_https() && !to.is_exempt {
            true => Err(RedirectFault::Unencrypted),
            false => Ok(to),
        }
    }

    fn checked(&self, url: Url) -> Result<SourceAddress, Message> {
        if !matches!(url.scheme(), "http" | "https") {
            return Err(message::source::refused_scheme());
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(message::source::user());
        }
        let address = SourceAddress {
            is_exempt: false,
            url,
        };
        let (host, port) = (address.host().to_owned(), address.port());
        if self.allowed.iter().any(|allowed| allowed.is(&host, port)) {
            let is_exempt = true;
            return Ok(SourceAddress {
                is_exempt,
                ..address
            });
        }
        if !SOURCE_PORTS.contains(&port) {
            let ports = message::list(SOURCE_PORTS);
            return Err(message::source::refused_port(port, ports));
        }
        match address.literal() {
            Some(literal) if !is_public(literal) => Err(message::source::refused_network()),
            None if is_local_name(&host) => Err(message::source::refused_name(host)),
            _ => Ok(address),
        }
    }
}

impl SourceAddress {
    /// Returns the address in its normal form.
    pub fn as_str(&self) -> &str {
        self.url.as_str()
    }

    /// Returns the host; an IPv6 address is in brackets.
    pub fn host(&self) -> &str {
        self.url.host_str().unwrap_or_default()
    }

    /// Returns the port.
    pub fn port(&self) -> u16 {
        self.url.port_or_known_default().unwrap_or_default()
    }

    /// Returns whether it is https.
    pub fn is_https(&self) -> bool {
        self.url.scheme() == "https"
    }

    /// Returns whether the operator allows its host, whatever it is.
    pub fn is_exempt(&self) -> bool {
        self.is_exempt
    }

    /// Returns whether credentials may be sent to it.
    pub fn may_have_credentials(&self) -> bool {
        self.is_https() || self.is_exempt
    }

    /// Returns whether both have the same scheme, host and port, so that one may have the credentials of the other.
    pub fn is_same_origin(&self, other: &Self) -> bool {
        self.url.origin() == other.url.origin()
    }

    /// Returns the address that the host is, unless it is a name.
    pub fn literal(&self) -> Option<IpAddr> {
        match self.url.host()? {
            Host::Ipv4(address) => Some(address.into()),
            Host::Ipv6(address) => Some(address.into()),
            Host::Domain(_) => None,
        }
    }

    /// Returns the address with its query replaced by `?…`: it may be a secret.
    pub fn without_query(&self) -> String {
        without_query(self.as_str())
    }
}

/// Returns an address with its query, which may be a secret, replaced by `?…`.
pub fn without_query(address: &str) -> String {
    match address.split_once('?') {
        None => address.to_owned(),
        Some((before, _)) => format!("{before}?…"),
    }
}

/// Returns whether the host is an IPv6 address with a zone, which no parser of URLs accepts.
fn has_zone(text: &str) -> bool {
    let bracketed = text
        .split_once('[')
        .and_then(|(_, rest)| rest.split_once(']'));
    bracketed.is_some_and(|(inside, _)| inside.contains('%'))
}

fn is_local_name(host: &str) -> bool {
    let host = host.strip_suffix('.').unwrap_or(host);
    let labels = format!(".{host}");
    !host.contains('.') || LOCAL_NAMES.iter().any(|end| labels.ends_with(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(allowed: &[&str]) -> SourceRules {
        let allowed = allowed.iter().map(|text| text.parse().expect("a host"));
        SourceRules {
            allowed: allowed.collect(),
        }
    }

    #[test]
    fn what_is_refused_as_written_says_so() {
        for text in [
            "http://127.0.0.1/",
            "http://[::1]/",
            "http://2130706433/",
            "http://0x7f.1/",
            "http://017700000001/",
            "http://%31%32%37.0.0.1/",
            "http://１２７.0.0.1/",
            "http://127.0.0.1./",
            "http://169.254.169.254/latest/meta-data/",
            "http://[::ffff:10.0.0.1]/",
            "http://[fe80::1%25eth0]/",
            "http://[fe80::1%eth0]/",
            "http://localhost/",
            "http://LOCALHOST./",
            "http://a.localhost/",
            "http://printer.local/",
            "http://metadata.google.internal/",
            "http://nas.home.arpa/",
            "http://intranet/",
            "http://shop.example:22/",
            "https://shop.example:0/",
            "ftp://shop.example/",
            "file:///etc/passwd",
        ] {
            let refused = rules(&[]).check(text).expect_err(text);
            assert!(
                refused.text.contains("address_refused"),
                "{text}: {refused}"
            );
        }
    }

    #[test]
    fn what_is_no_address_is_wrong() {
        for text in [
            "",
            "shop.example/feed",
            "http://",
            "http://a b.example/",
            "http:\\\\shop.example/",
            "http://user:secret@shop.example/",
            "http://user@shop.example/",
            "http://shop.example/#top",
            "http://shop.example:99999/",
            "javascript:alert(1)",
        ] {
            assert!(rules(&[]).check(text).is_err(), "{text}");
        }
        let long = format!("https://shop.example/{}", "a".repeat(2_048));
        assert!(rules(&[]).check(&long).is_err());
    }

    #[test]
    fn public_addresses_pass() {
        for text in [
            "https://shop.example/feed.xml?token=1",
            "http://shop.example:8080/",
            "https://SHOP.example:8443/a b".replace(' ', "%20").as_str(),
            "https://93.184.216.34/feed",
            "https://[2a00:1450::1]/",
            "https://tienda.españa.example/",
            "https://localhost.example/",
            "https://notlocal/"
                .replace("notlocal", "not.thelocal")
                .as_str(),
        ] {
            assert!(rules(&[]).check(text).is_ok(), "{text}");
        }
    }

    #[test]
    fn an_allowed_host_is_exempt_with_its_port_only() {
        let rules = rules(&["127.0.0.1:9000", "intranet"]);
        let address = rules.check("http://127.0.0.1:9000/feed").expect("allowed");
        assert!(address.is_exempt() && address.may_have_credentials());
        assert!(rules.check("http://127.0.0.1:9001/feed").is_err());
        assert!(rules.check("http://intranet:22/feed").is_ok());
        assert!(rules.check("http://2130706433:9000/").is_ok());
    }

    #[test]
    fn redirects_are_checked_like_addresses() {
        let rules = rules(&["127.0.0.1:9000"]);
        let from = rules.check("https://shop.example/a/b").expect("an address");
        let to = |location: &str| rules.redirected(&from, location);
        assert_eq!(
            to("../c?x#y").expect("relative").as_str(),
            "https://shop.example/c?x"
        );
        assert_eq!(to("http://shop.example/"), Err(RedirectFault::Unencrypted));
        assert!(to("http://127.0.0.1:9000/").is_ok());
        for refused in [
            "http://10.0.0.1/",
            "//localhost/",
            "https://shop.example:22/",
            "ftp://shop.example/",
            "https://user@shop.example/",
            "https://[fe80::1%25eth0]/",
            "https://",
        ] {
            let fault = to(refused).expect_err(refused);
            assert!(matches!(fault, RedirectFault::Refused(_)), "{refused}");
        }
        let other = to("https://shop.example:8443/").expect("another port");
        assert!(!other.is_same_origin(&from));
        assert!(
            to("https://shop.example:443/x")
                .expect("the same")
                .is_same_origin(&from)
        );
    }

    #[test]
    fn the_query_is_hidden() {
        let address = rules(&[]).check("https://shop.example/f?token=secret");
        assert_eq!(
            address.expect("an address").without_query(),
            "https://shop.example/f?…"
        );
    }
}
