//! `AllowedHost`: a host that the operator lets sources be fetched from, wherever it is.

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

/// A name or an address of `--allow-source-host`, with one port or all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AllowedHost {
    host: String,
    port: Option<u16>,
}

impl AllowedHost {
    /// Returns whether it is that host, written as a URL writes it, and its port.
    pub fn is(&self, host: &str, port: u16) -> bool {
        self.host == host && self.port.is_none_or(|own| own == port)
    }
}

impl FromStr for AllowedHost {
    type Err = String;

    /// Parses `HOST` or `HOST:PORT`; an IPv6 address may be in brackets, and is if it has a port.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong = || format!("must be HOST or HOST:PORT, got {text:?}");
        if let Ok(address) = text.parse::<IpAddr>() {
            let host = match address {
                IpAddr::V4(address) => address.to_string(),
                IpAddr::V6(address) => format!("[{address}]"),
            };
            return Ok(Self { host, port: None });
        }
        // The parser of addresses gives names the form that an address of a source has.
        let url = url::Url::parse(&format!("http://{text}/")).map_err(|_| wrong())?;
        let host = url.host_str().ok_or_else(wrong)?.to_owned();
        let (before, port) = match text.rsplit_once(':') {
            Some((before, port)) if !port.contains(']') => {
                (before, Some(port.parse().map_err(|_| wrong())?))
            }
            _ => (text, None),
        };
        let is_host_alone = url.path() == "/" && url.query().is_none() && !before.contains('@');
        match is_host_alone && !before.contains('/') && url.fragment().is_none() {
            true => Ok(Self { host, port }),
            false => Err(wrong()),
        }
    }
}

impl fmt::Display for AllowedHost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.port {
            None => f.write_str(&self.host),
            Some(port) => write!(f, "{}:{port}", self.host),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::AllowedHost;

    #[test]
    fn hosts_have_one_port_or_all() {
        for (text, host, port, is) in [
            ("127.0.0.1:9000", "127.0.0.1", 9000, true),
            ("127.0.0.1:9000", "127.0.0.1", 9001, false),
            ("127.0.0.1", "127.0.0.1", 9001, true),
            ("Intranet", "intranet", 80, true),
            ("intranet:80", "intranet", 80, true),
            ("intranet", "intranet.example", 80, false),
            ("::1", "[::1]", 80, true),
            ("[::1]:8000", "[::1]", 8000, true),
            ("[::1]", "[::1]", 1, true),
        ] {
            let allowed: AllowedHost = text.parse().expect("a host");
            assert_eq!(allowed.is(host, port), is, "{text}");
        }
    }

    #[test]
    fn what_is_no_host_is_wrong() {
        for text in [
            "", "a/b", "http://a", "a:b", "a:70000", "u@a", "a?b", "a#b", "a b",
        ] {
            assert!(text.parse::<AllowedHost>().is_err(), "{text}");
        }
    }
}
