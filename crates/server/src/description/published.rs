//! Adds keywords to the published schemas for what the code checks itself.

use domain::published_schema::PUBLISHED_KEY;
use serde_json::Value;

/// Moves the keywords of every `x-published` object into the schema around it.
pub fn publish(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(publish),
        Value::Object(object) => {
            if let Some(Value::Object(published)) = object.shift_remove(PUBLISHED_KEY) {
                // A published keyword replaces a checked one, because it is stricter.
                object.extend(published);
            }
            object.values_mut().for_each(publish);
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::publish;
    use serde_json::json;

    #[test]
    fn published_keywords_join_the_others_at_every_depth() {
        let mut schema = json!({
            "type": "object",
            "properties": {"url": {"type": "string", "maxLength": 9, "x-published": {"pattern": "^h", "maxLength": 7}}},
            "x-published": {"allOf": [{"x-published": {"minProperties": 1}}]}
        });
        publish(&mut schema);
        let expected = json!({
            "type": "object",
            "properties": {"url": {"type": "string", "maxLength": 7, "pattern": "^h"}},
            "allOf": [{"minProperties": 1}]
        });
        assert_eq!(schema, expected);
    }
}
