//! The description of the interface for machines (OpenAPI 3.1), and the page that shows it to people.
//!
//! It is made of the catalogue of operations and of the types that requests are checked with and answers are made of,
//! so that it cannot say anything else than what happens.

mod document;
mod failures;
mod operation;
mod page;
mod published;
mod rows;
mod value;

#[cfg(test)]
mod completeness;

pub use document::document;
pub use rows::OperationRow;

use crate::App;
use crate::http::public_file::PublicFile;
use axum::Router;
use axum::http::HeaderMap;
use axum::http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::response::IntoResponse;
use axum::routing::get;
use std::sync::LazyLock;

/// The page needs nothing of any other host, and no script.
const PAGE_POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; \
                           form-action 'none'; frame-ancestors 'none'";

/// Path of the description, below `/api/v1`.
const DOCUMENT_PATH: &str = "/openapi.json";

static TEXT: LazyLock<String> = LazyLock::new(text);
static TEXT_FILE: LazyLock<PublicFile> = LazyLock::new(|| PublicFile::new(TEXT.clone()));
static PAGE_FILE: LazyLock<PublicFile> = LazyLock::new(|| PublicFile::new(page::html(&document())));

/// The description as it is answered, and as it lies in `docs/openapi.json`.
pub fn text() -> String {
    format!("{:#}\n", document())
}

/// The description as it is answered, made once.
pub fn served() -> &'static str {
    TEXT.as_str()
}

/// What the operation `id` takes and answers.
pub fn row(id: &str) -> OperationRow {
    let row = rows::all().into_iter().find(|row| row.id == id);
    row.expect("every operation of the interface has its row, and a test compares them")
}

/// The path of the description, below `/api/v1`. It needs no key.
pub fn paths() -> Router<App> {
    Router::new().route(DOCUMENT_PATH, get(describe))
}

/// The path of the page.
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
    //! 1. The copy in `docs/openapi.json` is what is answered. `FINDWELL_WRITE=1` writes it anew.
    //! 2. Every operation of the catalogue that has a path has its row, and no row is without one.
    //! 3. Every example fits its schema.

    use super::*;
    use operations::catalogue::OPERATIONS;
    use serde_json::{Value, json};
    use std::collections::BTreeSet;

    const COPY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/openapi.json");

    #[test]
    fn the_copy_is_what_is_answered() {
        if std::env::var_os("FINDWELL_WRITE").is_some() {
            std::fs::write(COPY, text()).expect("written");
        }
        let copy = std::fs::read_to_string(COPY).unwrap_or_default();
        assert!(
            copy == text(),
            "docs/openapi.json is outdated; FINDWELL_WRITE=1 cargo test -p server --lib description writes it"
        );
    }

    #[test]
    fn every_operation_has_its_row() {
        let with_path = OPERATIONS
            .iter()
            .filter(|operation| operation.rest.is_some());
        let operations: BTreeSet<&str> = with_path.map(|operation| operation.id).collect();
        let all = rows::all();
        let rows: BTreeSet<&str> = all.iter().map(|row| row.id).collect();
        assert_eq!(rows, operations);
        assert_eq!(all.len(), rows.len(), "a row is there twice");
    }

    /// Checks `example` against `schema`, whose references point into `document`.
    fn fits(document: &Value, schema: &Value, example: &Value, place: &str) {
        let whole = json!({"allOf": [schema], "components": document["components"]});
        let validator = jsonschema::draft202012::new(&whole).expect("a schema");
        let wrong: Vec<String> = validator
            .iter_errors(example)
            .map(|error| format!("{}: {error}", error.instance_path()))
            .collect();
        assert!(wrong.is_empty(), "{place}: {wrong:#?}");
    }

    #[test]
    fn every_example_fits_its_schema() {
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
                            fits(&document, schema, example, name);
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
    fn the_page_shows_every_operation_and_needs_no_other_host() {
        let page = page::html(&document());
        for operation in OPERATIONS
            .iter()
            .filter(|operation| operation.rest.is_some())
        {
            assert!(
                page.contains(&format!("id=\"{}", operation.id)),
                "{}",
                operation.id
            );
        }
        for asked in ["<script", "<link", "<img", "@import", "url("] {
            assert!(!page.contains(asked), "{asked}");
        }
    }
}
