//! `/stores/{id}/revisions`: the history of a store's configuration.

use crate::App;
use crate::catalogue::{OperationRow, Route, example};
use crate::http::inputs::query_input;
use crate::http::{ApiResult, Params, RevisionNumber, StoreReader, Success};
use axum::extract::State;
use axum::routing::on;
use domain::revision::{RevisionQuery, RevisionRequest};
use operations::impact;
use operations::revisions::{self, Revision, RevisionDetail};

/// Rows of `/stores/{id}/revisions`.
pub const ROWS: &[OperationRow] = &[
    Route::get("list_revisions", "/stores/{id}/revisions")
        .handler(|method| on(method, list))
        .query::<RevisionQuery>(
            r#"{"page": 1, "limit": 20, "proposal": "p4k7n0q3t6w9z2c5f8i1m4o7"}"#,
        )
        .returns::<Vec<Revision>>(example!("configuration/revisions.response"))
        .paged(),
    Route::get("get_revision", "/stores/{id}/revisions/{n}")
        .handler(|method| on(method, get))
        .query::<RevisionRequest>(r#"{"impact": true}"#)
        .returns::<RevisionDetail>(example!("configuration/revision.response"))
        .errors(&[409]),
];

query_input!(RevisionQuery);
query_input!(RevisionRequest);

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
    Params(reading): Params<RevisionRequest>,
) -> ApiResult {
    let service = &app.service;
    let (revision, latest) = revisions::get(service, &caller, &store, &number).await?;
    let success = Success::ok("Revision.", &revision)?;
    if !reading.impact {
        return Ok(success.of_revision(latest));
    }
    let impact = impact::of_revision(service, &caller, &store, &number).await?;
    Ok(success.beside("impact", Some(&impact)).for_one(true))
}
