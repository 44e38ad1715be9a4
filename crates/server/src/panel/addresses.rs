//! Where the control panel is reached: its addresses, and the hosts and origins that belong to them.

use axum::http::Uri;
use domain::StoreId;
use std::fmt;
use std::net::SocketAddr;
use std::str::FromStr;

/// Address of the control panel without path: `https`, or `http` on this machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PanelUrl {
    https: bool,
    host: String,
    port: u16,
}

impl PanelUrl {
    /// Returns the address of a one-time link. Its token is in the fragment, which browsers send to nobody.
    pub fn link(&self, token: &str) -> String {
        format!("{self}/panel/link#{token}")
    }

    /// Returns the address of a store's workbench.
    pub fn workbench(&self, store: &StoreId) -> String {
        format!("{self}/panel/stores/{store}/workbench")
    }

    /// Whether it is reached over https.
    pub fn is_https(&self) -> bool {
        self.https
    }

    /// Its port.
    pub fn port(&self) -> u16 {
        self.port
    }

    fn local(host: impl Into<String>, port: u16) -> Self {
        Self {
            https: false,
            host: host.into(),
            port,
        }
    }

    fn default_port(&self) -> u16 {
        if self.https { 443 } else { 80 }
    }

    /// Returns the host as browsers send it: with the port unless it is that of the scheme.
    fn authority(&self) -> String {
        if self.port == self.default_port() {
            self.host.clone()
        } else {
            format!("{}:{}", self.host, self.port)
        }
    }
}

impl fmt::Display for PanelUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scheme = if self.https { "https" } else { "http" };
        write!(f, "{scheme}://{}", self.authority())
    }
}

impl FromStr for PanelUrl {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        const REASON: &str = "an address such as https://panel.example, without path";
        let bare = text.trim().trim_end_matches('/');
        let uri: Uri = bare.parse().map_err(|_| REASON)?;
        let authority = uri.authority().ok_or(REASON)?;
        let https = match uri.scheme_str() {
            Some("https") => true,
            Some("http") => false,
            _ => return Err(REASON),
        };
        let plain = format!("{}://{authority}", uri.scheme_str().unwrap_or_default());
        if !bare.eq_ignore_ascii_case(&plain) || authority.as_str().contains('@') {
            return Err(REASON);
        }
        let host = authority.host().to_lowercase();
        if !https && !is_loopback(&host) {
            return Err("https, or http for localhost, 127.0.0.1 or [::1]");
        }
        Ok(Self {
            https,
            host,
            port: authority.port_u16().unwrap_or(if https { 443 } else { 80 }),
        })
    }
}

fn is_loopback(host: &str) -> bool {
    matches!(host, "localhost" | "127.0.0.1" | "[::1]")
}

/// All addresses of a control panel; the first one is used in links.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PanelAddresses(Vec<PanelUrl>);

impl PanelAddresses {
    /// Returns the addresses of a server that listens on `listen`: those that were named, or else `public_url`, where
    /// that is one, and this machine if it listens on loopback. `None` if there are none.
    pub fn new(named: &[PanelUrl], public_url: Option<&str>, listen: SocketAddr) -> Option<Self> {
        let mut all = named.to_vec();
        if all.is_empty() {
            all.extend(public_url.and_then(|url| url.parse().ok()));
        }
        if listen.ip().is_loopback() {
            let port = listen.port();
            let own = PanelUrl::local(
                SocketAddr::new(listen.ip(), 0)
                    .to_string()
                    .trim_end_matches(":0"),
                port,
            );
            for url in [own, PanelUrl::local("localhost", port)] {
                if !all.contains(&url) {
                    all.push(url);
                }
            }
        }
        (!all.is_empty()).then_some(Self(all))
    }

    /// Returns the address that links use.
    pub fn first(&self) -> &PanelUrl {
        &self.0[0]
    }

    /// Returns the address with this value of the header `Host`.
    pub fn with_host(&self, host: &str) -> Option<&PanelUrl> {
        let host = host.to_lowercase();
        self.0
            .iter()
            .find(|url| url.authority() == host || format!("{}:{}", url.host, url.port) == host)
    }

    /// Returns whether `origin` is that of the panel.
    pub fn has_origin(&self, origin: &str) -> bool {
        self.0.iter().any(|url| url.to_string() == origin)
    }
}

#[cfg(test)]
mod tests {
    //! 1. An address has a scheme and a host and nothing else; http is for this machine only.
    //! 2. A server on loopback is reached by its address and as localhost; another one only by named addresses.

    use super::*;

    fn url(text: &str) -> Result<PanelUrl, &'static str> {
        text.parse()
    }

    #[test]
    fn addresses_are_origins() {
        for (text, shown) in [
            ("https://panel.example", "https://panel.example"),
            ("https://Panel.Example:443/", "https://panel.example"),
            ("https://panel.example:8443", "https://panel.example:8443"),
            ("http://localhost:7700", "http://localhost:7700"),
            ("http://[::1]", "http://[::1]"),
        ] {
            assert_eq!(url(text).map(|url| url.to_string()).as_deref(), Ok(shown));
        }
        for bad in [
            "",
            "panel.example",
            "http://panel.example",
            "https://panel.example/x",
            "https://u@panel.example",
            "ftp://localhost",
        ] {
            assert!(url(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_server_is_reached_by_its_addresses_only() {
        let local = PanelAddresses::new(&[], None, ([127, 0, 0, 1], 7700).into()).expect("local");
        assert_eq!(local.first().to_string(), "http://127.0.0.1:7700");
        assert!(local.with_host("localhost:7700").is_some());
        assert!(local.with_host("evil.example:7700").is_none());
        assert!(local.with_host("127.0.0.1").is_none(), "another port");
        assert!(local.has_origin("http://localhost:7700"));
        assert!(!local.has_origin("null") && !local.has_origin("http://localhost:7701"));

        let anywhere = ([0, 0, 0, 0], 7700).into();
        assert_eq!(PanelAddresses::new(&[], None, anywhere), None);
        let named = [url("https://panel.example").expect("an address")];
        let named =
            PanelAddresses::new(&named, Some("https://search.example"), anywhere).expect("named");
        assert!(
            named
                .with_host("panel.example")
                .is_some_and(PanelUrl::is_https)
        );
        assert!(named.with_host("PANEL.example:443").is_some());
        assert!(named.with_host("127.0.0.1:7700").is_none());
        assert!(named.with_host("search.example").is_none());
        let public = PanelAddresses::new(&[], Some("https://search.example"), anywhere);
        let public = public.expect("the public address");
        assert_eq!(public.first().to_string(), "https://search.example");
        let six = PanelAddresses::new(&[], None, "[::1]:80".parse().expect("an address"));
        assert_eq!(six.expect("local").first().to_string(), "http://[::1]");
    }
}
