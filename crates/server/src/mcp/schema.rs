//! Input and output schemas of the tools: those of the operations, flat and without references, for all clients.

use super::arguments::REVISION;
use super::brevity;
use super::definition::Definition;
use super::paging::Paging;
use super::projection::{self, Wanted};
use super::tool::More;
use crate::catalogue::{BodyRow, QueryRow};
use crate::http::attempts;
use crate::http::input::Input;
use crate::validation::schema;
use rmcp::model::JsonObject;
use serde_json::{Map, Value, json};

/// Keywords that cost tokens and do not help models.
const LEFT_OUT: [&str; 4] = ["title", "$schema", "format", "pattern"];

/// The tool whose result has an explanation of a hit or of a missing product in one list.
const EXPLANATIONS: &str = "preview_explain";

/// Returns the schema of the arguments: id of a record, input of the operation, store.
pub fn input(definition: Definition) -> JsonObject {
    let row = definition.row;
    let body = row.body.as_ref().map(BodyRow::schema);
    let query = row.query.as_ref().map(QueryRow::schema);
    let taken = body.or(query).cloned().unwrap_or_else(|| json!({}));
    let mut properties = Map::new();
    let mut required = Vec::new();
    if let Some((name, records)) = definition.record() {
        let kind = if name == REVISION { "Number" } else { "Id" };
        let description = format!("{kind} from {}.", records.list);
        let mut schema = text(&description);
        if name == REVISION {
            schema["type"] = json!("integer");
        }
        properties.insert(name.to_owned(), schema);
        required.push(json!(name));
    }
    if let Some(Value::Object(own)) = taken.get("properties") {
        properties.extend(own.clone());
    }
    if let Some(Value::Array(own)) = taken.get("required") {
        required.extend(own.iter().cloned());
    }
    if definition.row.id == projection::TOOL {
        projection::describe(&mut properties);
    } else if definition.row.id == "update_relevance" {
        projection::refer(&mut properties);
    }
    projection::brief_draft(&mut properties);
    if let Some(Value::Object(own)) = tool_schema(definition).and_then(|own| own.get("properties"))
    {
        properties.extend(own.clone());
    }
    if definition.tool.writes() {
        properties.extend(flags_of_writes(definition));
        properties.insert("note".to_owned(), text("Why."));
        if definition
            .tool
            .records
            .is_none_or(|of| of.list != "list_proposals")
        {
            properties.insert("proposalId".to_owned(), text("Adds to this open proposal."));
        }
    }
    if attempts::can_move_results(definition.row) {
        let force = json!({"type": "boolean", "description": "Past the gate."});
        properties.insert("force".to_owned(), force);
    }
    if definition.of_store() {
        properties.insert("storeId".to_owned(), text("From get_account."));
    }
    properties.values_mut().for_each(without_null);
    brevity::arguments(definition, &mut properties);
    let mut schema = json!({"type": "object", "properties": properties});
    if !required.is_empty() {
        schema["required"] = Value::Array(required);
    }
    portable(&mut schema);
    schema["properties"]
        .as_object_mut()
        .into_iter()
        .flatten()
        .for_each(|(_, argument)| remove_bounds(argument));
    object(schema)
}

/// Returns the arguments of a tool that writes.
fn flags_of_writes(definition: Definition) -> impl Iterator<Item = (String, Value)> {
    let flags = [("dryRun", "Save nothing."), ("impact", "Its effect.")];
    let flags = flags.into_iter();
    let flags = flags
        .filter(move |(name, _)| *name != "impact" || attempts::can_move_results(definition.row));
    flags.map(|(name, description)| {
        let flag = json!({"type": "boolean", "description": description});
        (name.to_owned(), flag)
    })
}

/// Removes from an argument what its description or a check says anyway: bounds of texts and lists, defaults, largest
/// integers, and that an object has no other keys.
fn remove_bounds(argument: &mut Value) {
    let Value::Object(keywords) = argument else {
        return;
    };
    keywords.retain(|keyword, value| match keyword.as_str() {
        "minLength" | "maxLength" | "minItems" | "minProperties" | "maxProperties" | "default" => {
            false
        }
        "additionalProperties" => !value.is_boolean(),
        "minimum" | "maximum" => value.as_f64().is_none_or(|bound| bound.abs() < 9e15),
        _ => true,
    });
    for_each_below(keywords, &mut remove_bounds);
}

/// Returns the schema of the arguments that only the tool has.
fn tool_schema(definition: Definition) -> Option<&'static Value> {
    if let Some(checker) = definition.tool.arguments {
        return Some(checker().schema());
    }
    match definition.tool.more {
        More::From => Some(Wanted::checker().schema()),
        More::Pages if !definition.row.paged => Some(Paging::checker().schema()),
        _ => None,
    }
}

/// Returns the schema of the structured content: the success response of the API.
pub fn output(definition: Definition) -> JsonObject {
    let mut data = schema::inlined(definition.row.response);
    brevity::without_absent_nulls(&mut data);
    if definition.row.id == projection::TOOL {
        projection::relax(&mut data);
    }
    if definition.row.id == EXPLANATIONS
        && let Some(product) = data.get_mut("items")
    {
        projection::join_branches(product);
    }
    if definition.row.id == projection::TOOL {
        let parts = data["properties"].as_object_mut().into_iter().flatten();
        let others = parts.filter(|(name, _)| !["hits", "queries"].contains(&name.as_str()));
        others.for_each(|(_, part)| brief(part, 0));
    }
    let levels = levels(definition, &data);
    brief(&mut data, levels);
    brevity::record(definition, &mut data);
    let mut schema = json!({
        "type": "object",
        "properties": {
            "success": {"type": "boolean"},
            "message": {"type": "string"},
            "data": data,
        },
    });
    if definition.tool.writes() {
        schema["properties"]["dryRun"] = json!({"type": "boolean"});
        schema["properties"]["changes"] = json!({"type": "array", "items": {"type": "object"}});
        schema["properties"]["proposal"] = json!({"type": "object"});
    }
    if attempts::can_move_results(definition.row) {
        schema["properties"]["gate"] = json!({"type": "object"});
    }
    if attempts::can_move_results(definition.row) || definition.row.id == projection::TOOL {
        schema["properties"]["impact"] = json!({"type": "object"});
    }
    if definition.row.id == "list_filters" {
        schema["properties"]["values"] = values_of_a_field();
    }
    if definition.tool.more == More::Pages {
        let mut meta =
            schema::inlined(schemars::SchemaGenerator::subschema_for::<domain::page::Meta>);
        brief(&mut meta, 0);
        schema["properties"]["meta"] = meta;
    }
    object(schema)
}

/// Returns the schema of the values that stand beside filters.
fn values_of_a_field() -> Value {
    let text = json!({"type": "string"});
    let item = json!({"id": text, "label": text, "count": {"type": "integer"}});
    json!({"type": "object", "properties": {
        "field": text,
        "items": {"type": "array", "items": {"type": "object", "properties": item}},
        "total": {"type": "integer"},
    }})
}

/// Removes null from the schema of an argument: to tools it means that the argument is not given.
fn without_null(argument: &mut Value) {
    let Some(Value::Array(branches)) = argument.get_mut("anyOf") else {
        return;
    };
    branches.retain(|branch| branch["type"] != "null");
    let [Value::Object(only)] = &branches[..] else {
        return;
    };
    let only = only.clone();
    let description = argument["description"].as_str().unwrap_or_default();
    let description = description.replace("; null unsets it", "");
    *argument = Value::Object(only);
    argument["description"] = json!(description);
}

fn text(description: &str) -> Value {
    json!({"type": "string", "description": description})
}

fn object(schema: Value) -> JsonObject {
    match schema {
        Value::Object(object) => object,
        _ => JsonObject::new(),
    }
}

/// Returns the levels of a response whose keys its schema names; of deeper ones it has the type only.
fn levels(definition: Definition, data: &Value) -> usize {
    match definition.row.id {
        // The keys of hits.
        projection::TOOL => 3,
        // Those of the records of a list.
        _ if data["type"] == "array" => 2,
        _ => 1,
    }
}

/// Keywords that the output schema keeps. All others would not help a model to read a response, and without them the
/// schema is true for every result.
const KEPT: [&str; 5] = [
    "type",
    "properties",
    "items",
    "additionalProperties",
    "anyOf",
];

/// Keywords of a type.
const TYPE: [&str; 3] = ["type", "anyOf", "items"];

/// Reduces a schema to types, down to some level.
fn brief(schema: &mut Value, levels: usize) {
    let Value::Object(keywords) = schema else {
        return;
    };
    name_texts(keywords);
    if let Some(Value::Array(branches)) = keywords.get("oneOf")
        && let Some(kind) = branches.first().and_then(|branch| branch.get("type"))
    {
        // Responses say which branch applies.
        keywords.insert("type".to_owned(), kind.clone());
    }
    let kept = if levels == 0 { &TYPE[..] } else { &KEPT[..] };
    keywords.retain(|keyword, value| kept.contains(&keyword.as_str()) && !value.is_boolean());
    let deeper = levels.saturating_sub(1);
    for_each_below(keywords, &mut |below| brief(below, deeper));
    join_alike(keywords);
    split_null(keywords);
}

/// Writes "this or null" as two branches, because some clients support one type per schema only.
fn split_null(keywords: &mut Map<String, Value>) {
    let Some(Value::Array(kinds)) = keywords.get("type").cloned() else {
        return;
    };
    let branches = kinds.into_iter().map(|kind| {
        if kind == "null" {
            return json!({"type": kind});
        }
        let mut branch = keywords.clone();
        branch.insert("type".to_owned(), kind);
        Value::Object(branch)
    });
    let branches: Vec<Value> = branches.collect();
    keywords.clear();
    keywords.insert("anyOf".to_owned(), Value::Array(branches));
}

/// Writes an object whose fields all have the same schema, such as boosts, as a map.
fn join_alike(keywords: &mut Map<String, Value>) {
    let Some(Value::Object(fields)) = keywords.get("properties") else {
        return;
    };
    let mut kinds = fields.values();
    let Some(first) = kinds.next().filter(|_| fields.len() > 4).cloned() else {
        return;
    };
    if kinds.all(|kind| *kind == first) {
        keywords.retain(|keyword, _| keyword == "type");
        keywords.insert("additionalProperties".to_owned(), first);
    }
}

/// Removes keywords that some clients do not support.
fn portable(schema: &mut Value) {
    let Value::Object(keywords) = schema else {
        return;
    };
    keywords
        .retain(|keyword, _| !LEFT_OUT.contains(&keyword.as_str()) && !keyword.starts_with("x-"));
    for bound in BOUNDS {
        if let Some(whole) = keywords.get(bound).and_then(whole) {
            keywords.insert(bound.to_owned(), whole);
        }
    }
    name_texts(keywords);
    if keywords.get("maximum") == Some(&json!(u32::MAX)) {
        keywords.shift_remove("maximum");
    }
    for_each_below(keywords, &mut portable);
}

/// Adds the type of an enum of strings.
fn name_texts(keywords: &mut Map<String, Value>) {
    if !keywords.contains_key("type")
        && let Some(Value::Array(options)) = keywords.get("enum")
        && options.iter().all(Value::is_string)
    {
        keywords.insert("type".to_owned(), json!("string"));
    }
}

/// Calls `act` with every subschema.
fn for_each_below(keywords: &mut Map<String, Value>, act: &mut dyn FnMut(&mut Value)) {
    for (keyword, inner) in keywords.iter_mut() {
        match (keyword.as_str(), inner) {
            ("properties" | "patternProperties", Value::Object(fields)) => {
                fields.values_mut().for_each(&mut *act);
            }
            ("anyOf" | "oneOf" | "allOf", Value::Array(branches)) => {
                branches.iter_mut().for_each(&mut *act);
            }
            ("items" | "additionalProperties", inner) => act(inner),
            _ => {}
        }
    }
}

/// Keywords that bound a number or a length.
const BOUNDS: [&str; 6] = [
    "minimum",
    "maximum",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
];

/// Returns a bound as an integer if it has no fraction: `200` for `200.0`.
fn whole(bound: &Value) -> Option<Value> {
    let number = bound.as_f64().filter(|_| bound.is_f64())?;
    (number.fract() == 0.0 && number.abs() < 1e15).then(|| json!(number as i64))
}
