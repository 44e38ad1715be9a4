//! The whole document: general information, paths, and shared components.

use super::failures;
use super::operation::{by_query, described, tag};
use super::published::publish;
use super::value::object;
use crate::api;
use crate::validation::schema;
use serde_json::{Map, Value, json};

/// The version of the API (`docs/api.md`).
const VERSION: &str = "1.0.0";

/// Descriptions of the tags. A resource without an entry is described by its name.
const SECTIONS: [(&str, &str); 10] = [
    ("Account", "The owner of a key and its permissions."),
    ("Stores", "The stores of the account."),
    (
        "Relevance",
        "Boosts and search settings of a store, and the simulator that tests others without saving them.",
    ),
    (
        "Synonyms",
        "Groups of terms that are searched for each other.",
    ),
    (
        "Rules",
        "Actions for queries that match a trigger: boosts, pins, hidden products, redirects, banners, filters.",
    ),
    (
        "Filters",
        "The facets that store pages show, and the groups of their values.",
    ),
    (
        "Widget",
        "Appearance and behaviour of the search widget on store pages.",
    ),
    (
        "Revisions",
        "History of a store's configuration: what each write changed.",
    ),
    (
        "Search",
        "Search and suggestions, called by store pages from a browser.",
    ),
    (
        "Feed",
        "Declarations, documents and indexing runs, sent by the connector of a store's platform.",
    ),
];

/// Generates the document.
pub fn document() -> Value {
    let mut generator = schema::response_schemas();
    let mut paths = Map::new();
    let mut inputs: Map<String, Value> = Map::new();
    let mut tags: Vec<String> = Vec::new();
    for row in api::all() {
        if !tags.contains(&tag(row)) {
            tags.push(tag(row));
        }
        for (path, doc_type) in row.paths() {
            let item = paths.entry(path).or_insert_with(|| json!({}));
            item[row.method.to_lowercase()] = described(row, doc_type, &mut generator);
            if let Some(twin) = by_query(row, &mut generator) {
                item["get"] = twin;
            }
        }
        if let Some(body) = &row.body {
            inputs.insert(body.name(), body.schema().clone());
        }
    }
    let mut schemas = generator.take_definitions(true);
    for (name, input) in inputs {
        let same = schemas.insert(name.clone(), input.clone());
        // A type whose input schema differs from its response schema needs two names.
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

fn info() -> Value {
    json!({
        "title": "Findwell",
        "version": VERSION,
        "summary": "Product search for online stores: configuration, search and feed.",
        "description": "A successful response is `{success: true, message, data}`, an error response `{success: false, code, message}`; \
                        use `code` to tell errors apart. Send the key in `X-API-Key` or in `Authorization: Bearer`. Requests \
                        per minute are limited for each key; the headers `X-RateLimit-…` have the limit and what is left. \
                        An unknown path is 404 `not_found`, an unsupported method 405 `method_not_allowed` with `Allow`.",
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
    json!({"X-Change-Note": {
        "name": "X-Change-Note",
        "in": "header",
        "required": false,
        "description": "Why the write is made, at most 500 characters, for revision and audit trail: UTF-8, or percent-encoded UTF-8.",
        "schema": {"type": "string", "pattern": "^[^\\u0000-\\u001f\\u007f-\\u009f]*$"},
        "example": "Recogida%20n%C2%BA%203",
    }, "X-Proposal-Id": {
        "name": "X-Proposal-Id",
        "in": "header",
        "required": false,
        "description": "An open proposal of the key, to which the write is added. Nothing is saved, with `config:write` neither.",
        "schema": {"type": "string", "minLength": 1},
        "example": "p4k7n0q3t6w9z2c5f8i1m4o7",
    }, "If-Match": {
        "name": "If-Match",
        "in": "header",
        "required": false,
        "description": "The `ETag` of the resource to replace; if it no longer matches, nothing is written (412).",
        "schema": {"type": "string"},
        "example": "\"5d41402abc4b2a76\"",
    }})
}

fn headers() -> Value {
    let header = |description: &str, kind: &str| json!({"description": description, "schema": {"type": kind}});
    let all = [
        (
            "X-Request-Id",
            "Id of the request; it is in the log too.",
            "string",
        ),
        (
            "X-RateLimit-Limit",
            "Requests, or writes, allowed per minute; left out if there is no limit.",
            "integer",
        ),
        (
            "X-RateLimit-Remaining",
            "How many of them are left in this minute.",
            "integer",
        ),
        (
            "X-RateLimit-Reset",
            "Seconds until the limit resets.",
            "integer",
        ),
        ("Retry-After", "Seconds to wait.", "integer"),
        ("WWW-Authenticate", "How to send a key.", "string"),
        (
            "ETag",
            "Entity tag of the resource, for `If-Match`; left out of lists.",
            "string",
        ),
        (
            "Cache-Control",
            "How long the response may be used again.",
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
