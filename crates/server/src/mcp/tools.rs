//! The fifteen tools, in the order in which they are worked with.

use super::definition::{Definition, Effect, More};
use super::schema;
use domain::Scope;
use operations::catalogue::RequiredAccess;
use rmcp::model::{Tool, ToolAnnotations};
use std::sync::LazyLock;

const SYNONYM: Option<(&str, &str)> = Some(("synId", "Id of the group, from list_synonyms."));
const RULE: Option<(&str, &str)> = Some(("ruleId", "Id of the rule, from list_rules."));

const fn tool(
    id: &'static str,
    title: &'static str,
    effect: Effect,
    description: &'static str,
) -> Definition {
    Definition {
        id,
        title,
        description,
        record: None,
        effect,
        more: More::Rest,
    }
}

/// All of them.
pub const DEFINITIONS: [Definition; 15] = [
    tool(
        "get_account",
        "Account and stores of the key",
        Effect::Reads,
        "Tells whom the key belongs to, its scopes and the stores that it reaches. Start here: the store ids come from it, and whether you may write.",
    ),
    tool(
        "get_relevance",
        "Relevance in effect",
        Effect::Reads,
        "Reads the boosts and search settings in effect, what of them was saved, and advice about them. Read it before you propose a change.",
    ),
    Definition {
        more: More::From,
        ..tool(
            "test_relevance",
            "Try a search",
            Effect::Reads,
            "Ranks a question as shoppers would see it and says why each product stands where it does. Saves nothing, so use it freely: first without boosts and searchSettings to reproduce a problem, then with them to try a change (they are merged over what is saved, as update_relevance merges them), then with two or three other typical questions. savedPosition is the place under the saved configuration.",
        )
    },
    tool(
        "update_relevance",
        "Save relevance",
        Effect::Overwrites,
        "Saves boosts and search settings; both are merged, so send only what changes. Shoppers get it with their next search. Try the change with test_relevance first, and confirm with it afterwards.",
    ),
    Definition {
        more: More::Pages,
        ..tool(
            "list_synonyms",
            "Synonym groups",
            Effect::Reads,
            "Lists the groups of words that stand for each other. Without arguments all of them; pass limit and page where there are many, q to look for a word.",
        )
    },
    tool(
        "create_synonym",
        "Make a synonym group",
        Effect::Adds,
        "Makes a group of words that stand for each other (BIDIRECTIONAL, two or more terms), or an input that is also searched as its terms (UNIDIRECTIONAL). Only exact forms match: list plurals too. In effect at once in test_relevance, on store pages within 3 minutes. A group with the same terms is refused.",
    ),
    Definition {
        record: SYNONYM,
        ..tool(
            "update_synonym",
            "Change a synonym group",
            Effect::Overwrites,
            "Changes the keys given of a group; terms replace the whole list. active false switches it off without deleting it.",
        )
    },
    Definition {
        record: SYNONYM,
        ..tool(
            "delete_synonym",
            "Delete a synonym group",
            Effect::Overwrites,
            "Deletes a group for good. To switch it off for a while use update_synonym with active false.",
        )
    },
    Definition {
        more: More::Words(
            "Correct the lines that are named and import again: groups that are there already are skipped.",
        ),
        ..tool(
            "import_synonyms_csv",
            "Import synonym groups",
            Effect::AddsOnce,
            "Makes many groups at once: one line per group, terms separated by commas, a one-way group as input => term, term. Groups that are there already are skipped, wrong lines are named and stop nothing.",
        )
    },
    Definition {
        more: More::Pages,
        ..tool(
            "list_rules",
            "Rules",
            Effect::Reads,
            "Lists the rules, of one language or of all, with their status (active, inactive, scheduled, expired). Pass limit and page where there are many.",
        )
    },
    Definition {
        record: RULE,
        ..tool(
            "get_rule",
            "One rule",
            Effect::Reads,
            "Reads one rule. To see whether it fires for a question use test_relevance with applyRules.",
        )
    },
    tool(
        "create_rule",
        "Make a rule",
        Effect::Adds,
        "Makes a rule for the questions that its trigger meets: BOOST multiplies scores, PIN puts products first, HIDE leaves them out, REDIRECT, BANNER, FILTER. actions holds exactly the part of the type. Start boosts low (2 to 5) and check with test_relevance and applyRules.",
    ),
    Definition {
        record: RULE,
        ..tool(
            "update_rule",
            "Change a rule",
            Effect::Overwrites,
            "Changes the keys given of a rule; actions are replaced as a whole, the type cannot change. null clears startDate or endDate, active false switches the rule off.",
        )
    },
    Definition {
        record: RULE,
        ..tool(
            "delete_rule",
            "Delete a rule",
            Effect::Overwrites,
            "Deletes a rule for good. To switch it off for a while use update_rule with active false.",
        )
    },
    Definition {
        more: More::Pages,
        ..tool(
            "list_filters",
            "Filters",
            Effect::Reads,
            "Lists the filters (facets) that store pages show, in their order. When there is none, the pages show the automatic ones. Filters are changed in the control panel or by REST.",
        )
    },
];

/// The definition of the tool `name`.
pub fn definition(name: &str) -> Option<&'static Definition> {
    DEFINITIONS.iter().find(|definition| definition.id == name)
}

/// The tools as the protocol tells them, in the order of [`DEFINITIONS`].
static TOOLS: LazyLock<Vec<Tool>> = LazyLock::new(|| DEFINITIONS.iter().map(described).collect());

/// The tools that a key with `scope` is shown.
pub fn shown(scope: Option<Scope>) -> Vec<Tool> {
    let all = DEFINITIONS.iter().zip(TOOLS.iter());
    let allowed = all.filter(|(definition, _)| match definition.operation().access {
        RequiredAccess::Configuration(needed) => scope.is_some_and(|held| held >= needed),
        RequiredAccess::Feed | RequiredAccess::Search | RequiredAccess::Operator => false,
    });
    allowed.map(|(_, tool)| tool.clone()).collect()
}

/// The tool `name`, whoever asks.
pub fn tool_called(name: &str) -> Option<Tool> {
    TOOLS.iter().find(|tool| tool.name == name).cloned()
}

fn described(definition: &Definition) -> Tool {
    let hints = ToolAnnotations::from_raw(
        None,
        Some(!definition.writes()),
        Some(definition.effect == Effect::Overwrites),
        Some(definition.effect != Effect::Adds),
        Some(false),
    );
    Tool::new(
        definition.id,
        definition.description,
        schema::input(definition),
    )
    .with_title(definition.title)
    .with_annotations(hints)
    .with_raw_output_schema(schema::output(definition).into())
}

#[cfg(test)]
mod tests;
