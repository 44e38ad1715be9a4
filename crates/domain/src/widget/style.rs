//! Checks values of styles: fonts, sizes and names; nothing may end the style or load a resource.

use crate::limits::{STYLE_CHARACTERS_MAX, WIDGET_NAME_CHARACTERS_MAX};
use serde_json::Value;

/// CSS functions that compute a size; others might load a resource.
const FUNCTIONS: [&str; 5] = ["calc", "min", "max", "clamp", "var"];

/// Checks that `key` is a letter, followed by letters, digits, `_`, `-` and `.`.
pub(super) fn check_key(key: &str) -> Result<(), String> {
    let is_allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    let valid = key.starts_with(|c: char| c.is_ascii_alphabetic())
        && key.chars().all(is_allowed)
        && key.len() <= WIDGET_NAME_CHARACTERS_MAX;
    if valid {
        Ok(())
    } else {
        Err(format!(
            "must be a name: a letter, then letters, digits, \"_\", \"-\" and \".\", at most {WIDGET_NAME_CHARACTERS_MAX} characters"
        ))
    }
}

/// Checks that `name` is a short text that cannot end the style or attribute that contains it.
pub(super) fn check_name(name: &str) -> Result<(), String> {
    let characters = name.chars().count();
    if name.trim().is_empty() || characters > WIDGET_NAME_CHARACTERS_MAX {
        return Err(format!(
            "must have between 1 and {WIDGET_NAME_CHARACTERS_MAX} characters, got {characters}"
        ));
    }
    if name.contains(['"', '\'', '`', '&']) {
        return Err("must not contain quotes or \"&\"".to_owned());
    }
    check_text(name)
}

/// Checks that a text that may be blank has at most [`WIDGET_NAME_CHARACTERS_MAX`] characters.
pub(super) fn check_length(text: &str) -> Result<(), String> {
    let characters = text.chars().count();
    if characters > WIDGET_NAME_CHARACTERS_MAX {
        return Err(format!(
            "must have at most {WIDGET_NAME_CHARACTERS_MAX} characters, got {characters}"
        ));
    }
    Ok(())
}

/// Checks that `value` is a number, or a text that is safe as the value of a style.
pub(super) fn check(value: &Value) -> Result<(), String> {
    match value {
        Value::Number(_) => Ok(()),
        Value::String(text) if text.chars().count() <= STYLE_CHARACTERS_MAX => check_text(text),
        Value::String(text) => Err(format!(
            "must have at most {STYLE_CHARACTERS_MAX} characters, got {}",
            text.chars().count()
        )),
        _ => Err("must be text or a number".to_owned()),
    }
}

fn check_text(text: &str) -> Result<(), String> {
    let lower = text.to_lowercase();
    if text
        .chars()
        .any(|c| ";{}<>\\@".contains(c) || c.is_control())
    {
        Err("must not contain ; { } < > \\ @ or control characters".to_owned())
    } else if lower.contains("/*") || lower.contains("//") {
        Err("must not contain a comment or a URL".to_owned())
    } else if ['"', '\'']
        .iter()
        .any(|quote| text.matches(*quote).count() % 2 == 1)
    {
        Err("must close its quotes".to_owned())
    } else if let Some(function) = lower
        .match_indices('(')
        .find_map(|(at, _)| foreign(&lower[..at]))
    {
        Err(format!(
            "must not call {function}(; allowed are {}",
            FUNCTIONS.join(", ")
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
