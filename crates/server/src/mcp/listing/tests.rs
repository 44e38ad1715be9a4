//! 1. Each tool is equal to the committed copy in `docs/examples/tools`, so that changes of what models read are
//!    visible; `FINDWELL_WRITE=1` updates it.
//! 2. The list takes at most 31 kB, with a key that only reads 13.5 kB, with all tools 55 kB; no tool takes more than
//!    6.2 kB. That is what they take now; 25, 13, 45 and 6 kB are wanted.
//!    Results as text only have no output schemas.
//! 3. Every tool is an operation of the catalogue that writes if the tool does, and its schemas are schemas.
//! 4. Every argument has a description and a type; nothing refers elsewhere.

use super::*;
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
        assert!(bytes <= 6_200, "{}: {bytes} bytes", name(&tool));
    }
    for (scope, address, most) in [
        (Scope::Write, Address::default(), 31_000),
        (Scope::Read, Address::default(), 13_500),
        (Scope::Write, ALL, 55_000),
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
        for hint in ["destructiveHint", "idempotentHint", "openWorldHint"] {
            assert!(hints[hint].is_boolean(), "{id} {hint}");
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
