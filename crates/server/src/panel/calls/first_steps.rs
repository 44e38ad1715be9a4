//! The first steps of a store, and the line for the pages of its shop.

use crate::App;
use crate::catalogue::{OperationRow, Route};
use crate::http::{ApiResult, NoInput, Success};
use crate::panel::extract::OfStore;
use axum::extract::State;
use axum::routing::on;
use operations::first_steps;

/// Rows of first steps.
pub const ROWS: &[OperationRow] =
    &[Route::get("get_first_steps", "/stores/{id}/first-steps")
        .handler(|method| on(method, steps))];

async fn steps(State(app): State<App>, OfStore(caller, store): OfStore, _: NoInput) -> ApiResult {
    let steps = first_steps::get(&app.service, &caller, &store).await?;
    Success::ok("First steps of the store.", &steps)
}
