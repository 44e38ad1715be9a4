//! The tools for the history of a store's configuration.

use crate::http::{ApiResult, Success};
use crate::mcp::call::ToolCall;
use crate::mcp::tool::{Effect, ListedRecords, More, ToolRow, tool};
use operations::revisions;

/// What the tools for one revision are about.
pub const REVISIONS: ListedRecords = ListedRecords {
    list: "list_revisions",
};

/// The tools for revisions.
pub const TOOLS: &[ToolRow] = &[
    tool(
        "list_revisions",
        "Revisions",
        Effect::Reads,
        "Lists the revisions of the configuration, newest first: who saved what, when and why.",
        |call| Box::pin(list(call)),
    )
    .with_more(More::Pages),
    tool(
        "get_revision",
        "One revision",
        Effect::Reads,
        "Returns one revision with its changes, each value before and after.",
        |call| Box::pin(get(call)),
    )
    .of_one(REVISIONS),
];

async fn list(mut call: ToolCall) -> ApiResult {
    let store = call.store()?;
    let query = call.arguments.query()?;
    let listed = revisions::list(&call.service, &call.caller, &store, query).await?;
    Success::listed("revision", &listed)
}

async fn get(mut call: ToolCall) -> ApiResult {
    let store = call.store()?;
    let number = call.arguments.revision()?;
    call.arguments.nothing()?;
    let (revision, latest) = revisions::get(&call.service, &call.caller, &store, &number).await?;
    Ok(Success::ok("Revision.", &revision)?.of_revision(latest))
}
