//! The URLs that a rule may redirect to or show a picture from.

use crate::limits::URL_CHARACTERS_MAX;
use crate::store::check_url;

/// Checks that `text` is an http or https URL, or a path of the shop that starts with one slash.
pub(crate) fn check_address(text: &str) -> Result<(), String> {
    if !text.starts_with('/') {
        return check_url(text).map_err(|reason| match reason.as_str() {
            "must be an absolute http or https address" => {
                format!("{reason}, or a path that starts with one \"/\"")
            }
            _ => reason,
        });
    }
    let characters = text.chars().count();
    if text.starts_with("//") {
        Err("must be an absolute http or https address, or a path that starts with one \"/\", not two".to_owned())
    } else if text
        .chars()
        .any(|c| c.is_control() || c.is_whitespace() || c == '\\')
    {
        Err("must not contain white space, backslashes or control characters".to_owned())
    } else if characters > URL_CHARACTERS_MAX {
        Err(format!(
            "must have at most {URL_CHARACTERS_MAX} characters, got {characters}"
        ))
    } else {
        Ok(())
    }
}
