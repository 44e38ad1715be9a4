//! The description of one operation, made shorter step by step until a model has room for it.

use serde_json::{Map, Value, json};

/// Bytes that the document of one operation may take.
pub const BYTES_MAX: usize = 24_000;

/// What makes a document shorter, in the order in which it is tried.
pub const STEPS: [fn(&mut Value); 6] = [
    refer_to_writes,
    without_patterns,
    join_alike,
    without_descriptions,
    without_errors,
    without_sizes,
];

/// Keywords of sizes and defaults.
const SIZES: [&str; 9] = [
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "uniqueItems",
    "minProperties",
    "maxProperties",
    "default",
    "format",
];

/// Fewest fields of one schema that are written as a map.
const JOINED_MIN: usize = 5;

/// Parts of a draft that are the body of one operation.
const BODIES: [(&str, &str); 3] = [
    ("relevance", "update_relevance"),
    ("widget", "update_widget"),
    ("store", "update_store"),
];
/// Parts of a draft that are lists of records, with the operations that create and update one.
const RECORDS: [(&str, &str, &str); 3] = [
    ("synonyms", "create_synonym", "update_synonym"),
    ("rules", "create_rule", "update_rule"),
    ("filters", "create_filter", "update_filter"),
];

/// Replaces the parts of a draft, or of a configuration file that is imported, by the names of the operations whose bodies
/// they are.
fn refer_to_writes(document: &mut Value) {
    for_each_object(document, &mut |keywords| {
        let Some(Value::Object(parts)) = keywords.get_mut("properties") else {
            return;
        };
        if !(parts.contains_key("synonyms") && parts.contains_key("rules")) {
            return;
        }
        for (part, operation) in BODIES {
            if let Some(part) = parts.get_mut(part) {
                *part = body_of(operation);
            }
        }
        for (part, create, update) in RECORDS {
            if let Some(part) = parts.get_mut(part) {
                replace(part, "/items", create);
                replace(part, "/properties/create/items", create);
                replace(part, "/properties/update/additionalProperties", update);
            }
        }
    });
}

fn replace(part: &mut Value, place: &str, operation: &str) {
    // Responses refer to the schema of a record, which is short.
    if let Some(schema) = part
        .pointer_mut(place)
        .filter(|own| own.get("$ref").is_none())
    {
        *schema = body_of(operation);
    }
}

fn body_of(operation: &str) -> Value {
    let description = format!("As the body of {operation}; see svc://docs/openapi/{operation}.");
    json!({"type": "object", "description": description})
}

/// Removes regular expressions, which a check names in words, and what they are called there.
fn without_patterns(document: &mut Value) {
    for_each_object(document, &mut |keywords| {
        keywords.retain(|keyword, value| {
            let is_pattern = keyword == "pattern" && value.is_string();
            !is_pattern && !keyword.starts_with("x-")
        });
    });
}

/// Writes an object whose fields all have one schema, such as boosts, as a map with these names.
fn join_alike(document: &mut Value) {
    for_each_object(&mut document["components"]["schemas"], &mut |keywords| {
        let Some(Value::Object(fields)) = keywords.get("properties") else {
            return;
        };
        let kinds = fields.values().map(|field| {
            let mut kind = field.clone();
            if let Some(keywords) = kind.as_object_mut() {
                keywords.shift_remove("description");
            }
            kind
        });
        let kinds: Vec<Value> = kinds.collect();
        if kinds.len() < JOINED_MIN || kinds.iter().any(|kind| *kind != kinds[0]) {
            return;
        }
        let names: Vec<String> = fields.keys().cloned().collect();
        let required = keywords.get("required").and_then(Value::as_array);
        if required.is_some_and(|required| required.len() == names.len()) {
            keywords.shift_remove("required");
            keywords.insert("minProperties".to_owned(), json!(names.len()));
        }
        keywords.shift_remove("properties");
        keywords.insert("propertyNames".to_owned(), json!({ "enum": names }));
        keywords.insert("additionalProperties".to_owned(), kinds[0].clone());
    });
}

/// Removes the descriptions of schemas, whose names say most.
fn without_descriptions(document: &mut Value) {
    for_each_object(&mut document["components"]["schemas"], &mut |keywords| {
        let refers = |text: &str| text.contains("svc://docs/openapi/");
        keywords
            .retain(|keyword, value| keyword != "description" || value.as_str().is_none_or(refers));
    });
}

/// Leaves of errors their status and description: all have one body.
fn without_errors(document: &mut Value) {
    let responses = document["components"]["responses"].as_object_mut();
    for (_, response) in responses.into_iter().flatten() {
        if let Some(response) = response.as_object_mut() {
            response.retain(|keyword, _| keyword == "description");
        }
    }
}

/// Removes how long texts and lists may be, and what is taken where nothing is given.
fn without_sizes(document: &mut Value) {
    for_each_object(&mut document["components"]["schemas"], &mut |keywords| {
        // A property may have such a name; its schema is an object.
        keywords.retain(|keyword, value| !SIZES.contains(&keyword.as_str()) || value.is_object());
    });
}

/// Calls `act` with every object at any depth.
fn for_each_object(value: &mut Value, act: &mut dyn FnMut(&mut Map<String, Value>)) {
    match value {
        Value::Object(entries) => {
            act(entries);
            entries
                .values_mut()
                .for_each(|value| for_each_object(value, act));
        }
        Value::Array(items) => items.iter_mut().for_each(|item| for_each_object(item, act)),
        _ => {}
    }
}
