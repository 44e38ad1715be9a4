//! `/stores/{id}/filters`: which facets shoppers see.

use crate::App;
use crate::http::{
    ApiResult, Body, Guarded, NoInput, OptionalBody, Params, ReaderOf, StoreReader, StoreWriter,
    Success, WriterOf,
};
use axum::extract::State;
use axum::http::StatusCode;
use domain::FilterId;
use domain::feed::Nothing;
use domain::filter::{FilterPatch, NewFilter, ValuesQuery};
use operations::filters;

/// All filters, in the order in which they are shown.
pub async fn list(
    State(app): State<App>,
    StoreReader(caller, store): StoreReader,
    _: NoInput,
) -> ApiResult {
    let listed = filters::list(&app.service, &caller, &store).await?;
    Success::listed("filter", &listed)
}

/// One filter.
pub async fn get(
    State(app): State<App>,
    ReaderOf(caller, store, id): ReaderOf<FilterId>,
    _: NoInput,
) -> ApiResult {
    let filter = filters::get(&app.service, &caller, &store, &id).await?;
    Success::revisioned("Filter.", filter)
}

/// Makes a filter.
pub async fn create(
    State(app): State<App>,
    StoreWriter(caller, store): StoreWriter,
    Body(new): Body<NewFilter>,
) -> ApiResult {
    let made = filters::create(&app.service, &caller, &store, new).await?;
    Success::written(StatusCode::CREATED, "Filter made.", made)
}

/// Changes a filter.
pub async fn update(
    State(app): State<App>,
    WriterOf(caller, store, id): WriterOf<FilterId>,
    Guarded(Body(patch), guard): Guarded<Body<FilterPatch>>,
) -> ApiResult {
    let saved = filters::update(&app.service, &caller, &store, &id, patch, guard).await?;
    Success::written(StatusCode::OK, "Filter saved.", saved)
}

/// Deletes a filter.
pub async fn delete(
    State(app): State<App>,
    WriterOf(caller, store, id): WriterOf<FilterId>,
    Guarded(_, guard): Guarded<NoInput>,
) -> ApiResult {
    let (deleted, revision) = filters::delete(&app.service, &caller, &store, &id, guard).await?;
    Ok(Success::ok("Filter deleted.", &deleted)?.of_revision(revision))
}

/// Turns the automatic facets into filters.
pub async fn sync(
    State(app): State<App>,
    StoreWriter(caller, store): StoreWriter,
    _: OptionalBody<Nothing>,
) -> ApiResult {
    let (report, revision) = filters::sync(&app.service, &caller, &store).await?;
    let message = format!("{} filters made, {} kept.", report.created, report.kept);
    Ok(Success::ok(message, &report)?.of_revision(revision))
}

/// Values of a field with their products.
pub async fn values(
    State(app): State<App>,
    StoreReader(caller, store): StoreReader,
    Params(query): Params<ValuesQuery>,
) -> ApiResult {
    let (values, revision) = filters::values(&app.service, &caller, &store, query).await?;
    let plural = if values.len() == 1 { "value" } else { "values" };
    let message = format!("{} {plural}.", values.len());
    Ok(Success::ok(message, &values)?.of_revision(revision))
}
