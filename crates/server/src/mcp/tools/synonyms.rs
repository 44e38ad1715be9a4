//! The tools for synonym groups.

use super::records;
use crate::http::{ApiResult, Success, remarked};
use crate::mcp::call::ToolCall;
use crate::mcp::tool::{Effect, ListedRecords, More, ToolRow, tool};
use domain::synonym::Synonym;
use operations::synonyms;

/// What the tools for one group are about.
const GROUPS: ListedRecords = ListedRecords {
    list: "list_synonyms",
};

/// The tools for synonym groups.
pub const TOOLS: &[ToolRow] = &[
    tool(
        "list_synonyms",
        "Synonym groups",
        Effect::Reads,
        "Lists the synonym groups; without arguments all of them.",
        |call| Box::pin(list(call)),
    )
    .with_more(More::Pages),
    tool(
        "create_synonym",
        "Create a synonym group",
        Effect::Adds,
        "Creates a group of terms that are searched for each other (BIDIRECTIONAL, two or more), or an input that is also searched as its terms (UNIDIRECTIONAL).",
        |call| Box::pin(records::create::<Synonym>(call)),
    ),
    tool(
        "update_synonym",
        "Update a synonym group",
        Effect::Overwrites,
        "Updates the given fields of a group; terms replace the whole list.",
        |call| Box::pin(records::update::<Synonym>(call)),
    )
    .of_one(GROUPS),
    tool(
        "delete_synonym",
        "Delete a synonym group",
        Effect::Overwrites,
        "Deletes a group permanently; update_synonym with active false disables it.",
        |call| Box::pin(records::delete::<Synonym>(call)),
    )
    .of_one(GROUPS),
    tool(
        "import_synonyms_csv",
        "Import synonym groups",
        Effect::AddsOnce,
        "Creates many groups: one line per group, terms separated by commas, a one-way group as input => term, term. Existing groups are skipped, invalid lines reported.",
        |call| Box::pin(import(call)),
    )
    .with_more(More::Words(
        "Correct the lines in errors and import again: existing groups are skipped.",
    )),
];

async fn list(mut call: ToolCall) -> ApiResult {
    let store = call.store()?;
    let query = call.arguments.query()?;
    let listed =
        operations::records::list::<Synonym>(&call.service, &call.caller, &store, query).await?;
    Success::listed("synonym group", &listed)
}

async fn import(mut call: ToolCall) -> ApiResult {
    let store = call.store()?;
    let csv = call.arguments.input()?;
    let imported = synonyms::import(&call.service, &call.caller, &store, csv).await?;
    let (report, revision, remark) = imported;
    Ok(Success::ok(remarked(&report.sentence(), remark), &report)?.of_revision(revision))
}
