//! Our own words for what a schema refuses.

use super::beyond::Violation;
use super::path::Path;
use jsonschema::error::{TypeKind, ValidationErrorKind};
use jsonschema::{JsonType, ValidationError};
use serde_json::Value;

/// Letters of a value that are repeated in an answer.
const VALUE_LETTERS_MAX: usize = 60;

/// Unknown keys of one object for which the nearest known one is looked for: a body may hold a hundred thousand.
const EXPLAINED_MAX: usize = 20;

/// A value and what holds for it.
#[derive(Clone, Copy, Debug)]
pub(super) struct CheckedValue<'a> {
    /// The schema of the value.
    pub schema: &'a Value,
    /// The value.
    pub value: &'a Value,
}

/// What one error of the validator about the value at `at` says.
pub(super) fn refusal(at: Path, error: &ValidationError<'_>, place: CheckedValue<'_>) -> Violation {
    let CheckedValue { schema, value } = place;
    match error.kind() {
        ValidationErrorKind::Required { property } => {
            let name = property.as_str().unwrap_or_default();
            refused(at.key(name), required(&schema["properties"][name]))
        }
        kind => Violation {
            at,
            reason: reason(kind, value, schema, error),
            readable: is_readable(kind),
        },
    }
}

/// The refusal of the `nth` unknown key of an object, with the nearest known one.
pub(super) fn unknown_key(at: Path, name: &str, nth: usize, place: &Value) -> Violation {
    let known = place.get("properties").and_then(Value::as_object);
    let known = known.filter(|_| nth < EXPLAINED_MAX).into_iter().flatten();
    let known = known.map(|(name, _)| name.as_str());
    refused(at, domain::relevance::unknown(name, known))
}

/// The refusal of a value that none of several alternatives was meant for.
pub(super) fn no_alternative<'a>(
    at: Path,
    alternatives: impl Iterator<Item = &'a Value>,
    value: &Value,
) -> Violation {
    let kinds = alternatives.filter_map(|schema| schema.get("type")?.as_str());
    let names: Vec<&str> = kinds.map(named_type).collect();
    refused(
        at,
        format!("must be {}, got {}", names.join(" or "), shown(value)),
    )
}

fn refused(at: Path, reason: String) -> Violation {
    Violation {
        at,
        reason,
        readable: false,
    }
}

/// The reason for a key that is missing, with what it may be where that is a list.
fn required(place: &Value) -> String {
    match place.get("enum").and_then(Value::as_array) {
        Some(options) => format!("is required: one of {}", list(options.iter().map(shown))),
        None => "is required".to_owned(),
    }
}

/// Does a value of the right type stand there, of a size that is not taken?
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
            let letters = value.as_str().map_or(0, |text| text.chars().count());
            let bounds = range(place, "minLength", "maxLength");
            format!("must have {bounds} letters, got {letters}")
        }
        Kind::MinItems { .. } | Kind::MaxItems { .. } => {
            let items = value.as_array().map_or(0, Vec::len);
            let bounds = range(place, "minItems", "maxItems");
            format!("must have {bounds} items, got {items}")
        }
        Kind::Pattern { .. } | Kind::Format { .. } => {
            match place.get("x-expected").and_then(Value::as_str) {
                Some(expected) => format!("must be {expected}, got {}", shown(value)),
                None => format!("is not written as it must be, got {}", shown(value)),
            }
        }
        Kind::MinProperties { .. } => "must not be empty".to_owned(),
        Kind::MaxProperties { limit } => {
            let fields = value.as_object().map_or(0, serde_json::Map::len);
            format!("must have at most {limit} fields, got {fields}")
        }
        Kind::FalseSchema => "must be an empty object".to_owned(),
        Kind::UniqueItems => "must not hold anything twice".to_owned(),
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

/// The type that a schema calls `name`, in our words.
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

/// "between 1 and 255", or the one bound that there is.
fn range(place: &Value, least: &str, most: &str) -> String {
    let bound = |name: &str| place.get(name).map(plain);
    match (bound(least), bound(most)) {
        (Some(min), Some(max)) => format!("between {min} and {max}"),
        (Some(min), None) => format!("at least {min}"),
        (None, Some(max)) => format!("at most {max}"),
        (None, None) => "within the limits".to_owned(),
    }
}

/// A bound without an empty fraction: `200` of `200.0`.
fn plain(bound: &Value) -> String {
    let text = bound.to_string();
    text.strip_suffix(".0").map_or(text.clone(), str::to_owned)
}

fn list(texts: impl Iterator<Item = String>) -> String {
    texts.collect::<Vec<_>>().join(", ")
}

/// A value as it was sent, shortened.
fn shown(value: &Value) -> String {
    match value {
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
        other => {
            let text = other.to_string();
            match text.char_indices().nth(VALUE_LETTERS_MAX) {
                Some((end, _)) => format!("{}…", &text[..end]),
                None => text,
            }
        }
    }
}
