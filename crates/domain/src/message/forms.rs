//! The forms of texts that schemas name as `x-expected`, by their English texts.

use super::{Message, expected};
use crate::limits::PRICE_GROUP_DIGITS_MAX;

/// Returns the message of the form that a schema names as its `x-expected`.
pub fn form(english: &str) -> Option<Message> {
    let forms = [
        expected::day(),
        expected::language(),
        expected::language_tag(),
        expected::percentage(),
        expected::upper_case_code(),
        expected::lower_case_code(),
        expected::digits(PRICE_GROUP_DIGITS_MAX),
    ];
    forms.into_iter().find(|form| form.text == english)
}
