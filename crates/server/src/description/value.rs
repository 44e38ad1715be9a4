//! Helpers that build JSON values.

use serde_json::{Map, Value, json};

/// Returns a reference to a component.
pub fn reference(kind: &str, name: &str) -> Value {
    json!({"$ref": format!("#/components/{kind}/{name}")})
}

/// Collects `pairs` into an object, in their order.
pub fn object(pairs: impl IntoIterator<Item = (String, Value)>) -> Value {
    Value::Object(Map::from_iter(pairs))
}

/// Parses JSON that is compiled into the program.
pub fn parsed(text: &'static str) -> Value {
    serde_json::from_str(text).expect("the examples are JSON, and a test reads each")
}
