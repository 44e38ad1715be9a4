//! Our own words for what a schema refuses.

use super::beyond::Refusal;
use super::path::Path;
use jsonschema::error::{TypeKind, ValidationErrorKind};
use jsonschema::{JsonType, ValidationError};
use serde_json::Value;

/// Letters of a value that are repeated in an answer.
const VALUE_LETTERS_MAX: usize = 60;

/// Unknown keys of one object for which the nearest known one is looked for: a body may hold a hundred thousand.
const EXPLAINED_MAX: usize = 20;

/// All that one error of the validator says.
pub fn refusals(error: &ValidationError<'_>, schema: &Value) -> Vec<Refusal> {
    let refused = |at, reason| Refusal {
        at,
        reason,
        readable: false,
    };
    let at = Path::of(error.instance_path());
    let value = error.instance().as_ref();
    let place = surroundings(schema, error.schema_path().as_str());
    match error.kind() {
        ValidationErrorKind::Required { property } => {
            let name = property.as_str().unwrap_or_default();
            let reason = required(&place["properties"][name]);
            vec![refused(at.key(name), reason)]
        }
        ValidationErrorKind::AdditionalProperties { unexpected }
        | ValidationErrorKind::UnevaluatedProperties { unexpected } => unexpected
            .iter()
            .enumerate()
            .map(|(nth, name)| refused(at.clone().key(name), unknown(name, nth, place)))
            .collect(),
        ValidationErrorKind::AnyOf { context } | ValidationErrorKind::OneOfNotValid { context } => {
            meant(context).map_or_else(
                || {
                    vec![refused(
                        at.clone(),
                        format!("must be {}", alternatives(context, value)),
                    )]
                },
                |branch| branch.iter().flat_map(|e| refusals(e, schema)).collect(),
            )
        }
        kind => vec![Refusal {
            at,
            reason: reason(kind, value, place, error),
            readable: is_readable(kind),
        }],
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

/// The reason for the `nth` unknown key of an object, with the nearest known one.
fn unknown(name: &str, nth: usize, place: &Value) -> String {
    let known = place.get("properties").and_then(Value::as_object);
    let known = known.filter(|_| nth < EXPLAINED_MAX).into_iter().flatten();
    domain::relevance::unknown(name, known.map(|(name, _)| name.as_str()))
}

/// The part of the schema in which the failed keyword stands.
fn surroundings<'a>(schema: &'a Value, keyword: &str) -> &'a Value {
    keyword
        .rfind('/')
        .and_then(|end| schema.pointer(&keyword[..end]))
        .unwrap_or(&Value::Null)
}

/// The branch of a choice that the value was meant for: the one whose own type it has.
fn meant<'a>(
    context: &'a [Vec<ValidationError<'static>>],
) -> Option<&'a [ValidationError<'static>]> {
    context
        .iter()
        .find(|branch| !branch.iter().any(is_type_of_whole))
        .map(Vec::as_slice)
}

fn is_type_of_whole(error: &ValidationError<'_>) -> bool {
    matches!(error.kind(), ValidationErrorKind::Type { .. })
        && error.schema_path().as_str().matches('/').count() <= depth_of_branch(error)
}

/// Steps of the schema path down to the type of the branch itself: `…/anyOf/<n>/type`.
fn depth_of_branch(error: &ValidationError<'_>) -> usize {
    let path = error.schema_path().as_str();
    let branch = path.rfind("/anyOf/").or_else(|| path.rfind("/oneOf/"));
    branch.map_or(0, |at| path[..at].matches('/').count() + 3)
}

fn alternatives(context: &[Vec<ValidationError<'static>>], value: &Value) -> String {
    let names = context.iter().flatten().filter_map(|error| {
        match (is_type_of_whole(error), error.kind()) {
            (true, ValidationErrorKind::Type { kind }) => Some(types(kind)),
            _ => None,
        }
    });
    let names: Vec<String> = names.collect();
    format!("{}, got {}", names.join(" or "), shown(value))
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
