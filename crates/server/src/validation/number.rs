//! Whole numbers that are written with a fraction of zero: `73.0` means `73` where the schema asks for an integer.

use serde_json::Value;

/// 2^53 - 1, the largest whole number that a schema admits; beyond it a fraction of zero says nothing.
const MAX_SAFE: f64 = 9_007_199_254_740_991.0;

/// Rewrites such numbers of `value` wherever `schema` asks for an integer, and nowhere else.
pub fn make_whole(value: &mut Value, schema: &Value) {
    // Of alternatives only the one that was meant has anything to say about the value.
    let branches = schema.get("anyOf").and_then(Value::as_array);
    for branch in branches.into_iter().flatten() {
        make_whole(value, branch);
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
                items.iter_mut().for_each(|item| make_whole(item, inner));
            }
        }
        Value::Object(entries) => {
            let others = schema.get("additionalProperties");
            for (key, entry) in entries {
                let known = schema.get("properties").and_then(|names| names.get(key));
                if let Some(inner) = known.or(others) {
                    make_whole(entry, inner);
                }
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::make_whole;
    use serde_json::json;

    #[test]
    fn only_what_the_schema_calls_an_integer_changes() {
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
        make_whole(&mut value, &schema);
        let expected = json!({
            "limit": 73, "list": [9007199254740991_i64, 1.5], "boost": 2.0, "clearable": 4, "documents": [{"price": 3.0}]
        });
        assert_eq!(value.to_string(), expected.to_string());
    }
}
