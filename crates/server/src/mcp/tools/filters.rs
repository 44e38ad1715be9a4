//! The tool for filters.

use crate::http::{ApiResult, Success};
use crate::mcp::call::ToolCall;
use crate::mcp::paging::Paging;
use crate::mcp::tool::{Effect, More, ToolRow, tool};
use domain::filter::Filter;
use operations::records;

/// The tool for filters.
pub const TOOLS: &[ToolRow] = &[
    tool(
        "list_filters",
        "Filters",
        Effect::Reads,
        "Lists the filters (facets) that store pages show, in display order. If there are none, the pages show the automatic facets. Filters are changed in the control panel or over REST.",
        |call| Box::pin(list(call)),
    )
    .with_more(More::Pages),
];

/// Returns all filters, or a page if the arguments request one.
async fn list(mut call: ToolCall) -> ApiResult {
    let store = call.store()?;
    let paging: Option<Paging> = call.arguments.of_tool();
    call.arguments.nothing()?;
    let listed = records::list::<Filter>(&call.service, &call.caller, &store, ()).await?;
    Success::listed("filter", &paging.unwrap_or_default().of(listed))
}
