//! Converts numbers with a zero fraction: `73.0` means `73` where the schema has an integer.

use serde_json::Value;

/// 2^53 - 1, the largest integer that a schema allows; larger floats are not exact.
const MAX_SAFE: f64 = 9_007_199_254_740_991.0;

/// Converts such numbers of `value` wherever `schema` has an integer, and nowhere else.
pub fn normalise_integers(value: &mut Value, schema: &Value) {
    // Of several alternatives, only the one that matches the type of the value applies.
    let branches = schema.get("anyOf").and_then(Value::as_array);
    for branch in branches.into_iter().flatten() {
        normalise_integers(value, branch);
    }
    match value {
        Value::Number(number) => {
            if schema.get("type").and_then(Value::as_str) == Some("integer")
                && let Some(float) = number.as_f64()
                && !number.is_i64()
                && !number.is_u64()
                && float.fract() == 0.0
                && float.abs() <= MAX_SAFE
            {
                *value = Value::from(float as i64);
            }
        }
        Value::Array(items) => {
            if let Some(inner) = schema.get("items").filter(|inner| inner.is_object()) {
                items
                    .iter_mut()
                    .for_each(|item| normalise_integers(item, inner));
            }
        }
        Value::Object(entries) => {
            let others = schema.get("additionalProperties");
            for (key, entry) in entries {
                let known = schema.get("properties").and_then(|names| names.get(key));
                if let Some(inner) = known.or(others) {
                    normalise_integers(entry, inner);
                }
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::normalise_integers;
    use serde_json::json;

    #[test]
    fn only_integers_of_the_schema_are_converted() {
        let schema = json!({
            "properties": {
                "limit": {"type": "integer"},
                "list": {"items": {"type": "integer"}},
                "boost": {"type": "number"},
                "clearable": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
                "documents": {"items": true}
            }
        });
        let mut value = json!({
            "limit": 73.0, "list": [9007199254740991.0, 1.5], "boost": 2.0, "clearable": 4.0, "documents": [{"price": 3.0}]
        });
        normalise_integers(&mut value, &schema);
        let expected = json!({
            "limit": 73, "list": [9007199254740991_i64, 1.5], "boost": 2.0, "clearable": 4, "documents": [{"price": 3.0}]
        });
        assert_eq!(value.to_string(), expected.to_string());
    }
}
