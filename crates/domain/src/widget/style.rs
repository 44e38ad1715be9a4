//! Checks values of styles: fonts, sizes and names; nothing may end the style or load a resource.

use crate::limits::{STYLE_CHARACTERS_MAX, WIDGET_NAME_CHARACTERS_MAX};
use crate::message::{self, Message};
use serde_json::Value;

/// CSS functions that compute a size; others might load a resource.
const FUNCTIONS: [&str; 5] = ["calc", "min", "max", "clamp", "var"];

/// Checks that `key` is a letter, followed by letters, digits, `_`, `-` and `.`.
pub(super) fn check_key(key: &str) -> Result<(), Message> {
    let is_allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    let valid = key.starts_with(|c: char| c.is_ascii_alphabetic())
        && key.chars().all(is_allowed)
        && key.len() <= WIDGET_NAME_CHARACTERS_MAX;
    if valid {
        Ok(())
    } else {
        Err(message::widget::name(WIDGET_NAME_CHARACTERS_MAX))
    }
}

/// Checks that `name` is a short text that cannot end the style or attribute that contains it.
pub(super) fn check_name(name: &str) -> Result<(), Message> {
    let characters = name.chars().count();
    if name.trim().is_empty() || characters > WIDGET_NAME_CHARACTERS_MAX {
        return Err(message::text::between(
            1,
            WIDGET_NAME_CHARACTERS_MAX,
            characters,
        ));
    }
    if name.contains(['"', '\'', '`', '&']) {
        return Err(message::widget::quotes());
    }
    check_text(name)
}

/// Checks that a text that may be blank has at most [`WIDGET_NAME_CHARACTERS_MAX`] characters.
pub(super) fn check_length(text: &str) -> Result<(), Message> {
    let characters = text.chars().count();
    if characters > WIDGET_NAME_CHARACTERS_MAX {
        return Err(message::text::at_most(
            WIDGET_NAME_CHARACTERS_MAX,
            characters,
        ));
    }
    Ok(())
}

/// Checks that `value` is a number, or a text that is safe as the value of a style.
pub(super) fn check(value: &Value) -> Result<(), Message> {
    match value {
        Value::Number(_) => Ok(()),
        Value::String(text) if text.chars().count() <= STYLE_CHARACTERS_MAX => check_text(text),
        Value::String(text) => Err(message::text::at_most(
            STYLE_CHARACTERS_MAX,
            text.chars().count(),
        )),
        _ => Err(message::value::must_be(message::kind::either(
            message::kind::text(),
            message::kind::number(),
        ))),
    }
}

fn check_text(text: &str) -> Result<(), Message> {
    let lower = text.to_lowercase();
    if text
        .chars()
        .any(|c| ";{}<>\\@".contains(c) || c.is_control())
    {
        Err(message::widget::declaration_characters())
    } else if lower.contains("/*") || lower.contains("//") {
        Err(message::widget::comment_or_url())
    } else if ['"', '\'']
        .iter()
        .any(|quote| text.matches(*quote).count() % 2 == 1)
    {
        Err(message::widget::open_quotes())
    } else if let Some(function) = lower
        .match_indices('(')
        .find_map(|(at, _)| foreign(&lower[..at]))
    {
        Err(message::widget::function(
            function,
            message::list(FUNCTIONS),
        ))
    } else {
        Ok(())
    }
}

/// Returns the function name at the end of `before`, unless it is allowed or the bracket has no name.
fn foreign(before: &str) -> Option<&str> {
    let start = before
        .rfind(|c: char| !(c.is_alphanumeric() || matches!(c, '-' | '_')))
        .map_or(0, |at| {
            at + before[at..].chars().next().map_or(1, char::len_utf8)
        });
    let name = &before[start..];
    let taken = name.is_empty() || FUNCTIONS.contains(&name);
    (!taken).then_some(name)
}
