//! `/me`: the owner of the key.

use crate::App;
use crate::catalogue::{OperationRow, Route, example};
use crate::http::{AccountKey, ApiResult, NoInput, Success};
use crate::mcp::{Effect, ToolCall, tool};
use axum::extract::State;
use axum::routing::on;
use operations::me::Me;

/// Rows of `/me`.
pub const ROWS: &[OperationRow] = &[Route::get("get_account", "/me")
        .handler(|method| on(method, get))
        .returns::<Me>(example!("configuration/me.response"))
    .tool(tool(
        "Account and stores of the key",
        Effect::Reads,
        "Returns the account of the key, its scopes and the stores that it can access. Start here: it has the store ids and says whether you may write.",
        |call| Box::pin(get_by_tool(call)),
    ))];

/// Returns account, key and stores.
pub async fn get(State(app): State<App>, AccountKey(caller): AccountKey, _: NoInput) -> ApiResult {
    let me = operations::me::get(&app.service, &caller).await?;
    Success::ok("Identity of the key.", &me)
}

async fn get_by_tool(call: ToolCall) -> ApiResult {
    let account = call.account();
    call.arguments.nothing()?;
    get(call.app, account, NoInput).await
}
