//! The description of one operation.

use super::failures;
use super::value::{object, parsed, reference};
use crate::catalogue::OperationRow;
use crate::http::attempts;
use domain::audit::FieldChange;
use domain::page::Meta;
use domain::{DocType, GateMeasure, Scope};
use operations::catalogue::RequiredAccess;
use operations::impact::Impact;
use schemars::SchemaGenerator;
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Returns the tag of an operation.
pub fn tag(row: &OperationRow) -> String {
    match row.operation().access {
        RequiredAccess::Feed => return "Feed".to_owned(),
        RequiredAccess::Search => return "Search".to_owned(),
        RequiredAccess::Configuration(_) | RequiredAccess::Panel | RequiredAccess::Operator => {}
    }
    match row.path.split('/').nth(3) {
        Some(resource) => capitalised(resource),
        None if row.path.starts_with("/stores") => "Stores".to_owned(),
        None => "Account".to_owned(),
    }
}

fn capitalised(word: &str) -> String {
    let mut characters = word.chars();
    let first = characters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(characters).collect()
}

/// Describes an operation, called with its own method.
pub fn described(
    row: &OperationRow,
    doc_type: Option<DocType>,
    generator: &mut SchemaGenerator,
) -> Value {
    let mut described = common(row);
    if let Some(doc_type) = doc_type {
        // Each document type has its own path, and each path needs its own operation id.
        described["operationId"] = json!(format!("{}_of_{}", row.id, doc_type.as_str()));
        described["summary"] = json!(format!("{} ({})", summary(row), doc_type.as_str()));
    }
    let mut parameters = path_parameters(row);
    if !row.has_get_variant() {
        parameters.extend(query_parameters(row));
    }
    if attempts::can_run_dry(row) {
        let description = "Checks the write and saves nothing; status 200, with the changes and, of ids to be created, `draft:0` and so on.";
        parameters.push(flag("dryRun", description));
    }
    if attempts::can_move_results(row) {
        let description = "Measures what the write does to a sample of queries, which counts as 20 requests; true in a dry run, else false.";
        parameters.push(flag("impact", description));
    }
    if attempts::can_move_results(row) {
        let description = "Saves what the gate of the store rejects; needs a note, and of a key that the owner allows it.";
        parameters.push(flag("force", description));
    }
    if is_guarded(row) {
        parameters.push(reference("parameters", "If-Match"));
    }
    if attempts::can_run_dry(row) {
        parameters.push(reference("parameters", "X-Change-Note"));
        if row.id != "withdraw_proposal" {
            parameters.push(reference("parameters", "X-Proposal-Id"));
        }
    }
    if !parameters.is_empty() {
        described["parameters"] = json!(parameters);
    }
    if let Some(body) = &row.body {
        described["requestBody"] = json!({
            "required": body.required,
            "content": {"application/json": {
                "schema": reference("schemas", &body.name()),
                "example": parsed(body.example),
            }},
        });
    }
    described["responses"] = responses(row, row.body.is_some(), generator);
    described
}

/// Describes the same operation called with GET and query parameters, if it supports that.
pub fn by_query(row: &OperationRow, generator: &mut SchemaGenerator) -> Option<Value> {
    if !row.has_get_variant() {
        return None;
    }
    let mut described = common(row);
    described["operationId"] = json!(format!("{}_by_query", row.id));
    described["parameters"] = json!(query_parameters(row));
    described["responses"] = responses(row, false, generator);
    Some(described)
}

fn common(row: &OperationRow) -> Value {
    json!({
        "operationId": row.id,
        "summary": summary(row),
        "description": format!("{} {}", row.operation().summary, required_key(row)),
        "tags": [tag(row)],
    })
}

fn summary(row: &OperationRow) -> &'static str {
    row.operation().summary.trim_end_matches('.')
}

/// Says which key an operation needs, and how it is counted.
fn required_key(row: &OperationRow) -> &'static str {
    match row.operation().access {
        RequiredAccess::Configuration(Scope::Propose | Scope::Write) => {
            "Needs a configuration key with the scope `config:write`, and counts as a configuration write; with `config:propose` it saves nothing and becomes a proposal."
        }
        RequiredAccess::Configuration(Scope::Read) => {
            "Needs a configuration key; the scope `config:read` is enough."
        }
        RequiredAccess::Feed => "Needs the connector key of the store.",
        RequiredAccess::Search => {
            "Needs a search-only key of the store; any origin is allowed (CORS)."
        }
        RequiredAccess::Panel | RequiredAccess::Operator => "",
    }
}

/// Whether a write replaces a resource that may have been changed in the meantime.
fn is_guarded(row: &OperationRow) -> bool {
    let replaces = matches!(row.method, "PUT" | "DELETE");
    replaces && matches!(row.operation().access, RequiredAccess::Configuration(_))
}

fn path_parameters(row: &OperationRow) -> Vec<Value> {
    let names = row
        .path
        .split('/')
        .filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
    let names = names.filter(|name| *name != "type");
    // Revision 0, the state before the first write, can be restored, and has no record of its own to read.
    let least_revision = match row.id {
        "restore_revision" => 0,
        _ => 1,
    };
    names
        .map(|name| path_parameter(name, least_revision))
        .collect()
}

fn path_parameter(name: &str, least_revision: i64) -> Value {
    let (description, example) = match name {
        "runId" => ("Id of the run.", json!("run_6f1c9f0e5a0f4d6f")),
        "synId" => (
            "Id of the synonym group.",
            json!("t5n0x8c2m4q7r1w9z3k6b8vd"),
        ),
        "ruleId" => ("Id of the rule.", json!("r8v3n6m1k4j7h2g5f9d0s3a6")),
        "filterId" => ("Id of the filter.", json!("k2m5p8s1v4y7b0e3h6n9q2t5")),
        "productId" => ("Id of the product, as the feed sends it.", json!("4711")),
        "proposalId" => ("Id of the proposal.", json!("p4k7n0q3t6w9z2c5f8i1m4o7")),
        "n" => ("Number of the revision.", json!(7)),
        _ => ("Id of the store.", json!("w9ybtgtknwp3e0t5v18zv6a8")),
    };
    let schema = match name {
        "n" => json!({"type": "integer", "minimum": least_revision}),
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

fn flag(name: &str, description: &str) -> Value {
    json!({"name": name, "in": "query", "required": false, "description": description,
        "schema": {"type": "boolean"}, "example": true})
}

fn query_parameters(row: &OperationRow) -> Vec<Value> {
    let Some(query) = &row.query else {
        return Vec::new();
    };
    let schema = query.schema();
    let required = schema["required"].as_array().cloned().unwrap_or_default();
    let examples = parsed(query.example);
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
                    // Values are separated by commas.
                    parameter["style"] = json!("form");
                    parameter["explode"] = json!(false);
                }
                _ => parameter["schema"] = schema.clone(),
            }
            parameter
        })
        .collect()
}

fn responses(row: &OperationRow, has_body: bool, generator: &mut SchemaGenerator) -> Value {
    let success = success(row, generator);
    let mut statuses = BTreeSet::from_iter(row.statuses.iter().copied());
    if attempts::can_run_dry(row) {
        statuses.insert(200);
        if !attempts::is_about_proposals(row) {
            statuses.insert(202);
        }
    }
    let successes = statuses
        .into_iter()
        .map(|status| (status.to_string(), success.clone()));
    let errors = error_statuses(row, has_body)
        .into_iter()
        .map(|status| (status.to_string(), failures::response(status)));
    object(successes.chain(errors))
}

fn error_statuses(row: &OperationRow, has_body: bool) -> BTreeSet<u16> {
    let mut statuses = BTreeSet::from([400, 401, 403, 406, 429, 500, 503]);
    // The feed returns 404 for unknown paths only.
    if row.path.contains('{') && matches!(row.operation().access, RequiredAccess::Configuration(_))
    {
        statuses.insert(404);
    }
    if has_body {
        statuses.extend([408, 413, 415]);
    }
    if is_guarded(row) {
        statuses.insert(412);
    }
    if attempts::can_move_results(row) {
        // The gate.
        statuses.insert(409);
    }
    statuses.extend(row.errors);
    statuses
}

fn success(row: &OperationRow, generator: &mut SchemaGenerator) -> Value {
    let data = (row.response)(generator).to_value();
    let mut properties = json!({
        "success": {"const": true},
        "message": {"type": "string", "description": "What happened, for humans."},
        "data": data,
    });
    if row.paged {
        properties["meta"] = generator.subschema_for::<Meta>().to_value();
    }
    if attempts::can_run_dry(row) {
        let dry_run = "Present in a dry run, which saved nothing.";
        properties["dryRun"] = json!({"type": "boolean", "description": dry_run});
        properties["changes"] = generator.subschema_for::<Vec<FieldChange>>().to_value();
        if !attempts::is_about_proposals(row) {
            properties["proposal"] = json!({"type": "object", "description": "The proposal that the write became: id, state, expiresAt and the number of its changes.",
                "properties": {"id": {"type": "string"}, "state": {"type": "string"}, "expiresAt": {"type": "string", "format": "date-time"}, "changes": {"type": "integer"}}});
        }
        properties["changesMore"] = json!({"type": "integer", "minimum": 1, "description": "Changes that a dry run does not list."});
    }
    if attempts::can_move_results(row) || ["test_relevance", "get_revision"].contains(&row.id) {
        properties["impact"] = generator.subschema_for::<Impact>().to_value();
    }
    if attempts::can_move_results(row) {
        properties["gate"] = generator.subschema_for::<GateMeasure>().to_value();
    }
    let mut headers = vec![
        "X-Request-Id",
        "X-RateLimit-Limit",
        "X-RateLimit-Remaining",
        "X-RateLimit-Reset",
    ];
    headers.extend(configuration_headers(row));
    let headers = headers
        .into_iter()
        .map(|name| (name.to_owned(), reference("headers", name)));
    let enveloped = json!({
        "type": "object",
        "properties": properties,
        "required": ["success", "message", "data"],
    });
    let schema = match row.bare {
        true => json!({"anyOf": [enveloped, data]}),
        false => enveloped,
    };
    json!({
        "description": row.operation().summary,
        "headers": object(headers),
        "content": {"application/json": {
            "schema": schema,
            "example": example_response(row),
        }},
    })
}

/// An example of the whole response.
fn example_response(row: &OperationRow) -> Value {
    let data = parsed(row.example);
    let records = data.as_array().map_or(0, Vec::len);
    let mut response = json!({"success": true, "message": row.operation().summary, "data": data});
    if row.paged {
        response["meta"] = json!(Meta::new(1, 20, records as u64));
    }
    response
}

/// Returns the headers of a response that belongs to a revision of a store's configuration.
fn configuration_headers(row: &OperationRow) -> &'static [&'static str] {
    let is_exempt = row.path.ends_with("/test") || row.path.contains("/analytics/");
    let below_store = row.path.starts_with("/stores/{") && !is_exempt;
    let operation = row.operation();
    match operation.access {
        RequiredAccess::Configuration(_) if below_store => &["ETag", "X-Config-Revision"],
        RequiredAccess::Search if operation.writes => &[],
        RequiredAccess::Search if row.body.is_some() => &["X-Config-Revision"],
        RequiredAccess::Search => &["ETag", "Cache-Control", "X-Config-Revision"],
        _ => &[],
    }
}
