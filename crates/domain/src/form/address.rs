//! Addresses within a shop or outside of it: what a rule may redirect to or show a picture from.

use super::{bounded, text_form, url, with_pattern};
use crate::limits::URL_CHARACTERS_MAX;
use crate::message::{self, Message};

text_form!(
    /// An absolute http or https URL, or a path of the shop that starts with one slash.
    Address,
    with_pattern(bounded(1..=URL_CHARACTERS_MAX), &pattern()),
    check
);

fn check(text: &str) -> Result<(), Message> {
    if !text.starts_with('/') {
        return match url::after_scheme(text) {
            None => Err(message::address::absolute_or_path()),
            Some(_) => url::check(text),
        };
    }
    if text.starts_with("//") {
        return Err(message::address::two_slashes());
    }
    url::check_characters(text)?;
    let characters = text.chars().count();
    if characters > URL_CHARACTERS_MAX {
        return Err(message::text::at_most(URL_CHARACTERS_MAX, characters));
    }
    Ok(())
}

fn pattern() -> String {
    let bad = url::bad_characters();
    format!(r"^(/([^/{bad}][^{bad}]*)?|{})$", url::pattern())
}
