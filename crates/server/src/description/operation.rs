//! One operation of the catalogue as the document tells it.

use super::failures;
use super::rows::OperationRow;
use super::value::{object, parsed, reference};
use domain::page::Meta;
use domain::{DocType, Scope};
use operations::catalogue::{Operation, RequiredAccess};
use schemars::SchemaGenerator;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// The section of the document in which an operation stands.
pub fn tag(operation: &Operation) -> String {
    match operation.access {
        RequiredAccess::Feed => return "Feed".to_owned(),
        RequiredAccess::Search => return "Search".to_owned(),
        RequiredAccess::Configuration(_) | RequiredAccess::Operator => {}
    }
    let path = operation.rest.map_or("", |(_, path)| path);
    match path.split('/').nth(3) {
        Some(resource) => capitalised(resource),
        None if path.starts_with("/stores") => "Stores".to_owned(),
        None => "Account".to_owned(),
    }
}

fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

/// The operation, as it is called with its method and its body.
pub fn described(
    operation: &Operation,
    row: &OperationRow,
    doc_type: Option<DocType>,
    answers: &mut SchemaGenerator,
) -> Value {
    let mut described = common(operation);
    if let Some(doc_type) = doc_type {
        // Each type has a path of its own, and every path an operation id.
        described["operationId"] = json!(format!("{}_of_{}", operation.id, doc_type.as_str()));
        described["summary"] = json!(format!("{} ({})", summary(operation), doc_type.as_str()));
    }
    let mut parameters = path_parameters(operation);
    if row.body.is_none() {
        parameters.extend(query_parameters(row));
    }
    if is_guarded(operation) {
        parameters.push(reference("parameters", "If-Match"));
    }
    if !parameters.is_empty() {
        described["parameters"] = json!(parameters);
    }
    if let Some(body) = &row.body {
        described["requestBody"] = json!({
            "required": body.required,
            "content": {"application/json": {
                "schema": reference("schemas", &body.name),
                "example": parsed(body.example),
            }},
        });
    }
    described["responses"] = responses(operation, row, row.body.is_some(), answers);
    described
}

/// The same called with GET and query parameters, where it can be.
pub fn by_query(
    operation: &Operation,
    row: &OperationRow,
    answers: &mut SchemaGenerator,
) -> Option<Value> {
    row.body.as_ref()?;
    row.query?;
    let mut described = common(operation);
    described["operationId"] = json!(format!("{}_by_query", operation.id));
    described["parameters"] = json!(query_parameters(row));
    described["responses"] = responses(operation, row, false, answers);
    Some(described)
}

fn common(operation: &Operation) -> Value {
    json!({
        "operationId": operation.id,
        "summary": summary(operation),
        "description": format!("{} {}", operation.summary, needs(operation)),
        "tags": [tag(operation)],
    })
}

fn summary(operation: &Operation) -> &'static str {
    operation.summary.trim_end_matches('.')
}

/// Which key an operation needs, and what it is counted as.
fn needs(operation: &Operation) -> &'static str {
    match operation.access {
        RequiredAccess::Configuration(Scope::Write) => {
            "Needs a configuration key with the scope `config:write`, and counts as a configuration write."
        }
        RequiredAccess::Configuration(Scope::Read) => {
            "Needs a configuration key; the scope `config:read` is enough."
        }
        RequiredAccess::Feed => "Needs the connector key of the store.",
        RequiredAccess::Search => "Needs a search-only key of the store; any origin may ask.",
        RequiredAccess::Operator => "",
    }
}

/// Whether a write replaces something that may have been changed meanwhile.
fn is_guarded(operation: &Operation) -> bool {
    let replaces = operation
        .rest
        .is_some_and(|(method, _)| matches!(method, "PUT" | "DELETE"));
    replaces && matches!(operation.access, RequiredAccess::Configuration(_))
}

fn path_parameters(operation: &Operation) -> Vec<Value> {
    let path = operation.rest.map_or("", |(_, path)| path);
    let names = path
        .split('/')
        .filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
    let names = names.filter(|name| *name != "type");
    names.map(path_parameter).collect()
}

fn path_parameter(name: &str) -> Value {
    let (description, example) = match name {
        "runId" => ("Id of the run.", json!("run_6f1c9f0e5a0f4d6f")),
        "synId" => (
            "Id of the synonym group.",
            json!("t5n0x8c2m4q7r1w9z3k6b8vd"),
        ),
        "ruleId" => ("Id of the rule.", json!("r8v3n6m1k4j7h2g5f9d0s3a6")),
        "filterId" => ("Id of the filter.", json!("k2m5p8s1v4y7b0e3h6n9q2t5")),
        "n" => ("Number of the revision.", json!(7)),
        _ => ("Id of the store.", json!("w9ybtgtknwp3e0t5v18zv6a8")),
    };
    let schema = match name {
        "n" => json!({"type": "integer", "minimum": 1}),
        _ => json!({"type": "string", "minLength": 1}),
    };
    json!({
        "name": name,
        "in": "path",
        "required": true,
        "description": description,
        "schema": schema,
        "example": example,
    })
}

fn query_parameters(row: &OperationRow) -> Vec<Value> {
    let Some(schema) = row.query else {
        return Vec::new();
    };
    let required = schema["required"].as_array().cloned().unwrap_or_default();
    let examples = parsed(row.query_example);
    let properties = schema["properties"].as_object().into_iter().flatten();
    properties
        .map(|(name, schema)| {
            let mut parameter = json!({
                "name": name,
                "in": "query",
                "required": required.contains(&json!(name)),
            });
            if let Some(description) = schema.get("description") {
                parameter["description"] = description.clone();
            }
            if schema["type"] == "object" {
                parameter["content"] =
                    json!({"application/json": {"schema": schema, "example": examples[name]}});
                return parameter;
            }
            parameter["example"] = examples[name].clone();
            match schema["type"].as_str() {
                Some("array") => {
                    parameter["schema"] = schema.clone();
                    // Commas stand between the values.
                    parameter["style"] = json!("form");
                    parameter["explode"] = json!(false);
                }
                _ => parameter["schema"] = schema.clone(),
            }
            parameter
        })
        .collect()
}

fn responses(
    operation: &Operation,
    row: &OperationRow,
    has_body: bool,
    answers: &mut SchemaGenerator,
) -> Value {
    let success = success(operation, row, answers);
    let successes = row
        .successes
        .iter()
        .map(|status| (status.to_string(), success.clone()));
    let refusals = refusals(operation, row, has_body)
        .into_iter()
        .map(|status| (status.to_string(), failures::response(status)));
    object(successes.chain(refusals))
}

fn refusals(operation: &Operation, row: &OperationRow, has_body: bool) -> BTreeSet<u16> {
    let mut refusals = BTreeSet::from([400, 401, 403, 406, 429, 500, 503]);
    let path = operation.rest.map_or("", |(_, path)| path);
    // The feed answers 404 for operations that there are not, and for nothing else.
    if path.contains('{') && matches!(operation.access, RequiredAccess::Configuration(_)) {
        refusals.insert(404);
    }
    if has_body {
        refusals.extend([408, 413, 415]);
    }
    if is_guarded(operation) {
        refusals.insert(412);
    }
    refusals.extend(row.refusals);
    refusals
}

fn success(operation: &Operation, row: &OperationRow, answers: &mut SchemaGenerator) -> Value {
    let mut properties = json!({
        "success": {"const": true},
        "message": {"type": "string", "description": "What happened, for people."},
        "data": (row.answer)(answers),
    });
    if row.pages {
        properties["meta"] = answers.subschema_for::<Meta>().to_value();
    }
    let mut headers = vec![
        "X-Request-Id",
        "X-RateLimit-Limit",
        "X-RateLimit-Remaining",
        "X-RateLimit-Reset",
    ];
    if is_of_configuration(operation) {
        headers.extend(["ETag", "X-Config-Revision"]);
    }
    let headers = headers
        .into_iter()
        .map(|name| (name.to_owned(), reference("headers", name)));
    json!({
        "description": operation.summary,
        "headers": object(headers),
        "content": {"application/json": {
            "schema": {
                "type": "object",
                "properties": properties,
                "required": ["success", "message", "data"],
            },
            "example": answered(operation, row),
        }},
    })
}

/// An example of the whole answer.
fn answered(operation: &Operation, row: &OperationRow) -> Value {
    let data = parsed(row.example);
    let records = data.as_array().map_or(0, Vec::len);
    let mut answer = json!({"success": true, "message": operation.summary, "data": data});
    if row.pages {
        answer["meta"] = json!(Meta::new(1, 20, records as u64));
    }
    answer
}

/// Whether an answer belongs to a revision of a store's configuration.
fn is_of_configuration(operation: &Operation) -> bool {
    let below_store = operation
        .rest
        .is_some_and(|(_, path)| path.starts_with("/stores/{") && !path.ends_with("/test"));
    below_store && matches!(operation.access, RequiredAccess::Configuration(_))
}
