//! What is searched, as requests hold it: a query and the code of its language.

use super::{bounded, text_form, with_pattern};
use crate::Language;
use crate::language::LANGUAGE_PATTERN;
use crate::limits::{LANGUAGE_CHARACTERS_MAX, LANGUAGE_CHARACTERS_MIN, QUERY_CHARACTERS_MAX};
use crate::message::{self, Message};

text_form!(
    /// A query as it was typed, of at most [`QUERY_CHARACTERS_MAX`] characters; empty browses.
    QueryText,
    bounded(0..=QUERY_CHARACTERS_MAX),
    check_query
);

text_form!(
    /// The code of a language that [`Language::parse`] accepts, in upper or lower case.
    LanguageCode,
    with_pattern(
        bounded(LANGUAGE_CHARACTERS_MIN..=LANGUAGE_CHARACTERS_MAX),
        LANGUAGE_PATTERN
    ),
    |text| Language::parse(text).map(drop)
);

/// Checks the length of a query.
///
/// Errors: the reason, without the field.
pub(crate) fn check_query(query: &str) -> Result<(), Message> {
    let characters = query.chars().count();
    if characters > QUERY_CHARACTERS_MAX {
        return Err(message::text::at_most(QUERY_CHARACTERS_MAX, characters));
    }
    Ok(())
}
