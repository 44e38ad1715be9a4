//! The OpenAPI description in parts: an index of all operations, and the document of one with the schemas that it uses.

mod shortened;

use super::resources::LIST_TTL_MS;
use crate::{api, description};
use domain::nearest::nearest;
use operations::catalogue::{Operation, RequiredAccess};
use rmcp::model::{CacheScope, ListResourceTemplatesResult, ResourceTemplate};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// What the URIs of parts begin with.
const PARTS: &str = "svc://docs/openapi/";
/// The last part of the URI of the index.
const INDEX: &str = "index";
/// What a reference to a component begins with.
const COMPONENTS: &str = "#/components/";

static DOCUMENT: LazyLock<Value> = LazyLock::new(description::document);

/// Lists the template of the parts.
pub fn list() -> ListResourceTemplatesResult {
    let template = ResourceTemplate::new(format!("{PARTS}{{operation}}"), "openapi-operation")
        .with_title("OpenAPI description of one operation")
        .with_description(
            "The operation with the schemas that it uses; operations are tools and paths of the REST API. svc://docs/openapi/index lists them.",
        )
        .with_mime_type("application/json");
    ListResourceTemplatesResult::with_all_items(vec![template])
        .with_ttl_ms(LIST_TTL_MS)
        .with_cache_scope(CacheScope::Public)
}

/// Returns the part at `uri`.
///
/// Errors: what to read instead, if there is no such part.
pub fn read(uri: &str) -> Result<String, String> {
    let part = uri.strip_prefix(PARTS);
    match part {
        Some(INDEX) => return Ok(index().to_string()),
        Some(id) if let Some(document) = of_operation(id) => return Ok(document.to_string()),
        _ => {}
    }
    let ids = api::all().map(|row| row.id);
    let near = part.and_then(|id| nearest(id, ids));
    Err(format!("{PARTS}{}", near.unwrap_or(INDEX)))
}

/// Returns id, method, path, scope and summary of all operations.
fn index() -> Value {
    let rows = api::all().map(|row| {
        let operation = row.operation();
        json!([
            row.id,
            row.method,
            row.path,
            needed(operation),
            operation.summary
        ])
    });
    json!({
        "columns": ["id", "method", "path below /api/v1", "scope or kind of key", "summary"],
        "operations": rows.collect::<Vec<_>>(),
    })
}

fn needed(operation: &Operation) -> &'static str {
    match operation.access {
        RequiredAccess::Configuration(scope) => scope.as_str(),
        RequiredAccess::Feed => "connector",
        RequiredAccess::Search => "search-only",
        RequiredAccess::Panel | RequiredAccess::Operator => "",
    }
}

/// Returns the document of one operation. It has no examples: they would take more room than the schemas.
fn of_operation(id: &str) -> Option<Value> {
    let whole = &*DOCUMENT;
    let mut paths = Map::new();
    // An operation of each type of document stands in the description once for each of them.
    let of_types = format!("{id}_of_");
    let is_of = |named: &str| named == id || named.starts_with(&of_types);
    for (path, item) in whole["paths"].as_object()? {
        for (method, operation) in item.as_object()? {
            if operation["operationId"].as_str().is_some_and(is_of) {
                let mut operation = operation.clone();
                without_examples(&mut operation);
                paths.insert(path.clone(), json!({ method.as_str(): operation }));
            }
        }
    }
    if paths.is_empty() {
        return None;
    }
    let paths = Value::Object(paths);
    let components = used_by(&paths, whole);
    let mut document = json!({
        "openapi": whole["openapi"],
        "info": {"title": whole["info"]["title"], "version": whole["info"]["version"]},
        "servers": whole["servers"],
        "paths": paths,
        "components": components,
    });
    for shorten in shortened::STEPS {
        if document.to_string().len() <= shortened::BYTES_MAX {
            break;
        }
        shorten(&mut document);
        document["components"] = used_by(&document["paths"], &document);
    }
    Some(document)
}

/// Returns the components that `value` refers to, and those that they refer to.
fn used_by(value: &Value, whole: &Value) -> Value {
    let mut found = BTreeSet::new();
    let mut open = vec![value];
    while let Some(value) = open.pop() {
        match value {
            Value::Object(entries) => {
                let target = entries.get("$ref").and_then(Value::as_str);
                if let Some(target) = target.filter(|target| found.insert(*target)) {
                    open.extend(whole.pointer(target.trim_start_matches('#')));
                }
                open.extend(entries.values());
            }
            Value::Array(items) => open.extend(items),
            _ => {}
        }
    }
    let mut components = json!({});
    for target in found {
        let place = target.strip_prefix(COMPONENTS);
        if let Some((kind, name)) = place.and_then(|place| place.split_once('/')) {
            let mut component = whole["components"][kind][name].clone();
            without_examples(&mut component);
            components[kind][name] = component;
        }
    }
    components
}

fn without_examples(value: &mut Value) {
    match value {
        Value::Object(entries) => {
            // A property may have this name; a schema of one is an object with keywords.
            entries.retain(|key, value| {
                !(key == "examples" || key == "example") || value.get("type").is_some()
            });
            entries.values_mut().for_each(without_examples);
        }
        Value::Array(items) => items.iter_mut().for_each(without_examples),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    //! 1. The document of every operation that keys call has at most 24 kB and refers to nothing outside of itself.
    //! 2. The index has at most 12 kB. An unknown operation is an error with the nearest.

    use super::*;

    #[test]
    fn parts_are_small_and_whole() {
        for row in api::all() {
            let document = of_operation(row.id).expect("an operation");
            let text = document.to_string();
            println!("{:24} {}", row.id, text.len());
            assert!(text.len() <= 24_000, "{}: {} bytes", row.id, text.len());
            for part in text.split("\"$ref\":\"#").skip(1) {
                let target = part.split('"').next().expect("a reference");
                assert!(document.pointer(target).is_some(), "{}: {target}", row.id);
            }
        }
        let index = index().to_string();
        assert!(index.len() <= 12_000, "{}", index.len());
    }

    #[test]
    fn an_unknown_part_names_the_nearest() {
        let near = read("svc://docs/openapi/create_rul").expect_err("unknown");
        assert_eq!(near, "svc://docs/openapi/create_rule");
        assert!(read("svc://docs/openapi/index").is_ok());
    }
}
