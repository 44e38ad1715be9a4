//! What may stand in a style: fonts, sizes and names, and nothing that ends the style or fetches anything.

use crate::limits::{STYLE_CHARACTERS_MAX, WIDGET_NAME_CHARACTERS_MAX};
use serde_json::Value;

/// Functions that compute a size; any other might fetch something.
const FUNCTIONS: [&str; 5] = ["calc", "min", "max", "clamp", "var"];

/// Is `key` a name for one entry: a letter, then letters, digits, `_`, `-` and `.`?
pub(super) fn check_key(key: &str) -> Result<(), String> {
    let is_allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    let valid = key.starts_with(|c: char| c.is_ascii_alphabetic())
        && key.chars().all(is_allowed)
        && key.len() <= WIDGET_NAME_CHARACTERS_MAX;
    if valid {
        Ok(())
    } else {
        Err(format!(
            "is no name: a letter, then letters, digits, \"_\", \"-\" and \".\", at most {WIDGET_NAME_CHARACTERS_MAX} in all"
        ))
    }
}

/// Is `name` a short text that cannot end the style or the attribute it stands in?
pub(super) fn check_name(name: &str) -> Result<(), String> {
    let characters = name.chars().count();
    if name.trim().is_empty() || characters > WIDGET_NAME_CHARACTERS_MAX {
        return Err(format!(
            "must have between 1 and {WIDGET_NAME_CHARACTERS_MAX} letters, got {characters}"
        ));
    }
    if name.contains(['"', '\'', '`', '&']) {
        return Err("must hold neither quotes nor \"&\"".to_owned());
    }
    check_text(name)
}

/// Is `value` a number, or a text that is safe as the value of a style?
pub(super) fn check(value: &Value) -> Result<(), String> {
    match value {
        Value::Number(_) => Ok(()),
        Value::String(text) if text.chars().count() <= STYLE_CHARACTERS_MAX => check_text(text),
        Value::String(text) => Err(format!(
            "must have at most {STYLE_CHARACTERS_MAX} letters, got {}",
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
        Err("must hold none of ; { } < > \\ @ and no control character".to_owned())
    } else if lower.contains("/*") || lower.contains("//") {
        Err("must hold neither a comment nor an address".to_owned())
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
            "must not call {function}(; the functions {} are taken",
            FUNCTIONS.join(", ")
        ))
    } else {
        Ok(())
    }
}

/// The name at the end of `before`, unless it is one of the functions that are taken, or a bracket without a name.
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
