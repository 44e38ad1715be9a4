//! The tools for rules.

use super::records;
use crate::http::{ApiResult, Success};
use crate::mcp::call::ToolCall;
use crate::mcp::paging::Paging;
use crate::mcp::tool::{Effect, ListedRecords, More, ToolRow, tool};
use domain::rule::Rule;

/// What the tools for one rule are about.
const RULES: ListedRecords = ListedRecords {
    one: "rule",
    list: "list_rules",
};

/// The tools for rules.
pub const TOOLS: &[ToolRow] = &[
    tool(
        "list_rules",
        "Rules",
        Effect::Reads,
        "Lists the rules, of one language or of all, with their status (active, inactive, scheduled, expired). Pass limit and page if there are many.",
        |call| Box::pin(list(call)),
    )
    .with_more(More::Pages),
    tool(
        "get_rule",
        "One rule",
        Effect::Reads,
        "Returns one rule. To see whether it applies to a query use test_relevance with applyRules.",
        |call| Box::pin(records::get::<Rule>(call)),
    )
    .of_one(RULES),
    tool(
        "create_rule",
        "Create a rule",
        Effect::Adds,
        "Creates a rule for the queries that match its trigger: BOOST multiplies scores, PIN puts products first, HIDE removes them, REDIRECT, BANNER, FILTER. actions has exactly the key of the type. Start with low boosts (2 to 5) and check with test_relevance and applyRules.",
        |call| Box::pin(records::create::<Rule>(call)),
    ),
    tool(
        "update_rule",
        "Update a rule",
        Effect::Overwrites,
        "Updates the given fields of a rule; actions are replaced as a whole, the type cannot change. null clears startDate or endDate, active false disables the rule.",
        |call| Box::pin(records::update::<Rule>(call)),
    )
    .of_one(RULES),
    tool(
        "delete_rule",
        "Delete a rule",
        Effect::Overwrites,
        "Deletes a rule permanently. To disable it for a while use update_rule with active false.",
        |call| Box::pin(records::delete::<Rule>(call)),
    )
    .of_one(RULES),
];

/// Returns all rules, or a page if the arguments request one.
async fn list(mut call: ToolCall) -> ApiResult {
    let store = call.store()?;
    let paging: Option<Paging> = call.arguments.part();
    let query = call.arguments.query()?;
    let listed =
        operations::records::list::<Rule>(&call.service, &call.caller, &store, query).await?;
    Success::listed("rule", &paging.unwrap_or_default().of(listed))
}
