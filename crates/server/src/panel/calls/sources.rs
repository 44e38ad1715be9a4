//! What users do with sources: addresses from which the catalogue of a store is fetched.

use crate::App;
use crate::catalogue::{OperationRow, Route};
use crate::http::inputs::input;
use crate::http::{ApiResult, Body, Failure, Guarded, NoInput, Success};
use crate::panel::extract::{LastId, OfStore};
use crate::sources::invalid_mapping;
use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::on;
use domain::source::SourcePatch;
use domain::{Invalid, SourceId};
use operations::sources;
use serde::Serialize;

/// Rows of sources.
pub const ROWS: &[OperationRow] = &[
    Route::get("list_sources", "/stores/{id}/sources").handler(|method| on(method, list)),
    Route::post("create_source", "/stores/{id}/sources")
        .handler(|method| on(method, create))
        .body::<SourcePatch>("null"),
    Route::get("get_source", "/stores/{id}/sources/{sourceId}").handler(|method| on(method, get)),
    Route::put("update_source", "/stores/{id}/sources/{sourceId}")
        .handler(|method| on(method, update))
        .body::<SourcePatch>("null"),
    Route::delete("delete_source", "/stores/{id}/sources/{sourceId}")
        .handler(|method| on(method, delete)),
    Route::post("fetch_source", "/stores/{id}/sources/{sourceId}/fetch")
        .handler(|method| on(method, fetch)),
    Route::get("list_fetches", "/stores/{id}/sources/{sourceId}/fetches")
        .handler(|method| on(method, fetches)),
];

input! {
    SourcePatch,
    fn semantic_errors(self) -> Vec<Invalid> {
        invalid_mapping(&self).into_iter().collect()
    }
}

/// Fails for a mapping that the reader of files does not understand.
fn check(patch: &SourcePatch) -> Result<(), Failure> {
    invalid_mapping(patch).map_or(Ok(()), |invalid| Err(Failure::invalid(vec![invalid])))
}

/// The id of a deleted source.
#[derive(Serialize)]
struct DeletedSource {
    id: SourceId,
}

async fn list(State(app): State<App>, OfStore(caller, store): OfStore, _: NoInput) -> ApiResult {
    let listed = sources::list(&app.service, &caller, &store).await?;
    Success::ok(format!("{} sources.", listed.len()), &listed)
}

async fn create(
    State(app): State<App>,
    OfStore(caller, store): OfStore,
    Body(patch): Body<SourcePatch>,
) -> ApiResult {
    check(&patch)?;
    let (view, revisioned) = sources::create(&app.service, &caller, &store, patch).await?;
    let created = "Source created; it is fetched now.";
    Ok(Success::with_status(StatusCode::CREATED, created, &view)?.tagged(revisioned))
}

async fn get(
    State(app): State<App>,
    OfStore(caller, store): OfStore,
    LastId(id): LastId,
    _: NoInput,
) -> ApiResult {
    let source = sources::get(&app.service, &caller, &store, &id.into()).await?;
    Success::revisioned("Source.", source)
}

async fn update(
    State(app): State<App>,
    OfStore(caller, store): OfStore,
    LastId(id): LastId,
    Guarded(Body(patch), guard): Guarded<Body<SourcePatch>>,
) -> ApiResult {
    check(&patch)?;
    let of = (&store, id.into());
    let (view, revisioned) = sources::update(&app.service, &caller, of, patch, guard).await?;
    let message = match view.auth.secret_missing {
        true => "Source updated; its secret has to be sent again before it is fetched.",
        false => "Source updated.",
    };
    Success::revisioned(message, (view, revisioned))
}

async fn delete(
    State(app): State<App>,
    OfStore(caller, store): OfStore,
    LastId(id): LastId,
    Guarded(_, guard): Guarded<NoInput>,
) -> ApiResult {
    let id = sources::delete(&app.service, &caller, (&store, id.into()), guard).await?;
    Success::ok("Source deleted; its documents stay.", &DeletedSource { id })
}

async fn fetch(
    State(app): State<App>,
    OfStore(caller, store): OfStore,
    LastId(id): LastId,
    _: NoInput,
) -> ApiResult {
    let view = sources::fetch_now(&app.service, &caller, &store, id.into()).await?;
    Success::with_status(StatusCode::ACCEPTED, "The source is fetched now.", &view)
}

async fn fetches(
    State(app): State<App>,
    OfStore(caller, store): OfStore,
    LastId(id): LastId,
    _: NoInput,
) -> ApiResult {
    let fetches = sources::fetches(&app.service, &caller, &store, &id.into()).await?;
    Success::ok(format!("{} fetches.", fetches.len()), &fetches)
}
