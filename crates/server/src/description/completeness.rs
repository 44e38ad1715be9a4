//! 1. Every request, parameter and success has an example.
//! 2. Every operation documents exactly the error statuses that `docs/api.md` and `docs/feed.md` give its kind.
//! 3. Every error code has an example.

use super::document;
use crate::api;
use crate::catalogue::OperationRow;
use crate::http::attempts;
use domain::Scope;
use operations::catalogue::RequiredAccess;
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// Returns every operation of the document with its method and path.
fn operations(document: &Value) -> Vec<(String, &Value)> {
    let paths = document["paths"].as_object().expect("paths");
    let methods = paths.iter().flat_map(|(path, item)| {
        let methods = item.as_object().expect("methods");
        methods.iter().map(move |(method, described)| {
            (format!("{} {path}", method.to_uppercase()), described)
        })
    });
    methods.collect()
}

/// Resolves a reference; returns any other value as it is.
fn resolved<'a>(document: &'a Value, value: &'a Value) -> &'a Value {
    let pointer = value["$ref"]
        .as_str()
        .and_then(|text| text.strip_prefix('#'));
    pointer.map_or(value, |pointer| {
        document.pointer(pointer).expect("a component")
    })
}

fn has_example(content: &Value) -> bool {
    let json = &content["application/json"];
    !json["example"].is_null()
}

#[test]
fn every_request_and_success_has_an_example() {
    let document = document();
    let mut missing = Vec::new();
    for (place, described) in operations(&document) {
        let body = &described["requestBody"];
        if body.is_object() && !has_example(&body["content"]) {
            missing.push(format!("{place}: body"));
        }
        for parameter in described["parameters"].as_array().into_iter().flatten() {
            let parameter = resolved(&document, parameter);
            if parameter["example"].is_null() && !has_example(&parameter["content"]) {
                missing.push(format!("{place}: {}", parameter["name"]));
            }
        }
        let responses = described["responses"].as_object().expect("responses");
        for (status, response) in responses
            .iter()
            .filter(|(status, _)| status.starts_with('2'))
        {
            if !has_example(&response["content"]) {
                missing.push(format!("{place}: {status}"));
            }
        }
    }
    assert!(missing.is_empty(), "without an example: {missing:#?}");
}

/// Error statuses of single operations; all others follow from the kind of operation.
const OWN_ERRORS: [(&str, &[u16]); 21] = [
    ("import_configuration", &[409]),
    ("apply_changes", &[409, 412]),
    ("restore_revision", &[409, 412]),
    ("preview", &[409]),
    ("preview_explain", &[409]),
    ("create_proposal", &[409]),
    ("withdraw_proposal", &[409]),
    ("preview_watched", &[409]),
    ("test_relevance", &[409]),
    ("get_revision", &[409]),
    ("create_synonym", &[409]),
    ("update_synonym", &[409]),
    ("create_filter", &[409]),
    ("upsert_documents", &[409, 410]),
    ("delete_documents", &[409]),
    ("clear_products", &[409]),
    ("open_run", &[409, 410]),
    ("get_run", &[410]),
    ("touch_documents", &[409, 410]),
    ("close_run", &[410]),
    ("abort_run", &[410]),
];

/// Returns the error statuses that an operation must document.
fn expected(row: &OperationRow, has_body: bool) -> BTreeSet<u16> {
    let access = row.operation().access;
    let configures = matches!(access, RequiredAccess::Configuration(_));
    let mut statuses = BTreeSet::from([400, 401, 403, 406, 429, 500, 503]);
    if has_body {
        statuses.extend([408, 413, 415]);
    }
    if configures && row.path.contains('{') {
        statuses.insert(404);
    }
    if access == RequiredAccess::Configuration(Scope::Propose)
        && matches!(row.method, "PUT" | "DELETE")
    {
        statuses.insert(412);
    }
    if attempts::can_move_results(row) {
        statuses.insert(409);
    }
    let own = OWN_ERRORS.iter().find(|(id, _)| *id == row.id);
    statuses.extend(own.into_iter().flat_map(|(_, own)| own.iter()));
    statuses
}

#[test]
fn every_operation_documents_its_errors() {
    let document = document();
    for (place, described) in operations(&document) {
        let id = described["operationId"].as_str().expect("an id");
        let base = id.split("_of_").next().unwrap_or(id);
        let base = base.strip_suffix("_by_query").unwrap_or(base);
        let row = api::row(base);
        let row = row.unwrap_or_else(|| panic!("{id} is no operation"));
        let responses = described["responses"].as_object().expect("responses");
        let errors = responses.keys().filter(|status| !status.starts_with('2'));
        let errors: BTreeSet<u16> = errors
            .map(|status| status.parse().expect("a status"))
            .collect();
        let has_body = described["requestBody"].is_object();
        assert_eq!(errors, expected(row, has_body), "{place}");
        for response in responses.values() {
            let response = resolved(&document, response);
            assert!(response["description"].is_string(), "{place}");
        }
    }
}

#[test]
fn every_code_has_an_example_of_its_own() {
    let document = document();
    let schema = &document["components"]["schemas"]["Failure"]["properties"]["code"]["enum"];
    let mut shown: BTreeSet<&str> = BTreeSet::new();
    let responses = document["components"]["responses"]
        .as_object()
        .expect("responses");
    for response in responses.values() {
        let content = &response["content"]["application/json"];
        let examples: &Map<String, Value> = content["examples"].as_object().expect("examples");
        for (code, example) in examples {
            assert_eq!(example["value"]["code"], **code);
            shown.insert(code);
        }
    }
    let codes = schema.as_array().expect("codes").iter();
    let codes: BTreeSet<&str> = codes.map(|code| code.as_str().expect("text")).collect();
    assert_eq!(shown, codes);
}
