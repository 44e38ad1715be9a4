//! `/me`: who the key belongs to.

use crate::App;
use crate::http::{Account, Answer, NoInput, Success};
use axum::extract::State;

/// The account, the key and its stores.
pub async fn get(State(app): State<App>, Account(caller): Account, _: NoInput) -> Answer {
    let me = operations::me::get(&app.service, &caller).await?;
    Success::ok("Identity of the key.", &me)
}
