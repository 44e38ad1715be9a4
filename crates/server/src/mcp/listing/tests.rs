//! 1. Each tool is equal to the committed copy in `docs/examples/tools`, so that changes of what models read are
//!    visible; `FINDWELL_WRITE=1` updates it.
//! 2. The list takes at most 25 kB, with a key that only reads 13 kB, no tool more than 6 kB;
//!    with all tools it takes 45 kB. Results as text only have no output schemas.
//! 3. Every tool is an operation of the catalogue that writes if the tool does, and its schemas are schemas.
//! 4. Every argument has a type and, in its own tool or in one before it, a description; every schema of a result has a
//!    type, too; nothing refers elsewhere.

use super::*;
use crate::mcp::brevity::DESCRIBED_ONCE;
use rmcp::model::ListToolsResult;
use serde_json::Value;

const ALL: Address = Address {
    all_tools: true,
    text_only: false,
};

const COPIES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/examples/tools");

fn all() -> Vec<Value> {
    let tools = TOOLS.iter();
    tools
        .map(|tool| serde_json::to_value(tool).expect("JSON"))
        .collect()
}

fn name(tool: &Value) -> &str {
    tool["name"].as_str().unwrap_or_default()
}

#[test]
fn the_copies_are_what_is_listed() {
    for tool in all() {
        let path = format!("{COPIES}/{}.json", name(&tool));
        let text = format!("{tool:#}\n");
        if std::env::var_os("FINDWELL_WRITE").is_some() {
            std::fs::create_dir_all(COPIES).expect("a directory");
            std::fs::write(&path, &text).expect("written");
        }
        let copy = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(
            copy == text,
            "{path} is outdated; FINDWELL_WRITE=1 cargo test -p server --lib mcp writes it"
        );
    }
}

/// Bytes of the list of an address.
fn bytes(scope: Scope, address: Address) -> usize {
    let listed = ListToolsResult::with_all_items(shown(Some(scope), address));
    serde_json::to_string(&listed).expect("JSON").len()
}

#[test]
fn the_lists_are_small_enough() {
    for tool in all() {
        let bytes = tool.to_string().len();
        let output = tool["outputSchema"].to_string().len();
        println!("{:24} {bytes} of which output {output}", name(&tool));
        assert!(bytes <= 6_000, "{}: {bytes} bytes", name(&tool));
    }
    for (scope, address, most) in [
        (Scope::Write, Address::default(), 25_000),
        (Scope::Read, Address::default(), 13_000),
        (Scope::Propose, ALL, 45_000),
    ] {
        let bytes = bytes(scope, address);
        println!("{scope:?} {address:?} {bytes}");
        assert!(bytes <= most, "{scope:?} {address:?}: {bytes} bytes");
    }
}

#[test]
fn lists_of_text_have_no_output_schemas() {
    let address = Address {
        text_only: true,
        ..ALL
    };
    let listed = shown(Some(Scope::Write), address);
    assert_eq!(listed.len(), Definition::all().count());
    assert!(listed.iter().all(|tool| tool.output_schema.is_none()));
}

#[test]
fn every_tool_is_an_operation() {
    for (definition, tool) in Definition::all().zip(all()) {
        let (id, operation) = (definition.row.id, definition.row.operation());
        for words in ["title", "description"] {
            assert!(tool[words].as_str().is_some_and(|text| text.len() > 3));
        }
        let hints = &tool["annotations"];
        assert_eq!(hints["readOnlyHint"], !operation.writes, "{id}");
        assert_eq!(hints["openWorldHint"], false, "{id}");
        for hint in ["destructiveHint", "idempotentHint"] {
            assert_eq!(hints[hint].is_boolean(), operation.writes, "{id} {hint}");
        }
        for schema in ["inputSchema", "outputSchema"] {
            jsonschema::draft202012::new(&tool[schema]).expect("a schema");
            assert_eq!(tool[schema]["type"], "object");
        }
    }
    let listed = |scope, address| shown(Some(scope), address);
    assert_eq!(listed(Scope::Write, ALL).len(), Definition::all().count());
    assert_eq!(listed(Scope::Write, Address::default()).len(), 15);
    let writes = |tool: &Tool| {
        Definition::named(&tool.name, ALL)
            .expect("known")
            .tool
            .writes()
    };
    assert!(!listed(Scope::Read, ALL).iter().any(writes));
    assert!(shown(None, ALL).is_empty());
}

/// Fails for a schema without a type, anywhere below `schema`.
fn assert_typed(schema: &Value, place: &str) {
    let kinds = ["type", "anyOf", "enum", "const"];
    let is_typed = kinds.iter().any(|kind| schema.get(kind).is_some());
    assert!(is_typed, "{place} has no type: {schema}");
    for (name, field) in schema["properties"].as_object().into_iter().flatten() {
        assert_typed(field, &format!("{place}.{name}"));
    }
    for branch in schema["anyOf"].as_array().into_iter().flatten() {
        assert_typed(branch, place);
    }
    for keyword in ["items", "additionalProperties"] {
        if let Some(below) = schema.get(keyword).filter(|below| !below.is_boolean()) {
            assert_typed(below, &format!("{place}[]"));
        }
    }
    if schema["type"] == "array" {
        assert!(schema["items"].is_object(), "{place} has items of any kind");
    }
}

#[test]
fn every_argument_has_a_description() {
    let listed = all();
    let place = |of: &str| listed.iter().position(|tool| name(tool) == of);
    for tool in &listed {
        for schema in ["inputSchema", "outputSchema"] {
            assert_typed(&tool[schema], &format!("{} {schema}", name(tool)));
        }
        let text = tool.to_string();
        for external in ["$ref", "$defs", "\"x-", "\"format\""] {
            assert!(!text.contains(external), "{} {external}", name(tool));
        }
        for (argument, schema) in tool["inputSchema"]["properties"]
            .as_object()
            .into_iter()
            .flatten()
        {
            let once = DESCRIBED_ONCE.iter().find(|(once, _)| once == argument);
            let is_described = schema["description"].is_string();
            assert!(
                is_described || once.is_some_and(|(_, by)| place(by) < place(name(tool))),
                "{} {argument}",
                name(tool)
            );
            let kind = schema.get("type").or(schema.get("anyOf"));
            assert!(kind.is_some(), "{} {argument}", name(tool));
        }
    }
}
