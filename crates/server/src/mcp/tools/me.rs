//! The tool for the owner of the key.

use crate::http::{ApiResult, Success};
use crate::mcp::call::ToolCall;
use crate::mcp::tool::{Effect, ToolRow, tool};
use operations::me;

/// The tool for the account.
pub const TOOLS: &[ToolRow] = &[tool(
    "get_account",
    "Account and stores of the key",
    Effect::Reads,
    "Returns the account of the key, its scopes and the stores that it can access. Start here: it has the store ids.",
    |call| Box::pin(get(call)),
)];

async fn get(call: ToolCall) -> ApiResult {
    call.arguments.nothing()?;
    let me = me::get(&call.service, &call.caller).await?;
    Success::ok("Identity of the key.", &me)
}
