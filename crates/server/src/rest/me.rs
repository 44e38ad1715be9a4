//! `/me`: the owner of the key.

use crate::App;
use crate::catalogue::{OperationRow, Route, example};
use crate::http::{AccountKey, ApiResult, NoInput, Success};
use axum::extract::State;
use axum::routing::on;
use operations::me::Me;

/// Rows of `/me`.
pub const ROWS: &[OperationRow] = &[Route::get("get_account", "/me")
    .handler(|method| on(method, get))
    .returns::<Me>(example!("configuration/me.response"))];

/// Returns account, key and stores.
pub async fn get(State(app): State<App>, AccountKey(caller): AccountKey, _: NoInput) -> ApiResult {
    let me = operations::me::get(&app.service, &caller).await?;
    Success::ok("Identity of the key.", &me)
}
