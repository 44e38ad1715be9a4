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
        "Saves a draft, as test_relevance tried it, as one revision: all or nothing.",
        |call| Box::pin(apply(call)),
    ),
    tool(
        "restore_revision",
        "Restore a revision",
        Effect::Overwrites,
        "Restores parts or single resources of the configuration to what they were right after revision n, in a new revision.",
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
