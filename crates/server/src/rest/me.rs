//! `/me`: who the key belongs to.

use crate::App;
use crate::catalogue::{OperationRow, Route, example};
use crate::http::{AccountKey, ApiResult, NoInput, Success};
use crate::mcp::{Effect, ToolCall, tool};
use axum::extract::State;
use axum::routing::on;
use operations::me::Me;

/// The operations on the owner of a key.
pub const ROWS: &[OperationRow] = &[Route::get("get_account", "/me")
        .handler(|method| on(method, get))
        .returns::<Me>(example!("configuration/me.response"))
    .tool(tool(
        "Account and stores of the key",
        Effect::Reads,
        "Tells whom the key belongs to, its scopes and the stores that it reaches. Start here: the store ids come from it, and whether you may write.",
        |call| Box::pin(get_by_tool(call)),
    ))];

/// The account, the key and its stores.
pub async fn get(State(app): State<App>, AccountKey(caller): AccountKey, _: NoInput) -> ApiResult {
    let me = operations::me::get(&app.service, &caller).await?;
    Success::ok("Identity of the key.", &me)
}

async fn get_by_tool(call: ToolCall) -> ApiResult {
    let account = call.account();
    call.arguments.nothing()?;
    get(call.app, account, NoInput).await
}
