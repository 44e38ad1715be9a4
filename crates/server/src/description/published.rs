//! Puts what the code checks in words of its own beside what the schemas check.

use domain::published_schema::PUBLISHED_KEY;
use serde_json::Value;

/// The document with the stated keywords in their places.
pub fn publish(value: &mut Value) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(publish),
        Value::Object(object) => {
            if let Some(Value::Object(stated)) = object.shift_remove(PUBLISHED_KEY) {
                // Where both say something, what is stated says more.
                object.extend(stated);
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
    fn stated_keywords_stand_beside_the_others_at_every_depth() {
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
