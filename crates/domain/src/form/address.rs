//! Addresses within a shop or outside of it: what a rule may redirect to or show a picture from.

use super::{bounded, text_form, url, with_pattern};
use crate::limits::URL_CHARACTERS_MAX;

text_form!(
    /// An absolute http or https URL, or a path of the shop that starts with one slash.
    Address,
    with_pattern(bounded(1..=URL_CHARACTERS_MAX), &pattern()),
    check
);

fn check(text: &str) -> Result<(), String> {
    if !text.starts_with('/') {
        return url::check(text).map_err(|reason| match reason.as_str() {
            url::NOT_ABSOLUTE => format!("{reason}, or a path that starts with one \"/\""),
            _ => reason,
        });
    }
    if text.starts_with("//") {
        let expected = url::NOT_ABSOLUTE;
        return Err(format!(
            "{expected}, or a path that starts with one \"/\", not two"
        ));
    }
    url::check_characters(text)?;
    let characters = text.chars().count();
    if characters > URL_CHARACTERS_MAX {
        return Err(format!(
            "must have at most {URL_CHARACTERS_MAX} characters, got {characters}"
        ));
    }
    Ok(())
}

fn pattern() -> String {
    let bad = url::bad_characters();
    format!(r"^(/([^/{bad}][^{bad}]*)?|{})$", url::pattern())
}
