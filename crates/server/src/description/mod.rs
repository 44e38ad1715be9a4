//! The OpenAPI 3.1 description of the API, and an HTML page that shows it.
//!
//! It is generated from the catalogue of operations and from the schemas that check requests, so it cannot deviate from
//! what the server does.

mod document;
mod failures;
mod operation;
mod page;
mod published;
mod value;

#[cfg(test)]
mod completeness;

pub use document::document;

use crate::App;
use crate::http::public_file::PublicFile;
use axum::Router;
use axum::http::HeaderMap;
use axum::http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::response::IntoResponse;
use axum::routing::get;
use std::sync::LazyLock;

/// The page loads nothing from other hosts and has no scripts.
const PAGE_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; \
                           form-action 'none'; frame-ancestors 'none'";

/// Path of the description, below `/api/v1`.
const DOCUMENT_PATH: &str = "/openapi.json";

static TEXT: LazyLock<String> = LazyLock::new(text);
static TEXT_FILE: LazyLock<PublicFile> = LazyLock::new(|| PublicFile::new(TEXT.clone()));
static PAGE_FILE: LazyLock<PublicFile> = LazyLock::new(|| PublicFile::new(page::html(&document())));

/// Generates the description, as served and as committed in `docs/openapi.json`.
pub fn text() -> String {
    format!("{:#}\n", document())
}

/// Returns the description as served; it is generated once.
pub fn served() -> &'static str {
    TEXT.as_str()
}

/// Returns the route of the description, below `/api/v1`. It needs no key.
pub fn paths() -> Router<App> {
    Router::new().route(DOCUMENT_PATH, get(describe))
}

/// Returns the route of the HTML page.
pub fn page_paths() -> Router<App> {
    Router::new().route("/docs", get(show))
}

async fn describe(headers: HeaderMap) -> impl IntoResponse {
    (
        [(CONTENT_TYPE, "application/json")],
        TEXT_FILE.respond(&headers),
    )
}

async fn show(headers: HeaderMap) -> impl IntoResponse {
    let about = [
        (CONTENT_TYPE, "text/html; charset=utf-8"),
        (CONTENT_SECURITY_POLICY, PAGE_POLICY),
    ];
    (about, PAGE_FILE.respond(&headers))
}

#[cfg(test)]
mod tests {
    //! 1. The copy in `docs/openapi.json` is what the server serves. `FINDWELL_WRITE=1` updates it.
    //! 2. Every example is valid under its schema.
    //! 3. The page shows every operation and loads nothing from other hosts.

    use super::*;
    use crate::api;
    use serde_json::{Value, json};

    const COPY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/openapi.json");

    #[test]
    fn the_copy_is_what_is_served() {
        if std::env::var_os("FINDWELL_WRITE").is_some() {
            std::fs::write(COPY, text()).expect("written");
        }
        let copy = std::fs::read_to_string(COPY).unwrap_or_default();
        assert!(
            copy == text(),
            "docs/openapi.json is outdated; FINDWELL_WRITE=1 cargo test -p server --lib description writes it"
        );
    }

    /// Asserts that `example` is valid under `schema`, whose references point into `document`.
    fn assert_valid(document: &Value, schema: &Value, example: &Value, place: &str) {
        let whole = json!({"allOf": [schema], "components": document["components"]});
        let validator = jsonschema::draft202012::new(&whole).expect("a schema");
        let wrong: Vec<String> = validator
            .iter_errors(example)
            .map(|error| format!("{}: {error}", error.instance_path()))
            .collect();
        assert!(wrong.is_empty(), "{place}: {wrong:#?}");
    }

    #[test]
    fn every_example_is_valid() {
        let document = document();
        let mut seen = 0;
        let mut contents = vec![("", &document)];
        while let Some((place, value)) = contents.pop() {
            match value {
                Value::Object(object) => {
                    if let Some(schema) = object.get("schema") {
                        let one = object.get("example").map(|example| (place, example));
                        let several = object.get("examples").and_then(Value::as_object);
                        let several = several.into_iter().flatten();
                        let several =
                            several.map(|(name, example)| (name.as_str(), &example["value"]));
                        for (name, example) in one.into_iter().chain(several) {
                            assert_valid(&document, schema, example, name);
                            seen += 1;
                        }
                    } else {
                        contents.extend(object.iter().map(|(name, value)| (name.as_str(), value)));
                    }
                }
                Value::Array(items) => contents.extend(items.iter().map(|item| (place, item))),
                _ => {}
            }
        }
        assert!(seen > 50, "only {seen} examples were found");
    }

    #[test]
    fn the_page_shows_every_operation_and_loads_nothing() {
        let page = page::html(&document());
        for row in api::all() {
            assert!(page.contains(&format!("id=\"{}", row.id)), "{}", row.id);
        }
        for external in ["<script", "<link", "<img", "@import", "url("] {
            assert!(!page.contains(external), "{external}");
        }
    }
}
