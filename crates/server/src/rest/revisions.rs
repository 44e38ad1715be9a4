//! `/stores/{id}/revisions`: what each write changed in the configuration.

use crate::App;
use crate::http::{Answer, NoInput, Params, Reader, RevisionNumber, Success};
use axum::extract::State;
use domain::revision::RevisionQuery;
use operations::revisions;

/// One page of the revisions, the newest first.
pub async fn list(
    State(app): State<App>,
    Reader(caller, store): Reader,
    Params(query): Params<RevisionQuery>,
) -> Answer {
    let listed = revisions::list(&app.service, &caller, &store, query).await?;
    Success::listed("revision", &listed)
}

/// One revision with what it changed.
pub async fn get(
    State(app): State<App>,
    Reader(caller, store): Reader,
    RevisionNumber(number): RevisionNumber,
    _: NoInput,
) -> Answer {
    let (revision, latest) = revisions::get(&app.service, &caller, &store, &number).await?;
    Ok(Success::ok("Revision.", &revision)?.of_revision(latest))
}
