//! Messages for schema violations, in the API's own words.

use super::path::Path;
use super::semantic::Violation;
use crate::message;
use domain::Message;
use domain::message::{MessageValue, list};
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
            bound: bound(kind, schema),
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
    let names = either(kinds.map(named_type));
    unreadable(at, message::value::must_be_got(names, shown(value)))
}

fn unreadable(at: Path, reason: Message) -> Violation {
    Violation {
        at,
        reason,
        readable: false,
        bound: None,
    }
}

/// Returns the reason for a missing key, with its possible values if it is an enum.
fn required(place: &Value) -> Message {
    match place.get("enum").and_then(Value::as_array) {
        Some(options) => message::value::required_one_of(list(options.iter().map(shown))),
        None => message::value::required(),
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

/// Returns the bound that a number exceeds.
fn bound(kind: &ValidationErrorKind, schema: &Value) -> Option<Value> {
    let name = match kind {
        ValidationErrorKind::Minimum { .. } => "minimum",
        ValidationErrorKind::Maximum { .. } => "maximum",
        _ => return None,
    };
    schema.get(name).cloned()
}

fn reason(
    kind: &ValidationErrorKind,
    value: &Value,
    place: &Value,
    error: &ValidationError<'_>,
) -> Message {
    use ValidationErrorKind as Kind;
    use message::value as say;
    match kind {
        Kind::Type { .. } | Kind::Enum { .. } if value.is_null() => say::null(),
        Kind::Type { kind } => say::must_be_got(types(kind), shown(value)),
        Kind::Enum { options } => {
            let options = options.as_array().into_iter().flatten();
            say::one_of_got(list(options.map(shown)), shown(value))
        }
        Kind::Minimum { .. } | Kind::Maximum { .. } => match SchemaBounds::of(place, "imum") {
            SchemaBounds(Some(min), Some(max)) => message::number::between(min, max, shown(value)),
            SchemaBounds(Some(min), None) => message::number::at_least(min, shown(value)),
            SchemaBounds(None, Some(max)) => message::number::at_most(max, shown(value)),
            SchemaBounds(None, None) => say::beyond_limits(),
        },
        Kind::MinLength { .. } if value == "" => say::empty(),
        Kind::MinLength { .. } | Kind::MaxLength { .. } => {
            let characters = value.as_str().map_or(0, |text| text.chars().count());
            match SchemaBounds::of(place, "Length") {
                SchemaBounds(Some(min), Some(max)) => message::text::between(min, max, characters),
                SchemaBounds(Some(min), None) => message::text::at_least(min, characters),
                SchemaBounds(None, Some(max)) => message::text::at_most(max, characters),
                SchemaBounds(None, None) => say::beyond_limits(),
            }
        }
        Kind::MinItems { .. } | Kind::MaxItems { .. } => {
            let items = value.as_array().map_or(0, Vec::len);
            match SchemaBounds::of(place, "Items") {
                SchemaBounds(Some(min), Some(max)) => message::list::between(min, max, items),
                SchemaBounds(Some(min), None) => message::list::at_least(min, items),
                SchemaBounds(None, Some(max)) => message::list::at_most(max, items),
                SchemaBounds(None, None) => say::beyond_limits(),
            }
        }
        Kind::Pattern { .. } | Kind::Format { .. } => {
            let expected = place.get("x-expected").and_then(Value::as_str);
            match expected.map(form) {
                Some(expected) => say::must_be_got(expected, shown(value)),
                None => say::wrong_format(shown(value)),
            }
        }
        Kind::MinProperties { .. } => say::empty(),
        Kind::MaxProperties { limit } => {
            let fields = value.as_object().map_or(0, serde_json::Map::len);
            message::list::fields_at_most(*limit, fields)
        }
        Kind::FalseSchema => say::empty_object(),
        Kind::UniqueItems => say::duplicates(),
        _ => say::of_library(error.masked().to_string()),
    }
}

/// Minimum and maximum of a schema, without a zero fraction: `200` for `200.0`.
struct SchemaBounds(Option<MessageValue>, Option<MessageValue>);

impl SchemaBounds {
    /// Returns the bounds whose keywords end in `of`.
    fn of(place: &Value, of: &str) -> Self {
        let bound = |which: &str| {
            let number = place.get(format!("{which}{of}"))?.as_f64()?;
            Some(MessageValue::from(number))
        };
        Self(bound("min"), bound("max"))
    }
}

/// Returns the form that a schema expects, whose text is `expected`.
fn form(expected: &str) -> MessageValue {
    match message::form(expected) {
        Some(form) => form.into(),
        None => expected.into(),
    }
}

fn types(kind: &TypeKind) -> MessageValue {
    match kind {
        TypeKind::Single(only) => type_name(*only),
        TypeKind::Multiple(several) => either(several.iter().map(type_name)),
    }
}

/// Joins alternatives.
fn either(mut kinds: impl Iterator<Item = MessageValue>) -> MessageValue {
    let first = kinds.next().unwrap_or_else(|| "".into());
    kinds.fold(first, |either, next| {
        message::kind::either(either, next).into()
    })
}

/// Returns the words for a JSON Schema type.
fn named_type(name: &str) -> MessageValue {
    let known = match name {
        "array" => message::kind::list(),
        "boolean" => message::kind::flag(),
        "integer" => message::kind::whole(),
        "number" => message::kind::number(),
        "object" => message::kind::object(),
        "string" => message::kind::text(),
        other => return other.into(),
    };
    known.into()
}

fn type_name(kind: JsonType) -> MessageValue {
    let name = match kind {
        JsonType::Array => message::kind::list(),
        JsonType::Boolean => message::kind::flag(),
        JsonType::Integer => message::kind::whole(),
        JsonType::Null => message::kind::null(),
        JsonType::Number => message::kind::number(),
        JsonType::Object => message::kind::object(),
        JsonType::String => message::kind::text(),
    };
    name.into()
}

/// Formats a value for an error, truncated.
fn shown(value: &Value) -> MessageValue {
    match value {
        Value::Array(_) => message::kind::list().into(),
        Value::Object(_) => message::kind::object().into(),
        other => {
            let text = other.to_string();
            match text.char_indices().nth(SHOWN_CHARACTERS_MAX) {
                Some((end, _)) => MessageValue::of(format_args!("{}…", &text[..end])),
                None => text.into(),
            }
        }
    }
}
