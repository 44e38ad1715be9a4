//! What open pages poll: the latest changes of a store's configuration.

use crate::App;
use crate::catalogue::{OperationRow, Route};
use crate::http::{ApiResult, NoInput, Success};
use crate::panel::extract::OfStore;
use axum::extract::State;
use axum::routing::on;
use operations::head;

/// Rows of the latest changes.
pub const ROWS: &[OperationRow] =
    &[Route::get("get_head", "/stores/{id}/head").handler(|method| on(method, head))];

async fn head(State(app): State<App>, OfStore(caller, store): OfStore, _: NoInput) -> ApiResult {
    let head = head::get(&app.service, &caller, &store).await?;
    Success::ok("The latest changes.", &head)
}
