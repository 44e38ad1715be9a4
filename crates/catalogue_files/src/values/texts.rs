//! Cells as text: what a JSON value says, and texts for people.

use domain::label_text::label_text;
use serde_json::Value;

/// Returns the text of a value; of a list its first item, of an amount with a currency both.
pub fn text_of(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::Bool(flag) => Some(flag.to_string()),
        Value::Number(number) => Some(number.to_string()),
        Value::String(text) => (!text.trim().is_empty()).then(|| text.trim().to_owned()),
        Value::Array(values) => values.iter().find_map(text_of),
        Value::Object(fields) => {
            let amount = fields.get("value").and_then(text_of)?;
            match fields.get("currency").and_then(text_of) {
                Some(currency) => Some(format!("{amount} {currency}")),
                None => Some(amount),
            }
        }
    }
}

/// Returns the texts of a list, or of a single value.
pub fn texts_of(value: &Value) -> Vec<String> {
    match value {
        Value::Array(values) => values.iter().filter_map(text_of).collect(),
        single => text_of(single).into_iter().collect(),
    }
}

/// Returns a label: entities decoded, tags removed, white space folded.
pub fn label(text: &str) -> String {
    label_text(text)
}

/// Returns the value below a path of keys.
pub fn at_path<'a>(value: &'a Value, path: &[String]) -> Option<&'a Value> {
    let mut value = value;
    for step in path {
        value = match value {
            Value::Object(fields) => fields.get(step).or_else(|| {
                let key = crate::rows::columns::comparable(step);
                let mut fields = fields.iter();
                let found = fields.find(|(name, _)| crate::rows::columns::comparable(name) == key);
                found.map(|(_, value)| value)
            })?,
            Value::Array(values) => values
                .iter()
                .find_map(|value| at_path(value, std::slice::from_ref(step)))?,
            _ => return None,
        };
    }
    Some(value)
}

/// Returns the first characters of a text.
pub fn cut(text: &str, characters: usize) -> String {
    domain::first_characters(text, characters).to_owned()
}
