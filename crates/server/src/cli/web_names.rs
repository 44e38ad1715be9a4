//! Parsers of options with hosts and origins: values that no request could match are wrong usage.

use axum::http::Uri;
use axum::http::uri::Authority;
use std::net::IpAddr;

/// Parses a host, with or without port.
///
/// Errors: the reason why it is invalid.
pub fn host(text: &str) -> Result<String, &'static str> {
    let named = text.trim();
    let is_host = named
        .parse::<Authority>()
        .is_ok_and(|authority| !authority.host().is_empty() && !named.contains('@'));
    if is_host || named.parse::<IpAddr>().is_ok() {
        Ok(named.to_owned())
    } else {
        Err("a host such as mcp.example.com, without scheme and path")
    }
}

/// Parses an origin and adds the default port of its scheme if it has none; `:*` allows any port.
///
/// Errors: the reason why it is invalid.
pub fn origin(text: &str) -> Result<String, &'static str> {
    const REASON: &str = "an origin such as https://agent.example, without path";
    let named = text.trim();
    let (base, port) = match named.strip_suffix(":*") {
        Some(base) => (base, Some("*".to_owned())),
        None => (named, None),
    };
    let uri: Uri = base.parse().map_err(|_| REASON)?;
    let authority = uri.authority().ok_or(REASON)?;
    let default_port = match uri.scheme_str() {
        Some("https") => 443,
        Some("http") => 80,
        _ => return Err(REASON),
    };
    let bare = format!("{}://{authority}", uri.scheme_str().unwrap_or_default());
    if !base.eq_ignore_ascii_case(&bare) || base.contains('@') {
        return Err(REASON);
    }
    match (port, authority.port_u16()) {
        (Some(_), Some(_)) => Err(REASON),
        (Some(any), None) => Ok(format!("{base}:{any}")),
        (None, Some(_)) => Ok(base.to_owned()),
        (None, None) => Ok(format!("{base}:{default_port}")),
    }
}

/// Parses the address of a server, without the path of its API.
///
/// Errors: the reason why it is invalid.
pub fn public_url(text: &str) -> Result<String, &'static str> {
    const REASON: &str = "an address such as https://search.example.com";
    let named = text.trim().trim_end_matches('/');
    let named = named.strip_suffix("/api/v1").unwrap_or(named);
    let is_plain = |c: char| {
        c.is_ascii_graphic() && !matches!(c, '?' | '#' | '@' | '"' | '\'' | '<' | '>' | '\\')
    };
    let valid = domain::form::Url::parse(named).is_ok() && named.chars().all(is_plain);
    match named.parse::<Uri>() {
        Ok(_) if valid => Ok(named.to_owned()),
        _ => Err(REASON),
    }
}

#[cfg(test)]
mod tests {
    //! 1. Valid hosts and origins pass, and an origin gets the port of its scheme; anything else is rejected.
    //! 2. The address of a server has no path of the API and nothing that could end a text that contains it.

    use super::{host, origin, public_url};

    #[test]
    fn addresses_of_servers_are_plain() {
        for (given, known) in [
            ("https://search.example", "https://search.example"),
            ("https://search.example/", "https://search.example"),
            ("http://a.example:8080/x/api/v1/", "http://a.example:8080/x"),
        ] {
            assert_eq!(public_url(given).as_deref(), Ok(known));
        }
        for bad in [
            "",
            "search.example",
            "ftp://a",
            "https://",
            "https://a?b",
            "https://a#b",
            "https://u@a",
            "https://a\"b",
            "https://a/<b>",
        ] {
            assert!(public_url(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn hosts_are_hosts() {
        for good in [
            "mcp.example.com",
            "mcp.example.com:8443",
            "::1",
            "[::1]:80",
            " 10.0.0.1 ",
        ] {
            assert_eq!(host(good).as_deref(), Ok(good.trim()));
        }
        for bad in [
            "",
            "https://mcp.example.com",
            "mcp.example.com/mcp",
            "a@b",
            "a b",
        ] {
            assert!(host(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn origins_have_a_port() {
        for (given, known) in [
            ("https://agent.example", "https://agent.example:443"),
            ("http://agent.example", "http://agent.example:80"),
            ("https://agent.example:8443", "https://agent.example:8443"),
            ("http://localhost:*", "http://localhost:*"),
        ] {
            assert_eq!(origin(given).as_deref(), Ok(known));
        }
        for bad in [
            "",
            "agent.example",
            "https://agent.example/",
            "https://a/b",
            "ftp://a",
            "https://a:1:*",
            "https://u@a",
            "https://*.a b",
        ] {
            assert!(origin(bad).is_err(), "{bad}");
        }
    }
}
