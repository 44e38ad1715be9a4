//! Arguments as clients of tools send them: `null` for what is not given, and values other than text as text.

use crate::validation::{Checker, strict_json};
use domain::ErrorList;
use rmcp::model::JsonObject;
use serde_json::{Number, Value};

/// Removes `null` arguments, and converts text where the schema has a number, a flag, a list or an object, at any depth.
///
/// Text that has no such meaning stays, for the validation to reject; so do `null` for an unknown argument and `null`
/// inside of an argument. Returns errors for text that starts like a list or an object but is not JSON.
pub fn read(arguments: &mut JsonObject, checker: &Checker) -> ErrorList {
    arguments.retain(|name, value| !value.is_null() || checker.property(name).is_none());
    let mut wrong = ErrorList::default();
    for (name, value) in arguments {
        if let Some(schema) = checker.property(name) {
            let errors = read_value(value, schema, &|| name.clone());
            wrong = wrong.and(errors);
        }
    }
    wrong
}

fn read_value(value: &mut Value, schema: &Value, place: &dyn Fn() -> String) -> ErrorList {
    let mut wrong = ErrorList::default();
    let kind = schema.get("type").and_then(Value::as_str);
    if let (Some(text), Some(kind)) = (value.as_str(), kind) {
        match meant(text, kind) {
            Ok(Some(read)) => *value = read,
            Ok(None) => return wrong,
            Err(unreadable) => return unreadable.invalid_in(&place()),
        }
    }
    match value {
        Value::Object(fields) => {
            for (name, field) in fields {
                let known = schema.get("properties").and_then(|known| known.get(name));
                if let Some(schema) = known.or(schema.get("additionalProperties")) {
                    let place = || format!("{}.{name}", place());
                    wrong = wrong.and(read_value(field, schema, &place));
                }
            }
        }
        Value::Array(items) => {
            if let Some(schema) = schema.get("items") {
                for (n, item) in items.iter_mut().enumerate() {
                    let place = || format!("{}[{n}]", place());
                    wrong = wrong.and(read_value(item, schema, &place));
                }
            }
        }
        _ => {}
    }
    wrong
}

/// Returns the value of type `kind` that `text` certainly means, if it does.
fn meant(text: &str, kind: &str) -> Result<Option<Value>, strict_json::NotJson> {
    let text = text.trim();
    match kind {
        "integer" | "number" => Ok(text.parse::<Number>().ok().map(Value::Number)),
        // Python writes them with a capital letter.
        "boolean" if text.eq_ignore_ascii_case("true") => Ok(Some(Value::Bool(true))),
        "boolean" if text.eq_ignore_ascii_case("false") => Ok(Some(Value::Bool(false))),
        "object" | "array" if text.starts_with(['{', '[']) => {
            strict_json::parse(text.as_bytes()).map(Some)
        }
        _ => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    //! 1. Text is converted only where it can mean nothing else.

    use super::meant;
    use serde_json::{Value, json};

    #[test]
    fn only_clear_text_is_converted() {
        let cases: [(&str, &str, Option<Value>); 16] = [
            ("5", "integer", Some(json!(5))),
            ("-2.5", "number", Some(json!(-2.5))),
            (" 7 ", "integer", Some(json!(7))),
            ("true", "boolean", Some(json!(true))),
            ("False", "boolean", Some(json!(false))),
            ("[1]", "array", Some(json!([1]))),
            ("many", "integer", None),
            ("", "integer", None),
            ("05", "integer", None),
            ("1,5", "number", None),
            ("NaN", "number", None),
            ("5 %", "number", None),
            ("1", "boolean", None),
            ("yes", "boolean", None),
            ("a, b", "array", None),
            ("5", "string", None),
        ];
        for (text, kind, value) in cases {
            assert_eq!(meant(text, kind).ok(), Some(value), "{text} as {kind}");
        }
        assert!(meant("{\"a\": ", "object").is_err());
    }
}
