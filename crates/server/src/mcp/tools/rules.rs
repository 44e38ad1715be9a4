//! The tools for rules.

use super::records;
use crate::http::input::Input;
use crate::http::inputs::input;
use crate::http::{ApiResult, Failure, Success};
use crate::mcp::call::ToolCall;
use crate::mcp::paging::Paging;
use crate::mcp::tool::{Effect, ListedRecords, More, ToolRow, tool};
use crate::message;
use domain::Invalid;
use domain::clearable::Clearable;
use domain::rule::{Rule, RulePatch};
use operations::Precondition;
use schemars::JsonSchema;
use serde::Deserialize;

/// What the tools for one rule are about.
const RULES: ListedRecords = ListedRecords { list: "list_rules" };

/// A field that can be unset.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
enum ClearableField {
    StartDate,
    EndDate,
    TimeZone,
}

/// The argument that unsets fields, where REST has `null`.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ClearedFields {
    /// Fields to unset.
    #[serde(default)]
    clear: Vec<ClearableField>,
}

input!(ClearedFields);

impl ClearedFields {
    /// Returns `patch` with the fields unset.
    ///
    /// Errors: 400 if the patch sets one of them, too.
    fn unset(self, mut patch: RulePatch) -> Result<RulePatch, Failure> {
        let mut wrong = Vec::new();
        for (n, field) in self.clear.into_iter().enumerate() {
            let (field, name) = match field {
                ClearableField::StartDate => (&mut patch.start_date, "startDate"),
                ClearableField::EndDate => (&mut patch.end_date, "endDate"),
                ClearableField::TimeZone => (&mut patch.time_zone, "timeZone"),
            };
            if matches!(field, Clearable::Set(_)) {
                let reason = message::tool::set_and_cleared(name);
                wrong.push(Invalid::new(format!("clear[{n}]"), reason));
            }
            *field = Clearable::Clear;
        }
        if wrong.is_empty() {
            Ok(patch)
        } else {
            Err(Failure::invalid(wrong))
        }
    }
}

/// The tools for rules.
pub const TOOLS: &[ToolRow] = &[
    tool(
        "list_rules",
        "Rules",
        Effect::Reads,
        "Lists the rules, of one language or of all, with their status (active, inactive, scheduled, expired).",
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
        "Creates a rule for the queries that match its trigger: BOOST multiplies scores (start with 2 to 5), PIN puts products first, HIDE removes them, REDIRECT, BANNER, FILTER. contains and starts_with compare whole words, folded, not stemmed; an empty query with contains is every query; regex is linear-time, without look-around, case and accents folded. A date without time is a whole day in UTC or timeZone, both ends included. Boost entries by mode: term field, value (exact text as indexed), weight; range field, min, max, weight; value field, factor, modifier, missing. filter has a value, values or a range by field.",
        |call| Box::pin(records::create::<Rule>(call)),
    ),
    tool(
        "update_rule",
        "Update a rule",
        Effect::Overwrites,
        "Updates the given fields of a rule; actions are replaced as a whole, the type cannot change. clear unsets startDate, endDate or timeZone.",
        |call| Box::pin(update(call)),
    )
    .of_one(RULES)
    .with_arguments(ClearedFields::checker),
    tool(
        "delete_rule",
        "Delete a rule",
        Effect::Overwrites,
        "Deletes a rule permanently; update_rule with active false disables it.",
        |call| Box::pin(records::delete::<Rule>(call)),
    )
    .of_one(RULES),
];

/// Returns all rules, or a page if the arguments request one.
async fn list(mut call: ToolCall) -> ApiResult {
    let store = call.store()?;
    let paging: Option<Paging> = call.arguments.of_tool();
    let query = call.arguments.query()?;
    let listed =
        operations::records::list::<Rule>(&call.service, &call.caller, &store, query).await?;
    Success::listed("rule", &paging.unwrap_or_default().of(listed))
}

/// Updates a rule, and unsets the fields that `clear` names.
async fn update(mut call: ToolCall) -> ApiResult {
    let (store, id) = call.record().await?;
    let cleared: Option<ClearedFields> = call.arguments.of_tool();
    let patch = cleared.unwrap_or_default().unset(call.arguments.input()?)?;
    let (service, guard) = (&call.service, Precondition::None);
    let updated =
        operations::records::update::<Rule>(service, &call.caller, &store, &id, patch, guard)
            .await?;
    Success::updated("Rule", updated)
}
