//! `/stores/{id}/revisions`: the history of a store's configuration.

use crate::App;
use crate::catalogue::{OperationRow, Route, example};
use crate::http::inputs::query_input;
use crate::http::{ApiResult, NoInput, Params, RevisionNumber, StoreReader, Success};
use axum::extract::State;
use axum::routing::on;
use domain::revision::RevisionQuery;
use operations::revisions::{self, Revision, RevisionDetail};

/// Rows of `/stores/{id}/revisions`.
pub const ROWS: &[OperationRow] = &[
    Route::get("list_revisions", "/stores/{id}/revisions")
        .handler(|method| on(method, list))
        .query::<RevisionQuery>(r#"{"page": 1, "limit": 20}"#)
        .returns::<Vec<Revision>>(example!("configuration/revisions.response"))
        .paged(),
    Route::get("get_revision", "/stores/{id}/revisions/{n}")
        .handler(|method| on(method, get))
        .returns::<RevisionDetail>(example!("configuration/revision.response")),
];

query_input!(RevisionQuery);

/// Lists a page of the revisions, newest first.
pub async fn list(
    State(app): State<App>,
    StoreReader(caller, store): StoreReader,
    Params(query): Params<RevisionQuery>,
) -> ApiResult {
    let listed = revisions::list(&app.service, &caller, &store, query).await?;
    Success::listed("revision", &listed)
}

/// Returns a revision with its changes.
pub async fn get(
    State(app): State<App>,
    StoreReader(caller, store): StoreReader,
    RevisionNumber(number): RevisionNumber,
    _: NoInput,
) -> ApiResult {
    let (revision, latest) = revisions::get(&app.service, &caller, &store, &number).await?;
    Ok(Success::ok("Revision.", &revision)?.of_revision(latest))
}
