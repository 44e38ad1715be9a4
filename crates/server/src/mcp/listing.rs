//! The list of tools.

use super::address::Address;
use super::definition::Definition;
use super::schema;
use super::tool::Effect;
use domain::Scope;
use operations::catalogue::RequiredAccess;
use rmcp::model::{Tool, ToolAnnotations};
use std::sync::LazyLock;

/// All tools as the protocol lists them, in the order of their tables.
static TOOLS: LazyLock<Vec<Tool>> = LazyLock::new(|| Definition::all().map(described).collect());

/// Returns the tools of an address for a key with `scope`.
pub fn shown(scope: Option<Scope>, address: Address) -> Vec<Tool> {
    // The tools of every address come first.
    let all = Definition::at(address).zip(TOOLS.iter());
    let allowed = all.filter(|(definition, _)| match definition.row.operation().access {
        RequiredAccess::Configuration(needed) => scope.is_some_and(|held| held >= needed),
        RequiredAccess::Feed
        | RequiredAccess::Search
        | RequiredAccess::Panel
        | RequiredAccess::Operator => false,
    });
    let listed = allowed.map(|(_, tool)| {
        let mut tool = tool.clone();
        if address.text_only {
            tool.output_schema = None;
        }
        tool
    });
    listed.collect()
}

/// Returns the tool `name`, independent of scope.
pub fn tool_called(name: &str) -> Option<Tool> {
    TOOLS.iter().find(|tool| tool.name == name).cloned()
}

fn described(definition: Definition) -> Tool {
    let tool = definition.tool;
    // What a read destroys or repeats has no meaning.
    let of_write = |hint| tool.writes().then_some(hint);
    let hints = ToolAnnotations::from_raw(
        None,
        Some(!tool.writes()),
        of_write(tool.effect == Effect::Overwrites),
        of_write(tool.effect != Effect::Adds),
        Some(false),
    );
    Tool::new(
        definition.row.id,
        tool.description,
        schema::input(definition),
    )
    .with_title(tool.title)
    .with_annotations(hints)
    .with_raw_output_schema(schema::output(definition).into())
}

#[cfg(test)]
mod tests;
