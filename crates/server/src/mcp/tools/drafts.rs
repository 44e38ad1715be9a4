//! The tools for drafts: several changes saved as one revision, and former revisions restored.

use super::revisions::REVISIONS;
use crate::http::ApiResult;
use crate::mcp::call::ToolCall;
use crate::mcp::tool::{Effect, ToolRow, tool};
use crate::rest::drafts::{applied, restored};
use operations::drafts;

/// The tools for drafts.
pub const TOOLS: &[ToolRow] = &[
    tool(
        "apply_changes",
        "Save a draft",
        Effect::Overwrites,
        "Saves a draft, the object that test_relevance tried, as one revision: all of it or nothing. ifMatch names the entity tag of each present resource that it changes.",
        |call| Box::pin(apply(call)),
    ),
    tool(
        "restore_revision",
        "Restore a revision",
        Effect::Overwrites,
        "Restores the configuration, or parts or single resources of it, to what it was right after revision n, in a new revision. ifRevision is the latest revision.",
        |call| Box::pin(restore(call)),
    )
    .of_one(REVISIONS),
];

async fn apply(mut call: ToolCall) -> ApiResult {
    let store = call.store()?;
    let request = call.arguments.input()?;
    applied(&drafts::apply_changes(&call.service, &call.caller, &store, request).await?)
}

async fn restore(mut call: ToolCall) -> ApiResult {
    let store = call.store()?;
    let number = call.arguments.revision()?;
    let request = call.arguments.input()?;
    restored(&drafts::restore(&call.service, &call.caller, &store, &number, request).await?)
}
