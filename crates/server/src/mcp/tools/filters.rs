//! The tools for filters.

use super::records as tools_of;
use crate::http::{ApiResult, Success};
use crate::mcp::call::ToolCall;
use crate::mcp::paging::Paging;
use crate::mcp::tool::{Effect, ListedRecords, More, ToolRow, tool};
use domain::filter::Filter;
use operations::{field_values, records};

/// The tool for filters.
pub const TOOLS: &[ToolRow] = &[
    tool(
        "list_filters",
        "Filters",
        Effect::Reads,
        "Lists the filters (facets) that store pages show, in display order. If there are none, the pages show the automatic facets.",
        |call| Box::pin(list(call)),
    )
    .with_more(More::Pages),
];

/// What the tools for one filter are about.
const FILTERS: ListedRecords = ListedRecords {
    one: "filter",
    list: "list_filters",
};

/// The tool for values of a field, at an address with all tools.
pub const FURTHER_READS: &[ToolRow] = &[tool(
    "list_filter_values",
    "Values of a field",
    Effect::Reads,
    "Lists the values of a field with their product counts; rules name values exactly so.",
    |call| Box::pin(values(call)),
)];

/// The tools that change filters, at an address with all tools.
pub const FURTHER_WRITES: &[ToolRow] = &[
    tool(
        "create_filter",
        "Create a filter",
        Effect::Adds,
        "Creates a filter (facet) of a field. Once a store has one, its pages show its filters and no automatic facets.",
        |call| Box::pin(tools_of::create::<Filter>(call)),
    ),
    tool(
        "update_filter",
        "Update a filter",
        Effect::Overwrites,
        "Updates the given fields of a filter.",
        |call| Box::pin(tools_of::update::<Filter>(call)),
    )
    .of_one(FILTERS),
    tool(
        "delete_filter",
        "Delete a filter",
        Effect::Overwrites,
        "Deletes a filter permanently.",
        |call| Box::pin(tools_of::delete::<Filter>(call)),
    )
    .of_one(FILTERS),
];

async fn values(mut call: ToolCall) -> ApiResult {
    let store = call.store()?;
    let query = call.arguments.query()?;
    let (values, revision) =
        field_values::values(&call.service, &call.caller, &store, query).await?;
    let plural = if values.len() == 1 { "value" } else { "values" };
    let message = format!("{} {plural}.", values.len());
    Ok(Success::ok(message, &values)?.of_revision(revision))
}

/// Returns all filters, or a page if the arguments request one.
async fn list(mut call: ToolCall) -> ApiResult {
    let store = call.store()?;
    let paging: Option<Paging> = call.arguments.of_tool();
    call.arguments.nothing()?;
    let listed = records::list::<Filter>(&call.service, &call.caller, &store, ()).await?;
    Success::listed("filter", &paging.unwrap_or_default().of(listed))
}
