//! Messages for schema violations, in the API's own words.

use super::path::Path;
use super::semantic::Violation;
use jsonschema::error::{TypeKind, ValidationErrorKind};
use jsonschema::{JsonType, ValidationError};
use serde_json::Value;

/// Characters of a value that an error shows.
const SHOWN_CHARACTERS_MAX: usize = 60;

/// Unknown keys of one object for which an error suggests the nearest known one: a body may have a hundred thousand.
const SUGGESTIONS_MAX: usize = 20;

/// A value and its schema.
#[derive(Clone, Copy, Debug)]
pub(super) struct CheckedValue<'a> {
    /// The schema of the value.
    pub schema: &'a Value,
    /// The value.
    pub value: &'a Value,
}

/// Describes one error of the validator about the value at `at`.
pub(super) fn described(
    at: Path,
    error: &ValidationError<'_>,
    place: CheckedValue<'_>,
) -> Violation {
    let CheckedValue { schema, value } = place;
    match error.kind() {
        ValidationErrorKind::Required { property } => {
            let name = property.as_str().unwrap_or_default();
            unreadable(at.key(name), required(&schema["properties"][name]))
        }
        kind => Violation {
            at,
            reason: reason(kind, value, schema, error),
            readable: is_readable(kind),
        },
    }
}

/// Describes the `nth` unknown key of an object, with the nearest known one.
pub(super) fn unknown_key(at: Path, name: &str, nth: usize, place: &Value) -> Violation {
    let known = place.get("properties").and_then(Value::as_object);
    let known = known
        .filter(|_| nth < SUGGESTIONS_MAX)
        .into_iter()
        .flatten();
    let known = known.map(|(name, _)| name.as_str());
    unreadable(at, domain::relevance::unknown(name, known))
}

/// Describes a value whose type matches none of several alternatives.
pub(super) fn no_alternative<'a>(
    at: Path,
    alternatives: impl Iterator<Item = &'a Value>,
    value: &Value,
) -> Violation {
    let kinds = alternatives.filter_map(|schema| schema.get("type")?.as_str());
    let names: Vec<&str> = kinds.map(named_type).collect();
    unreadable(
        at,
        format!("must be {}, got {}", names.join(" or "), shown(value)),
    )
}

fn unreadable(at: Path, reason: String) -> Violation {
    Violation {
        at,
        reason,
        readable: false,
    }
}

/// Returns the reason for a missing key, with its possible values if it is an enum.
fn required(place: &Value) -> String {
    match place.get("enum").and_then(Value::as_array) {
        Some(options) => format!("is required: one of {}", list(options.iter().map(shown))),
        None => "is required".to_owned(),
    }
}

/// Returns whether the value has the right type and only its size is out of range.
fn is_readable(kind: &ValidationErrorKind) -> bool {
    use ValidationErrorKind as Kind;
    matches!(
        kind,
        Kind::Minimum { .. }
            | Kind::Maximum { .. }
            | Kind::MinLength { .. }
            | Kind::MaxLength { .. }
            | Kind::MinItems { .. }
            | Kind::MaxItems { .. }
            | Kind::MinProperties { .. }
            | Kind::MaxProperties { .. }
    )
}

fn reason(
    kind: &ValidationErrorKind,
    value: &Value,
    place: &Value,
    error: &ValidationError<'_>,
) -> String {
    use ValidationErrorKind as Kind;
    match kind {
        Kind::Type { .. } | Kind::Enum { .. } if value.is_null() => "must not be null".to_owned(),
        Kind::Type { kind } => format!("must be {}, got {}", types(kind), shown(value)),
        Kind::Enum { options } => format!(
            "must be one of {}, got {}",
            list(options.as_array().into_iter().flatten().map(shown)),
            shown(value)
        ),
        Kind::Minimum { .. } | Kind::Maximum { .. } => {
            let got = shown(value);
            format!("must be {}, got {got}", range(place, "minimum", "maximum"))
        }
        Kind::MinLength { .. } if value == "" => "must not be empty".to_owned(),
        Kind::MinLength { .. } | Kind::MaxLength { .. } => {
            let characters = value.as_str().map_or(0, |text| text.chars().count());
            let bounds = range(place, "minLength", "maxLength");
            format!("must have {bounds} characters, got {characters}")
        }
        Kind::MinItems { .. } | Kind::MaxItems { .. } => {
            let items = value.as_array().map_or(0, Vec::len);
            let bounds = range(place, "minItems", "maxItems");
            format!("must have {bounds} items, got {items}")
        }
        Kind::Pattern { .. } | Kind::Format { .. } => {
            match place.get("x-expected").and_then(Value::as_str) {
                Some(expected) => format!("must be {expected}, got {}", shown(value)),
                None => format!("has the wrong format, got {}", shown(value)),
            }
        }
        Kind::MinProperties { .. } => "must not be empty".to_owned(),
        Kind::MaxProperties { limit } => {
            let fields = value.as_object().map_or(0, serde_json::Map::len);
            format!("must have at most {limit} fields, got {fields}")
        }
        Kind::FalseSchema => "must be an empty object".to_owned(),
        Kind::UniqueItems => "must not contain duplicates".to_owned(),
        _ => error.masked().to_string(),
    }
}

fn types(kind: &TypeKind) -> String {
    match kind {
        TypeKind::Single(only) => type_name(*only).to_owned(),
        TypeKind::Multiple(several) => several
            .iter()
            .map(type_name)
            .collect::<Vec<_>>()
            .join(" or "),
    }
}

/// Returns the words for a JSON Schema type.
fn named_type(name: &str) -> &str {
    match name {
        "array" => "a list",
        "boolean" => "true or false",
        "integer" => "a whole number",
        "number" => "a number",
        "object" => "an object",
        "string" => "text",
        other => other,
    }
}

fn type_name(kind: JsonType) -> &'static str {
    match kind {
        JsonType::Array => "a list",
        JsonType::Boolean => "true or false",
        JsonType::Integer => "a whole number",
        JsonType::Null => "null",
        JsonType::Number => "a number",
        JsonType::Object => "an object",
        JsonType::String => "text",
    }
}

/// Formats bounds such as "between 1 and 255", or only one of them.
fn range(place: &Value, least: &str, most: &str) -> String {
    let bound = |name: &str| place.get(name).map(plain);
    match (bound(least), bound(most)) {
        (Some(min), Some(max)) => format!("between {min} and {max}"),
        (Some(min), None) => format!("at least {min}"),
        (None, Some(max)) => format!("at most {max}"),
        (None, None) => "within the limits".to_owned(),
    }
}

/// Formats a bound without a zero fraction: `200` for `200.0`.
fn plain(bound: &Value) -> String {
    let text = bound.to_string();
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

fn list(texts: impl Iterator<Item = String>) -> String {
    texts.collect::<Vec<_>>().join(", ")
}

/// Formats a value for an error, truncated.
fn shown(value: &Value) -> String {
    match value {
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
        other => {
            let text = other.to_string();
            match text.char_indices().nth(SHOWN_CHARACTERS_MAX) {
                Some((end, _)) => format!("{}…", &text[..end]),
                None => text,
            }
        }
    }
}
