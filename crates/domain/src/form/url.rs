//! Absolute http and https URLs.

use super::pattern::{BLANK, CONTROL};
use super::{bounded, text_form, with_pattern};
use crate::limits::URL_CHARACTERS_MAX;
use crate::message::{self, Message};

text_form!(
    /// An absolute http or https URL with a host, of at most [`URL_CHARACTERS_MAX`] characters.
    Url,
    with_pattern(bounded(0..=URL_CHARACTERS_MAX), &format!("^{}$", pattern())),
    check
);

text_form!(
    /// A [`Url`], or empty text where there is none.
    OptionalUrl,
    with_pattern(bounded(0..=URL_CHARACTERS_MAX), &format!("^({})?$", pattern())),
    |text| if text.is_empty() { Ok(()) } else { check(text) }
);

/// Returns what follows the scheme of an absolute URL.
pub(super) fn after_scheme(url: &str) -> Option<&str> {
    let after = |scheme: &str| {
        let head = url.get(..scheme.len())?;
        head.eq_ignore_ascii_case(scheme)
            .then(|| &url[scheme.len()..])
    };
    after("http://").or_else(|| after("https://"))
}

pub(super) fn check(url: &str) -> Result<(), Message> {
    let Some(rest) = after_scheme(url) else {
        return Err(message::address::absolute());
    };
    let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
    if host.is_empty() || host.starts_with(':') || host.ends_with('@') {
        return Err(message::address::host());
    }
    check_characters(url)?;
    if url.chars().count() > URL_CHARACTERS_MAX {
        return Err(message::text::up_to(URL_CHARACTERS_MAX));
    }
    Ok(())
}

/// Checks that a URL has none of the characters that browsers drop or replace.
pub(super) fn check_characters(url: &str) -> Result<(), Message> {
    let is_bad = |c: char| c.is_control() || c.is_whitespace() || c == '\\';
    if url.chars().any(is_bad) {
        Err(message::address::characters())
    } else {
        Ok(())
    }
}

/// The characters that no URL has, as part of a character class.
pub(super) fn bad_characters() -> String {
    format!(r"{CONTROL}{BLANK}\\")
}

pub(super) fn pattern() -> String {
    let bad = bad_characters();
    let host = format!(r"([^/?#:@{bad}]|[^/?#:{bad}][^/?#{bad}]*[^/?#@{bad}])");
    format!(r"[Hh][Tt][Tt][Pp][Ss]?://{host}([/?#][^{bad}]*)?")
}
