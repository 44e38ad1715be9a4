//! `/me`: who the key belongs to.

use crate::App;
use crate::http::{AccountKey, ApiResult, NoInput, Success};
use axum::extract::State;

/// The account, the key and its stores.
pub async fn get(State(app): State<App>, AccountKey(caller): AccountKey, _: NoInput) -> ApiResult {
    let me = operations::me::get(&app.service, &caller).await?;
    Success::ok("Identity of the key.", &me)
}
