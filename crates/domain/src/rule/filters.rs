//! The filters of FILTER rules: which values each field takes.

use super::action::count_at;
use crate::invalid::Invalid;
use crate::limits::{FILTER_VALUES_MAX, FILTERS_MAX, VALUE_CHARACTERS_MAX};
use crate::message::{self, Message};
use crate::search::{FilterChoice, FilterField, FilterKind, FilterValue, RangeValue};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Gives the schema of the filters of a rule a name, because some client generators need one.
pub(super) enum RuleFilters {}

impl JsonSchema for RuleFilters {
    fn schema_name() -> Cow<'static, str> {
        "RuleFilters".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        BTreeMap::<String, FilterValue>::json_schema(generator)
    }
}

/// The values of one field of a FILTER rule.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum FilterInput {
    /// One id or text.
    One(#[schemars(length(min = 1, max = VALUE_CHARACTERS_MAX))] String),
    /// A flag.
    Flag(bool),
    /// Several ids or texts: any of them.
    Any(
        #[schemars(length(min = 1, max = FILTER_VALUES_MAX), inner(length(min = 1, max = VALUE_CHARACTERS_MAX)))]
         Vec<String>,
    ),
    /// A range, its ends included.
    Range(RangeValue),
}

/// Checks the filters; returns `None` and adds to `errors` if they are invalid.
pub(super) fn check(
    fields: BTreeMap<String, FilterInput>,
    errors: &mut Vec<Invalid>,
) -> Option<BTreeMap<String, FilterValue>> {
    count_at("filter", fields.len(), FILTERS_MAX, errors)?;
    let known = errors.len();
    let mut checked = BTreeMap::new();
    for (name, value) in fields {
        match filter(&name, value) {
            Ok(value) => {
                checked.insert(name, value);
            }
            Err(reason) => errors.push(Invalid::new(format!("actions.filter.{name}"), reason)),
        }
    }
    (errors.len() == known).then_some(checked)
}

/// Checks a filter of the field `name` and converts it to the form that is stored.
fn filter(name: &str, value: FilterInput) -> Result<FilterValue, Message> {
    let field = FilterField::parse(name).ok_or_else(FilterField::expected)?;
    let value = match value {
        FilterInput::One(only) => FilterValue::Any(vec![only]),
        FilterInput::Flag(flag) if field.kind() == FilterKind::Flag => {
            FilterValue::Any(vec![flag.to_string()])
        }
        FilterInput::Flag(_) => {
            return Err(message::value::must_be(message::kind::either(
                message::kind::text(),
                message::kind::texts(),
            )));
        }
        FilterInput::Any(values) => FilterValue::Any(values),
        FilterInput::Range(range) => FilterValue::Range(range),
    };
    let characters = |value: &String| (1..=VALUE_CHARACTERS_MAX).contains(&value.chars().count());
    if let FilterValue::Any(values) = &value
        && !values.iter().all(characters)
    {
        return Err(message::filter::values_from_to(1, VALUE_CHARACTERS_MAX));
    }
    FilterChoice::new(field, value.clone()).map(|_| value)
}

/// Returns the keywords that the schema of the filters publishes: the values of each field.
pub(super) fn published() -> Value {
    let text = json!({"type": "string", "minLength": 1, "maxLength": VALUE_CHARACTERS_MAX});
    let list = |items: &Value| json!({"type": "array", "items": items, "minItems": 1, "maxItems": FILTER_VALUES_MAX});
    let number = json!({"type": "number"});
    let range = json!({
        "type": "object",
        "properties": {"min": number, "max": number},
        "additionalProperties": false,
        "minProperties": 1
    });
    let state = json!({"enum": ["true", "false"]});
    let flag = json!({"anyOf": [{"type": "boolean"}, state, list(&state)]});
    let ranges = FilterField::names_of(FilterKind::Range).into_iter();
    let flags = FilterField::names_of(FilterKind::Flag).into_iter();
    let fixed = ranges.map(|field| (field, range.clone()));
    let fixed = fixed.chain(flags.map(|field| (field, flag.clone())));
    json!({
        "propertyNames": FilterField::published(),
        "properties": Map::from_iter(fixed),
        "additionalProperties": {"anyOf": [text, list(&text)]}
    })
}
