//! What the lists of tools say in few words: clients send them to models with every request. What an argument's schema
//! leaves out is checked all the same, and `docs/agent.md` describes it.

use super::definition::Definition;
use super::projection;
use serde_json::{Map, Value, json};

/// Descriptions of arguments that many tools take.
const COMMON: [(&str, &str); 9] = [
    ("storeId", "From get_account."),
    ("note", "Why."),
    ("page", "From 1."),
    ("at", "RFC 3339 with offset; default now."),
    ("language", "Default es."),
    ("priority", "Higher first; default 0."),
    ("startDate", "ISO 8601."),
    ("endDate", "ISO 8601."),
    ("alternatives", "What else triggers it."),
];

/// Descriptions of arguments of single tools.
const OWN: [(&str, &str, &str); 42] = [
    ("get_proposal", "impact", "Measure it again."),
    ("create_synonym", "type", "Default BIDIRECTIONAL."),
    (
        "create_synonym",
        "terms",
        "Equivalents, or what input expands to.",
    ),
    (
        "create_synonym",
        "input",
        "Of UNIDIRECTIONAL: what shoppers type.",
    ),
    ("update_synonym", "type", "BIDIRECTIONAL loses its input."),
    ("import_synonyms_csv", "csv", "The lines."),
    ("list_synonyms", "q", "Text in a term or the input."),
    ("list_synonyms", "active", "In effect or not."),
    ("create_rule", "language", "Of the queries; default es."),
    ("create_rule", "actions", "Exactly the key of its type."),
    ("create_rule", "active", "Default true."),
    ("create_rule", "timeZone", "IANA name; default UTC."),
    ("update_rule", "language", "Of the queries."),
    ("update_rule", "priority", "Higher first."),
    ("update_rule", "timeZone", "IANA name."),
    (
        "create_filter",
        "field",
        "As a facet names it, such as manufacturer or attributes.<group>.",
    ),
    ("create_filter", "label", "By language; default automatic."),
    ("create_filter", "type", "Default that of the field."),
    ("create_filter", "position", "Lower first; default last."),
    ("create_filter", "active", "Default true."),
    (
        "list_queries",
        "from",
        "First day, UTC; default 29 days before to.",
    ),
    ("list_queries", "to", "Last day, UTC; default today."),
    (
        "get_search_summary",
        "from",
        "First day, UTC; default 29 days before to.",
    ),
    ("get_search_summary", "to", "Last day, UTC; default today."),
    ("list_filter_values", "q", "Start of a word of the label."),
    ("get_revision", "impact", "Measure its effect, too."),
    ("update_filter", "label", "All names by language."),
    ("update_filter", "type", "How it is shown."),
    ("set_hidden_queries", "queries", "Their texts."),
    (
        "apply_changes",
        "ifMatch",
        "Tag of each present resource that it changes, such as rules/<id>.",
    ),
    ("restore_revision", "parts", "What to restore."),
    (
        "restore_revision",
        "resources",
        "Or single ones, such as rules/<id>.",
    ),
    ("restore_revision", "ifRevision", "The latest revision."),
    ("preview_explain", "restore", "Or a revision to try."),
    ("preview_watched", "restore", "Or a revision to try."),
    ("get_product", "q", "A query that should find it."),
    ("test_relevance", "q", "The query; this or queries."),
    (
        "test_relevance",
        "queries",
        "Queries whose moves are returned.",
    ),
    (
        "test_relevance",
        "compareWith",
        "The base: saved (default) or the state after a revision.",
    ),
    (
        "test_relevance",
        "applyRules",
        "Default true with at, moves or a draft of rules, else false.",
    ),
    (
        "test_relevance",
        "impact",
        "Measure the effect on a sample of queries; needs no q.",
    ),
    (
        "test_relevance",
        "visitor",
        "The shopper; default anonymous.",
    ),
];

/// Arguments that many tools take, with the tool that describes them: the first of the list that has them.
pub const DESCRIBED_ONCE: [(&str, &str); 10] = [
    ("storeId", "get_relevance"),
    ("lang", "test_relevance"),
    ("at", "test_relevance"),
    ("dryRun", "update_relevance"),
    ("impact", "update_relevance"),
    ("note", "update_relevance"),
    ("proposalId", "update_relevance"),
    ("force", "update_relevance"),
    ("page", "list_synonyms"),
    ("limit", "list_synonyms"),
];

/// Arguments that are described by another tool of the list.
const AS_ELSEWHERE: [(&str, &str, &str); 13] = [
    ("create_proposal", "draft", "As in test_relevance."),
    (
        "create_proposal",
        "restore",
        "revision, and what restore_revision takes.",
    ),
    ("create_proposal", "watched", "As set_watched takes it."),
    (
        "create_proposal",
        "hiddenQueries",
        "As set_hidden_queries takes it.",
    ),
    ("update_rule", "trigger", "As in create_rule."),
    (
        "update_rule",
        "actions",
        "As in create_rule; replaced as a whole.",
    ),
    (
        "update_filter",
        "config",
        "As in create_filter; what is left out stays.",
    ),
    ("apply_changes", "draft", "As in test_relevance."),
    ("preview_watched", "draft", "As in test_relevance."),
    ("preview_watched", "visitor", "As in test_relevance."),
    ("preview_explain", "draft", "As in test_relevance."),
    ("preview_explain", "visitor", "As in test_relevance."),
    (
        "preview_explain",
        "filters",
        "Values by field, as a FILTER rule has them.",
    ),
];

/// Arguments that cannot change anything, which are accepted because reads return them; and what is for people only.
const UNLISTED: [(&str, &str); 3] = [
    ("update_rule", "type"),
    ("update_filter", "field"),
    ("apply_changes", "proposal"),
];

/// Tools whose ranges of numbers no description has.
const RANGED: [&str; 3] = [projection::TOOL, "create_rule", "preview_watched"];

/// Tools whose record another tool of the list returns in the same form.
const RETURN_THE_RECORD: [&str; 9] = [
    "get_rule",
    "create_rule",
    "create_synonym",
    "create_filter",
    "update_rule",
    "update_synonym",
    "update_filter",
    "create_proposal",
    "withdraw_proposal",
];

/// Shortens the arguments of a tool.
pub fn arguments(definition: Definition, properties: &mut Map<String, Value>) {
    let tool = definition.row.id;
    properties.retain(|name, _| !UNLISTED.contains(&(tool, name)));
    for (of, argument, description) in AS_ELSEWHERE {
        if tool == of && properties.contains_key(argument) {
            let schema = json!({"type": "object", "description": description});
            properties.insert(argument.to_owned(), schema);
        }
    }
    for (argument, schema) in properties.iter_mut() {
        let own = OWN
            .iter()
            .find(|(of, name, _)| *of == tool && name == argument);
        let common = COMMON.iter().find(|(name, _)| name == argument);
        let description = own.map(|own| own.2).or(common.map(|common| common.1));
        if own.is_none() && is_described_before(definition, argument) {
            if let Some(keywords) = schema.as_object_mut() {
                keywords.shift_remove("description");
            }
        } else if let Some(description) = description {
            schema["description"] = json!(description);
        } else if argument == "limit" && tool != projection::TOOL {
            schema["description"] = json!("1 to 100; default 20.");
        } else if argument == "lang" {
            schema["description"] = json!("Default that of the store.");
        }
        without_descriptions_below(schema);
        if let Some(filter) = schema.pointer_mut("/properties/filter") {
            *filter = json!({"type": "object"});
        }
        without_sizes(schema, !RANGED.contains(&tool));
    }
}

/// Returns whether a tool before this one describes an argument that many take. An id of the tool's own record is another
/// argument.
fn is_described_before(definition: Definition, argument: &str) -> bool {
    let is_its_record = (definition.record()).is_some_and(|(name, _)| name == argument);
    let by = DESCRIBED_ONCE.iter().find(|(name, _)| *name == argument);
    let before = |tool| {
        let mut earlier = Definition::all().take_while(|one| one.row.id != definition.row.id);
        earlier.any(|one| one.row.id == tool)
    };
    !is_its_record && by.is_some_and(|(_, tool)| before(*tool))
}

/// Leaves the id alone of a record whose other keys another tool of the list names.
pub fn record(definition: Definition, data: &mut Value) {
    if RETURN_THE_RECORD.contains(&definition.row.id) {
        *data = json!({"type": "object", "properties": {"id": {"type": "string"}}});
    }
}

/// Removes the descriptions of branches, items and fields, whose names say enough.
fn without_descriptions_below(schema: &mut Value) {
    for_each_below(schema, &mut |below| {
        if let Some(keywords) = below.as_object_mut() {
            keywords.shift_remove("description");
        }
        without_descriptions_below(below);
    });
}

/// Removes how many items a list may have, at every depth, and the bounds of numbers if they stand in the description.
fn without_sizes(schema: &mut Value, bounds: bool) {
    if let Some(keywords) = schema.as_object_mut() {
        keywords.shift_remove("maxItems");
        keywords.shift_remove("uniqueItems");
        if bounds {
            keywords.shift_remove("minimum");
            keywords.shift_remove("maximum");
        }
    }
    for_each_below(schema, &mut |below| without_sizes(below, bounds));
}

/// Removes null from what a response leaves out where there is no value.
pub fn without_absent_nulls(schema: &mut Value) {
    let required = schema.get("required").and_then(Value::as_array).cloned();
    let required = required.unwrap_or_default();
    let fields = schema.get_mut("properties").and_then(Value::as_object_mut);
    for (name, field) in fields.into_iter().flatten() {
        if !required.iter().any(|required| required == name) {
            without_null(field);
        }
    }
    for_each_below(schema, &mut without_absent_nulls);
}

fn without_null(field: &mut Value) {
    if let Some(kinds) = field.get_mut("type").and_then(Value::as_array_mut) {
        kinds.retain(|kind| kind != "null");
        if let [only] = &kinds[..] {
            let only = only.clone();
            field["type"] = only;
        }
    }
    let Some(branches) = field.get_mut("anyOf").and_then(Value::as_array_mut) else {
        return;
    };
    branches.retain(|branch| branch["type"] != "null");
    if let [only] = &branches[..] {
        *field = only.clone();
    }
}

/// Calls `act` with every schema directly below `schema`.
fn for_each_below(schema: &mut Value, act: &mut dyn FnMut(&mut Value)) {
    let Some(keywords) = schema.as_object_mut() else {
        return;
    };
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
