//! 1. Each tool is equal to the committed copy in `docs/examples/tools`, so that changes of what models read are
//!    visible; `FINDWELL_WRITE=1` updates it.
//! 2. Names, descriptions and input schemas of all tools take at most 25 kB, with output schemas 45 kB.
//! 3. Every tool is an operation of the catalogue that writes if the tool does, and its schemas are schemas.
//! 4. Every argument has a description and a type; nothing refers elsewhere.

use super::*;
use serde_json::Value;

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

#[test]
fn the_tools_are_small_enough() {
    let (mut input_bytes, mut output_bytes) = (0, 0);
    for tool in all() {
        let parts = ["name", "title", "description", "inputSchema"]
            .map(|part| tool[part].to_string().len());
        let output = tool["outputSchema"].to_string().len();
        input_bytes += parts.iter().sum::<usize>();
        output_bytes += output;
        println!("{:24} {parts:?} {output}", name(&tool));
    }
    println!("{input_bytes} and {output_bytes}");
    assert!(
        input_bytes <= 25_000,
        "{input_bytes} bytes of names, descriptions and input schemas"
    );
    assert!(
        input_bytes + output_bytes <= 45_000,
        "{} bytes with output schemas",
        input_bytes + output_bytes
    );
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
        for hint in ["destructiveHint", "idempotentHint", "openWorldHint"] {
            assert!(hints[hint].is_boolean(), "{id} {hint}");
        }
        for schema in ["inputSchema", "outputSchema"] {
            jsonschema::draft202012::new(&tool[schema]).expect("a schema");
            assert_eq!(tool[schema]["type"], "object");
        }
    }
    assert_eq!(shown(Some(Scope::Write)).len(), Definition::all().count());
    let read = shown(Some(Scope::Read));
    assert!(
        read.iter()
            .all(|tool| !Definition::named(&tool.name).expect("known").tool.writes())
    );
    assert!(shown(None).is_empty());
}

#[test]
fn every_argument_has_a_description() {
    for tool in all() {
        let text = tool.to_string();
        for external in ["$ref", "$defs", "\"x-", "\"format\""] {
            assert!(!text.contains(external), "{} {external}", name(&tool));
        }
        for (argument, schema) in tool["inputSchema"]["properties"]
            .as_object()
            .into_iter()
            .flatten()
        {
            assert!(
                schema["description"].is_string(),
                "{} {argument}",
                name(&tool)
            );
            let kind = schema.get("type").or(schema.get("anyOf"));
            assert!(kind.is_some(), "{} {argument}", name(&tool));
        }
    }
}
