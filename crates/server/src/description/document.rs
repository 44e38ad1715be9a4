//! The whole document: what stands around the operations, and the components that they share.

use super::operation::{by_query, described, tag};
use super::published::publish;
use super::value::object;
use super::{failures, rows};
use crate::validation::schema;
use domain::DocType;
use operations::catalogue::operation;
use serde_json::{Map, Value, json};

/// The version of the interface (seed, Versioning).
const VERSION: &str = "1.0.0";

/// Where a path of the catalogue names a type of documents.
const TYPE: &str = "{type}";

/// What the sections are about. A resource that is not here is told by its name.
const SECTIONS: [(&str, &str); 10] = [
    ("Account", "Whom a key belongs to, and what it may do."),
    ("Stores", "The stores of the account."),
    (
        "Relevance",
        "Boosts and search settings of a store, and the simulator that tries others without saving them.",
    ),
    (
        "Synonyms",
        "Groups of words that stand for each other in questions.",
    ),
    (
        "Rules",
        "What happens to the questions that a trigger fires for: boosts, pins, hidden products, redirects, banners, filters.",
    ),
    (
        "Filters",
        "The facets that store pages show, and how their values are grouped.",
    ),
    ("Widget", "The look of the search on store pages."),
    (
        "Revisions",
        "What each write changed in the configuration of a store.",
    ),
    ("Search", "What store pages ask from a browser."),
    (
        "Feed",
        "What the connector of a store's platform sends: declarations, documents, runs.",
    ),
];

/// The document.
pub fn document() -> Value {
    let mut answers = schema::response_schemas();
    let mut paths = Map::new();
    let mut inputs: Map<String, Value> = Map::new();
    let mut tags: Vec<String> = Vec::new();
    for row in rows::all() {
        let Some(operation) = operation(row.id) else {
            continue;
        };
        let Some((method, path)) = operation.rest else {
            continue;
        };
        if !tags.contains(&tag(operation)) {
            tags.push(tag(operation));
        }
        for (path, doc_type) in concrete(path) {
            let item = paths.entry(path).or_insert_with(|| json!({}));
            item[method.to_lowercase()] = described(operation, &row, doc_type, &mut answers);
            if let Some(twin) = by_query(operation, &row, &mut answers) {
                item["get"] = twin;
            }
        }
        if let Some(body) = row.body {
            inputs.insert(body.name, body.schema.clone());
        }
    }
    let mut schemas = answers.take_definitions(true);
    for (name, input) in inputs {
        let same = schemas.insert(name.clone(), input.clone());
        // What is checked by one schema and answered by another needs two names.
        debug_assert!(
            same.is_none_or(|same| same == input),
            "{name} stands for two schemas"
        );
    }
    schemas.insert("Failure".to_owned(), failures::schema());
    schemas.sort_keys();
    let mut document = json!({
        "openapi": "3.1.0",
        "info": info(),
        "servers": [{"url": "/api/v1", "description": "This server."}],
        "security": [{"apiKey": []}, {"bearer": []}],
        "tags": tags.iter().map(|tag| section(tag)).collect::<Vec<_>>(),
        "paths": paths,
        "components": {
            "securitySchemes": security_schemes(),
            "parameters": parameters(),
            "headers": headers(),
            "responses": failures::components(),
            "schemas": schemas,
        },
    });
    publish(&mut document);
    document
}

/// The paths that `path` stands for: one of each type of documents, where it is of a type, because a type that does not
/// exist is an unknown path.
fn concrete(path: &str) -> Vec<(String, Option<DocType>)> {
    if !path.contains(TYPE) {
        return vec![(path.to_owned(), None)];
    }
    let of_type = |doc_type: DocType| (path.replace(TYPE, doc_type.as_str()), Some(doc_type));
    DocType::ALL.map(of_type).to_vec()
}

fn info() -> Value {
    json!({
        "title": "Findwell",
        "version": VERSION,
        "summary": "Product search for online stores: configuration, search and feed.",
        "description": "Every success is `{success: true, message, data}`, every failure `{success: false, code, message}`; \
                        decide by `code`. A key stands in `X-API-Key` or in `Authorization: Bearer`. Of requests within \
                        a minute each key has a limited number, which the headers `X-RateLimit-…` tell. An unknown path is 404 \
                        `not_found`, another method of a known one 405 `method_not_allowed` with `Allow`.",
        "contact": {"name": "Findwell"},
        "license": {"name": "Apache 2.0", "identifier": env!("CARGO_PKG_LICENSE")},
    })
}

fn section(tag: &str) -> Value {
    let known = SECTIONS.iter().find(|(name, _)| *name == tag);
    let description = known.map_or_else(
        || format!("{tag} of a store."),
        |(_, text)| (*text).to_owned(),
    );
    json!({"name": tag, "description": description})
}

fn security_schemes() -> Value {
    json!({
        "apiKey": {"type": "apiKey", "in": "header", "name": "X-API-Key", "description": "The key."},
        "bearer": {"type": "http", "scheme": "bearer", "description": "The same key."},
    })
}

fn parameters() -> Value {
    json!({"If-Match": {
        "name": "If-Match",
        "in": "header",
        "required": false,
        "description": "The `ETag` of what is to be replaced; when it no longer holds, nothing is written (412).",
        "schema": {"type": "string"},
        "example": "\"5d41402abc4b2a76\"",
    }})
}

fn headers() -> Value {
    let header = |description: &str, kind: &str| json!({"description": description, "schema": {"type": kind}});
    let all = [
        (
            "X-Request-Id",
            "Id of the request, which the log tells too.",
            "string",
        ),
        (
            "X-RateLimit-Limit",
            "Requests, or writes, that a minute allows; left out where no limit applies.",
            "integer",
        ),
        (
            "X-RateLimit-Remaining",
            "How many are left of this minute.",
            "integer",
        ),
        (
            "X-RateLimit-Reset",
            "Whole seconds until all are there again.",
            "integer",
        ),
        ("Retry-After", "Whole seconds to wait.", "integer"),
        ("WWW-Authenticate", "How a key is to be sent.", "string"),
        (
            "ETag",
            "Tag of what can be written, for `If-Match`; left out of lists.",
            "string",
        ),
        (
            "X-Config-Revision",
            "Number of the store's latest configuration revision.",
            "integer",
        ),
    ];
    object(all.map(|(name, description, kind)| (name.to_owned(), header(description, kind))))
}
