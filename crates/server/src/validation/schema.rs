//! Generates the schemas of inputs and responses: without `null` in inputs, with bounds for integers.

use domain::clearable::CLEARABLE_MARK;
use schemars::generate::SchemaSettings;
use schemars::transform::{Transform, transform_subschemas};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Map, Value, json};

/// Returns the JSON Schema of `T` as an input, without references.
pub fn of<T: JsonSchema>() -> Value {
    let mut settings = SchemaSettings::draft2020_12();
    settings.meta_schema = None;
    settings.inline_subschemas = true;
    let mut schema = settings.into_generator().into_root_schema_for::<T>();
    InputSchema.transform(&mut schema);
    schema.to_value()
}

/// Creates the generator for the schemas of responses, which may allow null and refer to each other.
pub fn response_schemas() -> SchemaGenerator {
    let mut settings = SchemaSettings::draft2020_12().for_serialize();
    settings.meta_schema = None;
    settings.definitions_path = "/components/schemas".into();
    settings.transforms.push(Box::new(ResponseSchema));
    settings.into_generator()
}

/// Returns the schema of one response with all references inlined.
pub fn inlined(answer: fn(&mut SchemaGenerator) -> Schema) -> Value {
    let mut settings = SchemaSettings::draft2020_12().for_serialize();
    settings.meta_schema = None;
    settings.inline_subschemas = true;
    let mut schema = answer(&mut settings.into_generator());
    ResponseSchema.transform(&mut schema);
    schema.to_value()
}

/// Writes integers and constants of responses like those of inputs.
#[derive(Clone)]
struct ResponseSchema;

impl Transform for ResponseSchema {
    fn transform(&mut self, schema: &mut Schema) {
        transform_subschemas(self, schema);
        if let Some(object) = schema.as_object_mut() {
            remove_empty_description(object);
            bound_integers(object);
            list_constants(object);
        }
    }
}

/// Replaces what `Option` and the numeric types of Rust add to a schema by plain JSON Schema.
struct InputSchema;

impl Transform for InputSchema {
    fn transform(&mut self, schema: &mut Schema) {
        transform_subschemas(self, schema);
        if let Some(object) = schema.as_object_mut() {
            if !object.contains_key(CLEARABLE_MARK) {
                remove_null(object);
            }
            remove_empty_description(object);
            bound_integers(object);
            list_constants(object);
            if object.contains_key("enum") {
                // The list implies the type, and one mistake should give one error.
                object.remove("type");
            }
        }
    }
}

/// Removes the place that a type keeps for the description of a field, where no field describes it.
fn remove_empty_description(object: &mut Map<String, Value>) {
    if object.get("description") == Some(&json!("")) {
        object.shift_remove("description");
    }
}

/// Removes null: inputs reject it, except where it unsets a value.
fn remove_null(object: &mut Map<String, Value>) {
    if object.get("default") == Some(&Value::Null) {
        object.remove("default");
    }
    if let Some(Value::Array(options)) = object.get_mut("enum") {
        options.retain(|option| !option.is_null());
    }
    if let Some(Value::Array(types)) = object.get_mut("type") {
        types.retain(|name| name != "null");
        if types.len() == 1 {
            let only = types.remove(0);
            object.insert("type".to_owned(), only);
        }
    }
    if let Some(Value::Array(branches)) = object.get_mut("anyOf") {
        branches.retain(|branch| branch.get("type") != Some(&json!("null")));
        if branches.len() == 1
            && let Some(Value::Object(only)) = branches.pop()
        {
            object.remove("anyOf");
            for (key, value) in only {
                object.entry(key).or_insert(value);
            }
        }
    }
}

/// Replaces the names of Rust's integer types by bounds, so that valid numbers fit the type.
fn bound_integers(object: &mut Map<String, Value>) {
    let (min, max) = match object.get("format").and_then(Value::as_str) {
        Some("uint32") => (json!(0), json!(u32::MAX)),
        // Above 2^53, JSON numbers are not exact for most clients.
        Some("uint64" | "uint") => (json!(0), json!(MAX_SAFE)),
        Some("int64") => (json!(-MAX_SAFE), json!(MAX_SAFE)),
        Some("double" | "float") => {
            object.remove("format");
            return;
        }
        _ => return,
    };
    object.remove("format");
    object.entry("minimum").or_insert(min);
    object.entry("maximum").or_insert(max);
}

const MAX_SAFE: i64 = (1 << 53) - 1;

/// Merges a choice between constants, which schemars generates for documented enum variants, into one `enum`.
fn list_constants(object: &mut Map<String, Value>) {
    let Some(Value::Array(branches)) = object.get("oneOf") else {
        return;
    };
    let mut options = Vec::new();
    for branch in branches {
        match (branch.get("const"), branch.get("enum")) {
            (Some(only), _) => options.push(only.clone()),
            (None, Some(Value::Array(several))) => options.extend(several.iter().cloned()),
            _ => return,
        }
    }
    object.remove("oneOf");
    object.insert("enum".to_owned(), Value::Array(options));
}
