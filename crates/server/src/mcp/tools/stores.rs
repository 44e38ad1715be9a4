//! The tool for a store.

use crate::http::{ApiResult, Success};
use crate::mcp::call::ToolCall;
use crate::mcp::tool::{Effect, ToolRow, tool};
use operations::stores;

/// The tool for a store.
pub const TOOLS: &[ToolRow] = &[tool(
    "get_store",
    "One store",
    Effect::Reads,
    "Returns a store with its languages, indices, counters and limits.",
    |call| Box::pin(get(call)),
)];

async fn get(mut call: ToolCall) -> ApiResult {
    let store = call.store()?;
    call.arguments.nothing()?;
    let detail = stores::get(&call.service, &call.caller, &store).await?;
    Success::revisioned("Store.", detail)
}
