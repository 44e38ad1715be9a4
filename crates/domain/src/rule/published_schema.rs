//! JSON Schema keywords for the checks of rules: the actions of each type, the keys of each mode.

use super::RuleType;
use super::field::NUMERIC_FIELDS;
use crate::form::not_blank_pattern;
use crate::published_schema::{is, object_schema};
use crate::search::{FilterField, FilterKind};
use serde_json::{Value, json};

/// `actions` has exactly the key of the rule's type.
pub(super) fn part_of_type() -> Value {
    let branches = RuleType::ALL.map(|kind| {
        let mut actions = object_schema(json!({}), &[kind.key()]);
        actions["maxProperties"] = json!(1);
        json!({"if": is("type", kind.as_str()), "then": object_schema(json!({ "actions": actions }), &[])})
    });
    json!({ "allOf": branches })
}

/// A banner has a picture or a text.
pub(super) fn picture_or_text() -> Value {
    json!({"anyOf": [object_schema(json!({}), &["imageUrl"]), object_schema(json!({}), &["text"])]})
}

/// An entry has only the keys of its mode.
pub(super) fn keys_of_mode() -> Value {
    let keys = |mut entry: Value, keys: &[&str]| {
        entry["propertyNames"] = json!({ "enum": keys });
        entry
    };
    let field = json!({"field": {"pattern": term_fields()}});
    let term = keys(
        object_schema(field, &["field", "value", "weight"]),
        &["mode", "field", "value", "weight"],
    );
    let field = json!({"field": {"enum": NUMERIC_FIELDS.map(|(_, name)| name)}});
    let value = object_schema(field.clone(), &[]);
    let value = keys(value, &["mode", "field", "factor", "modifier", "missing"]);
    let mut range = keys(
        object_schema(field, &["weight"]),
        &["mode", "field", "min", "max", "weight"],
    );
    range["anyOf"] = json!([
        object_schema(json!({}), &["min"]),
        object_schema(json!({}), &["max"])
    ]);
    // An entry without a mode is a term.
    let no_other = object_schema(json!({"mode": {"const": "term"}}), &[]);
    json!({"allOf": [
        {"if": no_other, "then": term},
        {"if": is("mode", "value"), "then": value},
        {"if": is("mode", "range"), "then": range},
    ]})
}

fn term_fields() -> String {
    let mut fixed = FilterField::names_of(FilterKind::Values);
    fixed.extend(FilterField::names_of(FilterKind::Flag));
    let fixed = fixed.join("|");
    format!(r"^({fixed}|categories\.name|(attributes|features)\.[\s\S]+)$")
}

/// An empty trigger is valid with `contains` only, where it matches every query; a regular expression has no alternatives.
pub(super) fn trigger() -> Value {
    json!({"allOf": [
        {
            "if": is("match", "contains"),
            "else": object_schema(json!({"query": {"pattern": not_blank_pattern()}}), &[])
        },
        {
            "if": is("match", "regex"),
            "then": object_schema(json!({"alternatives": {"maxItems": 0}}), &[])
        }
    ]})
}
