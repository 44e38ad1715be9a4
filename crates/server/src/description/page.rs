//! Renders the OpenAPI document as an HTML page, without scripts or external resources.

mod parameters;

use serde_json::Value;
use std::fmt::Write;

const STYLE: &str = include_str!("page.css");

/// Renders `document` as HTML.
pub fn html(document: &Value) -> String {
    let mut page =
        String::from("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">");
    page.push_str("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">");
    let info = &document["info"];
    let title = format!("{} {}", text(&info["title"]), text(&info["version"]));
    put(
        &mut page,
        format_args!("<title>{title} API</title><style>{STYLE}</style></head><body>"),
    );
    put(
        &mut page,
        format_args!(
            "<header><h1>{title} API</h1><p>{}</p>",
            marked(&info["description"])
        ),
    );
    page.push_str("<p>OpenAPI 3.1: <a href=\"/api/v1/openapi.json\">openapi.json</a></p></header>");
    let all = operations(document);
    let tags = document["tags"].as_array().into_iter().flatten();
    let tags: Vec<&Value> = tags.collect();
    page.push_str("<nav aria-label=\"Operations\">");
    for tag in &tags {
        contents(&mut page, tag, &all);
    }
    page.push_str("</nav><main>");
    for tag in tags {
        let name = text(&tag["name"]);
        put(
            &mut page,
            format_args!(
                "<section id=\"{}\"><h2>{name}</h2><p>{}</p>",
                anchor(&name),
                marked(&tag["description"])
            ),
        );
        for operation in all.iter().filter(|one| one.tag == name) {
            operation.show(&mut page, document);
        }
        page.push_str("</section>");
    }
    schemas(&mut page, document);
    page.push_str("</main></body></html>\n");
    page
}

/// An operation with its method and path.
struct PageOperation<'a> {
    method: String,
    path: &'a str,
    tag: String,
    operation: &'a Value,
}

fn operations(document: &Value) -> Vec<PageOperation<'_>> {
    let paths = document["paths"].as_object().into_iter().flatten();
    let methods = paths.flat_map(|(path, item)| {
        let methods = item.as_object().into_iter().flatten();
        methods.map(move |(method, operation)| PageOperation {
            method: method.to_uppercase(),
            path,
            tag: text(&operation["tags"][0]),
            operation,
        })
    });
    methods.collect()
}

fn contents(page: &mut String, tag: &Value, all: &[PageOperation<'_>]) {
    let name = text(&tag["name"]);
    put(
        page,
        format_args!("<h4><a href=\"#{}\">{name}</a></h4><ul>", anchor(&name)),
    );
    for one in all.iter().filter(|one| one.tag == name) {
        let (id, summary) = (
            text(&one.operation["operationId"]),
            text(&one.operation["summary"]),
        );
        put(
            page,
            format_args!(
                "<li>{} <a href=\"#{id}\">{summary}</a></li>",
                badge(&one.method)
            ),
        );
    }
    page.push_str("</ul>");
}

impl PageOperation<'_> {
    fn show(&self, page: &mut String, document: &Value) {
        let operation = self.operation;
        let (id, path) = (text(&operation["operationId"]), escaped(self.path));
        put(
            page,
            format_args!(
                "<section id=\"{id}\"><h3>{} <code>/api/v1{path}</code></h3>",
                badge(&self.method)
            ),
        );
        put(
            page,
            format_args!("<p>{}</p>", marked(&operation["description"])),
        );
        parameters::table(page, document, &operation["parameters"]);
        if let Some(content) = operation["requestBody"]["content"].get("application/json") {
            page.push_str("<h4>Request body</h4>");
            example(page, "Example", &content["example"]);
            example(page, "Schema", resolved(document, &content["schema"]));
        }
        page.push_str("<h4>Responses</h4>");
        let responses = operation["responses"].as_object().into_iter().flatten();
        let (good, bad): (Vec<_>, Vec<_>) =
            responses.partition(|(status, _)| status.starts_with('2'));
        for (status, response) in good {
            response_details(page, document, status, resolved(document, response));
        }
        let statuses: Vec<&str> = bad.iter().map(|(status, _)| status.as_str()).collect();
        put(
            page,
            format_args!(
                "<details class=\"errors\"><summary>Errors: {}</summary>",
                statuses.join(", ")
            ),
        );
        for (status, response) in bad {
            response_details(page, document, status, resolved(document, response));
        }
        page.push_str("</details></section>");
    }
}

fn response_details(page: &mut String, document: &Value, status: &str, response: &Value) {
    put(
        page,
        format_args!(
            "<details><summary><b>{status}</b> {}</summary>",
            marked(&response["description"])
        ),
    );
    let content = &response["content"]["application/json"];
    if let Some(one) = content.get("example") {
        example(page, "Example", one);
        example(page, "Schema", resolved(document, &content["schema"]));
    }
    for (code, one) in content["examples"].as_object().into_iter().flatten() {
        example(page, code, &one["value"]);
    }
    page.push_str("</details>");
}

fn schemas(page: &mut String, document: &Value) {
    page.push_str("<section><h2>Schemas</h2>");
    for (name, schema) in document["components"]["schemas"]
        .as_object()
        .into_iter()
        .flatten()
    {
        example(page, name, schema);
    }
    page.push_str("</section>");
}

fn example(page: &mut String, title: &str, value: &Value) {
    let shown = escaped(&format!("{value:#}"));
    put(
        page,
        format_args!(
            "<details><summary>{}</summary><pre>{shown}</pre></details>",
            escaped(title)
        ),
    );
}

/// Resolves a reference; returns any other value as it is.
fn resolved<'a>(document: &'a Value, value: &'a Value) -> &'a Value {
    let pointer = value["$ref"]
        .as_str()
        .and_then(|text| text.strip_prefix('#'));
    pointer
        .and_then(|pointer| document.pointer(pointer))
        .unwrap_or(value)
}

/// Renders a method as a coloured badge.
fn badge(method: &str) -> String {
    format!("<b class=\"method {}\">{method}</b>", method.to_lowercase())
}

/// Returns the anchor of a section.
fn anchor(section: &str) -> String {
    format!("section-{}", section.to_lowercase())
}

fn put(page: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = page.write_fmt(text);
}

fn text(value: &Value) -> String {
    escaped(value.as_str().unwrap_or_default())
}

/// Renders text between backticks as code.
fn marked(value: &Value) -> String {
    let text = text(value);
    let mut parts = text.split('`');
    let mut shown = parts.next().unwrap_or_default().to_owned();
    let mut is_code = true;
    for part in parts {
        shown.push_str(if is_code { "<code>" } else { "</code>" });
        shown.push_str(part);
        is_code = !is_code;
    }
    shown
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
