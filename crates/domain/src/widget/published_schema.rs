//! JSON Schema keywords for the checks of the widget.

use super::features;
use crate::form::by_language;
use crate::limits::{
    DEFAULT_SEARCH_LIMIT_MAX, QUERY_CHARACTERS_MAX, STORE_LANGUAGES_MAX, STYLE_CHARACTERS_MAX,
    TRANSLATION_CHARACTERS_MAX, TRANSLATION_KEYS_MAX, WIDGET_KEYS_MAX, WIDGET_NAME_CHARACTERS_MAX,
};
use crate::search::{Sort, filters_schema};
use schemars::SchemaGenerator;
use serde_json::{Value, json};

/// A short text that cannot end the style or attribute that contains it.
const NAME: &str = r#"^[^"'`&;{}<>\\@\u0000-\u001f\u007f-\u009f]+$"#;
/// A text that cannot end the style that contains it.
const STYLE: &str = r"^[^;{}<>\\@\u0000-\u001f\u007f-\u009f]*$";
/// The syntax of a colour; the functions and names are those of CSS Color Level 4.
const COLOUR: &str =
    r"^\s*(#([0-9A-Fa-f]{3,4}|[0-9A-Fa-f]{6}|[0-9A-Fa-f]{8})|[A-Za-z]+(\([^()]*\))?)\s*$";

/// A theme or a position.
pub(super) fn name() -> Value {
    json!({ "pattern": NAME })
}

pub(super) fn colors() -> Value {
    entries(json!({"type": "string", "pattern": COLOUR}))
}

pub(super) fn typography() -> Value {
    entries(
        json!({"type": ["string", "number"], "maxLength": STYLE_CHARACTERS_MAX, "pattern": STYLE}),
    )
}

pub(super) fn translations() -> Value {
    let mut texts = entries(json!({"type": "string", "maxLength": TRANSLATION_CHARACTERS_MAX}));
    texts["maxProperties"] = json!(TRANSLATION_KEYS_MAX);
    let mut all = by_language(texts);
    all["additionalProperties"]["type"] = json!("object");
    all["maxProperties"] = json!(STORE_LANGUAGES_MAX);
    all
}

/// The known features; others may have any name.
pub(super) fn features() -> Value {
    let free = json!({
        "type": ["boolean", "number", "string"], "maxLength": WIDGET_NAME_CHARACTERS_MAX, "pattern": NAME
    });
    let mut all = entries(free);
    all["properties"] = Value::Object(features::schemas());
    all
}

/// The pattern of the keys of entries.
fn key() -> String {
    let further = WIDGET_NAME_CHARACTERS_MAX - 1;
    format!("^[A-Za-z][A-Za-z0-9_.-]{{0,{further}}}$")
}

/// Names of orders, separated by commas.
pub(super) fn sorts() -> Value {
    let names = Sort::ALL.map(Sort::as_str).join("|");
    let pattern = format!(r"^\s*(({names})(\s*,\s*({names}))*)?\s*$");
    json!({"type": "string", "maxLength": WIDGET_NAME_CHARACTERS_MAX, "pattern": pattern})
}

/// The known keys of a search; others may have any name.
pub(super) fn default_search() -> Value {
    json!({"properties": {
        "q": {"type": "string", "maxLength": QUERY_CHARACTERS_MAX},
        "sort": {"enum": Sort::ALL.map(Sort::as_str)},
        "limit": {"type": "integer", "minimum": 1, "maximum": DEFAULT_SEARCH_LIMIT_MAX},
        "filters": filters_schema(&mut SchemaGenerator::default())
    }})
}

fn entries(value: Value) -> Value {
    json!({
        "propertyNames": {"pattern": key()},
        "maxProperties": WIDGET_KEYS_MAX,
        "additionalProperties": value
    })
}
