//! Renders the parameters of an operation as a table.

use super::{escaped, marked, put, resolved, text};
use serde_json::Value;

/// Writes the table, if there are parameters.
pub(super) fn table(page: &mut String, document: &Value, parameters: &Value) {
    let Some(parameters) = parameters.as_array() else {
        return;
    };
    page.push_str("<h4>Parameters</h4><table><tr><th>Name</th><th>In</th><th>Description</th>");
    page.push_str("<th>Value</th><th>Example</th></tr>");
    for parameter in parameters {
        let parameter = resolved(document, parameter);
        let packed = &parameter["content"]["application/json"];
        let (schema, example) = match parameter.get("schema") {
            Some(schema) => (schema, &parameter["example"]),
            None => (&packed["schema"], &packed["example"]),
        };
        put(
            page,
            format_args!(
                "<tr><td><code>{}</code>{}</td><td>{}</td><td>{}</td><td>{}</td><td><code>{}</code></td></tr>",
                text(&parameter["name"]),
                if parameter["required"] == true {
                    ""
                } else {
                    "<br> optional"
                },
                text(&parameter["in"]),
                marked(&parameter["description"]),
                escaped(&in_words(schema)),
                escaped(&plain(example)),
            ),
        );
    }
    page.push_str("</table>");
}

/// Describes the values of a schema in one line.
fn in_words(schema: &Value) -> String {
    if let Some(expected) = schema["x-expected"].as_str() {
        return expected.to_owned();
    }
    if let Some(options) = schema["enum"].as_array() {
        let options: Vec<String> = options.iter().map(plain).collect();
        return format!("one of {}", options.join(", "));
    }
    let kind = match schema["type"].as_str() {
        Some("array") => return format!("comma-separated list: {}", in_words(&schema["items"])),
        Some("object") => "an object as JSON text",
        Some("integer") => "an integer",
        Some("boolean") => "true or false",
        Some("string") => "a string",
        _ => "any value",
    };
    match (
        bounds(schema, "minimum", "maximum"),
        bounds(schema, "minLength", "maxLength"),
    ) {
        (Some(range), _) => format!("{kind}, {range}"),
        (None, Some(length)) if schema.get("maxLength").is_some() => {
            format!("{kind} of {length} characters")
        }
        (None, _) => kind.to_owned(),
    }
}

fn bounds(schema: &Value, least: &str, most: &str) -> Option<String> {
    match (schema.get(least), schema.get(most)) {
        (Some(min), Some(max)) => Some(format!("{min} to {max}")),
        (Some(min), None) => Some(format!("from {min}")),
        (None, Some(max)) => Some(format!("up to {max}")),
        (None, None) => None,
    }
}

/// Writes a value as in a query string: strings without quotes.
fn plain(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(plain).collect::<Vec<_>>().join(","),
        other => other.to_string(),
    }
}
