//! Addresses of pages and pictures: absolute, or resolved against the address of the shop.

use domain::form::Url;
use std::fmt::Write;

/// Why there is no address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoAddress {
    /// It is relative, and the address of the shop is not given.
    BaseMissing,
    /// It is no address.
    Unreadable,
}

/// Resolves an address; `folder` is put before relative ones.
pub fn resolve(text: &str, base: Option<&str>, folder: &str) -> Result<String, NoAddress> {
    let text = text.trim();
    let address = if starts_with_scheme(text, "http://") || starts_with_scheme(text, "https://") {
        text.to_owned()
    } else if let Some(rest) = text.strip_prefix("//") {
        format!("https://{rest}")
    } else if has_scheme(text) || text.contains(char::is_whitespace) || text.contains('\\') {
        return Err(NoAddress::Unreadable);
    } else {
        relative(text, base.ok_or(NoAddress::BaseMissing)?, folder)
    };
    let address = without_spaces(&address);
    match Url::parse(address) {
        Ok(url) => Ok(url.as_str().to_owned()),
        Err(_) => Err(NoAddress::Unreadable),
    }
}

fn starts_with_scheme(text: &str, scheme: &str) -> bool {
    text.get(..scheme.len())
        .is_some_and(|head| head.eq_ignore_ascii_case(scheme))
}

/// Whether a colon stands before the first slash, as in `ftp:` or `mailto:`.
fn has_scheme(text: &str) -> bool {
    let head = text.split(['/', '?', '#']).next().unwrap_or_default();
    head.contains(':')
}

fn relative(text: &str, base: &str, folder: &str) -> String {
    let base = base.trim_end_matches('/');
    if folder.is_empty() && text.starts_with('/') {
        return format!("{}{text}", origin(base));
    }
    let path = text.trim_start_matches('/');
    format!("{base}{folder}/{path}")
}

fn origin(base: &str) -> &str {
    let start = base.find("://").map_or(0, |at| at + 3);
    let end = base[start..].find('/').map_or(base.len(), |at| start + at);
    &base[..end]
}

fn without_spaces(address: &str) -> String {
    address.replace(' ', "%20")
}

/// Fills a template: `{base}` and columns, which `cell` returns, percent-encoded.
///
/// Errors: a column is empty, or the address of the shop is not given.
pub fn fill(
    template: &str,
    base: Option<&str>,
    cell: impl Fn(&str) -> Option<String>,
) -> Result<String, NoAddress> {
    let mut address = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        let (name, behind) = after.split_once('}').ok_or(NoAddress::Unreadable)?;
        address.push_str(before);
        if name == "base" {
            let base = base.ok_or(NoAddress::BaseMissing)?;
            address.push_str(base.trim_end_matches('/'));
        } else {
            let value = cell(name).ok_or(NoAddress::Unreadable)?;
            push_encoded(&mut address, &value);
        }
        rest = behind;
    }
    address.push_str(rest);
    Url::parse(address)
        .map(|url| url.as_str().to_owned())
        .map_err(|_| NoAddress::Unreadable)
}

fn push_encoded(address: &mut String, value: &str) {
    for byte in value.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'~' | b'/') {
            address.push(char::from(byte));
        } else {
            // Writing to a text does not fail.
            let _ = write!(address, "%{byte:02X}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{NoAddress, fill, resolve};

    #[test]
    fn addresses_are_made_absolute() {
        let base = Some("https://shop.example/es/");
        for (text, folder, expected) in [
            ("https://a.example/x y", "", Ok("https://a.example/x%20y")),
            ("//cdn.example/a.jpg", "", Ok("https://cdn.example/a.jpg")),
            ("/a.html", "", Ok("https://shop.example/a.html")),
            ("a.html", "", Ok("https://shop.example/es/a.html")),
            (
                "/m/b/x.jpg",
                "/media",
                Ok("https://shop.example/es/media/m/b/x.jpg"),
            ),
            ("ftp://a.example", "", Err(NoAddress::Unreadable)),
            ("no picture", "", Err(NoAddress::Unreadable)),
        ] {
            let address = resolve(text, base, folder);
            assert_eq!(address.as_deref(), expected.as_deref(), "{text}");
        }
        assert_eq!(resolve("/a", None, ""), Err(NoAddress::BaseMissing));
        let cell = |name: &str| (name == "ID").then(|| "5 a".to_owned());
        let filled = fill("{base}/?p={ID}", base, cell);
        assert_eq!(filled.as_deref(), Ok("https://shop.example/es/?p=5%20a"));
    }
}
