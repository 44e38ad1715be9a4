//! Terms and inputs of synonym groups: how they are published, and how they are trimmed and checked.

use super::Normalise;
use crate::form::{CONTROL, SPACE};
use crate::limits::SYNONYM_CHARACTERS_MAX;
use crate::message::{self, Message};
use serde_json::{Value, json};

/// Returns the keywords that the schema of a list of terms publishes: texts without control characters, except white
/// space at the ends.
pub(super) fn published() -> Value {
    let pattern = format!("^[{SPACE}]*[^{CONTROL}]*[{SPACE}]*$");
    json!({"items": {"type": "string", "minLength": 1, "maxLength": SYNONYM_CHARACTERS_MAX, "pattern": pattern}})
}

/// Returns the trimmed text of a term or input.
///
/// Errors: the reason, without the field.
pub(super) fn parse(text: &str, normalise: Normalise<'_>) -> Result<String, Message> {
    let text = text.trim();
    let characters = text.chars().count();
    if characters > SYNONYM_CHARACTERS_MAX {
        Err(message::text::at_most(SYNONYM_CHARACTERS_MAX, characters))
    } else if text.chars().any(char::is_control) {
        Err(message::text::control())
    } else if normalise(text).is_empty() {
        Err(message::text::letter_or_digit())
    } else {
        Ok(text.to_owned())
    }
}

#[cfg(test)]
mod tests {
    //! 1. The published pattern accepts the texts whose characters the check accepts.

    use super::{parse, published};
    use proptest::prelude::*;
    use regex::Regex;

    proptest! {
        #[test]
        fn the_pattern_accepts_what_the_check_accepts(text in "[a \t\n\u{0}\u{7f}\u{85}\u{a0}\u{2028}\u{3000}]{0,6}") {
            let published = published();
            let pattern = published["items"]["pattern"].as_str().expect("a pattern");
            let pattern = Regex::new(pattern).expect("a regular expression");
            let checked = parse(&text, &|_| "a".to_owned());
            prop_assert_eq!(pattern.is_match(&text), checked.is_ok(), "{:?}", text);
        }
    }
}
