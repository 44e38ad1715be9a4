//! JSON Schema keywords that are published, but not used to validate requests, and conditions between keys of an object.
//!
//! Keywords of single values stand with the types of these values (`form`).

use serde_json::{Value, json};

/// Key of a schema that holds such keywords. The published schema has them beside its own.
pub const PUBLISHED_KEY: &str = "x-published";

/// Returns the schema of an object with these `properties` and `required` keys, which does not restrict other keys.
///
/// Some linters treat an object without `additionalProperties` as closed, and report a required key without a schema;
/// so both are written.
pub fn object_schema(properties: Value, required: &[&str]) -> Value {
    let mut part = json!({"properties": properties, "additionalProperties": true});
    for key in required {
        let schema = &mut part["properties"][*key];
        if schema.is_null() {
            *schema = json!({});
        }
    }
    if !required.is_empty() {
        part["required"] = json!(required);
    }
    part
}

/// Returns the schema of an object in which `key` has this value.
pub fn is(key: &str, value: &str) -> Value {
    object_schema(json!({ key: {"const": value} }), &[key])
}
