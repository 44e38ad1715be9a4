//! Small pieces of the document.

use serde_json::{Map, Value, json};

/// A reference to a component.
pub fn reference(kind: &str, name: &str) -> Value {
    json!({"$ref": format!("#/components/{kind}/{name}")})
}

/// An object of what `pairs` hold, in their order.
pub fn object(pairs: impl IntoIterator<Item = (String, Value)>) -> Value {
    Value::Object(Map::from_iter(pairs))
}

/// JSON that the program itself carries.
pub fn parsed(text: &'static str) -> Value {
    serde_json::from_str(text).expect("the examples are JSON, and a test reads each")
}
