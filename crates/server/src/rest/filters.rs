//! `/stores/{id}/filters`: which facets shoppers see.

use crate::App;
use crate::http::{
    Answer, Body, Guarded, NoInput, OptionalBody, Params, Reader, ReaderOf, Success, Writer,
    WriterOf,
};
use axum::extract::State;
use axum::http::StatusCode;
use domain::FilterId;
use domain::feed::Nothing;
use domain::filter::{FilterPatch, NewFilter, ValuesQuery};
use operations::filters;

/// All filters, in the order in which they are shown.
pub async fn list(State(app): State<App>, Reader(caller, store): Reader, _: NoInput) -> Answer {
    let listed = filters::list(&app.service, &caller, &store).await?;
    Success::listed("filter", &listed)
}

/// One filter.
pub async fn get(
    State(app): State<App>,
    ReaderOf(caller, store, id): ReaderOf<FilterId>,
    _: NoInput,
) -> Answer {
    let filter = filters::get(&app.service, &caller, &store, &id).await?;
    Success::revisioned("Filter.", filter)
}

/// Makes a filter.
pub async fn create(
    State(app): State<App>,
    Writer(caller, store): Writer,
    Body(new): Body<NewFilter>,
) -> Answer {
    let made = filters::create(&app.service, &caller, &store, new).await?;
    Success::written(StatusCode::CREATED, "Filter made.", made)
}

/// Changes a filter.
pub async fn update(
    State(app): State<App>,
    WriterOf(caller, store, id): WriterOf<FilterId>,
    Guarded(Body(patch), guard): Guarded<Body<FilterPatch>>,
) -> Answer {
    let saved = filters::update(&app.service, &caller, &store, &id, patch, guard).await?;
    Success::written(StatusCode::OK, "Filter saved.", saved)
}

/// Deletes a filter.
pub async fn delete(
    State(app): State<App>,
    WriterOf(caller, store, id): WriterOf<FilterId>,
    Guarded(_, guard): Guarded<NoInput>,
) -> Answer {
    let (deleted, revision) = filters::delete(&app.service, &caller, &store, &id, guard).await?;
    Ok(Success::ok("Filter deleted.", &deleted)?.of_revision(revision))
}

/// Turns the automatic facets into filters.
pub async fn sync(
    State(app): State<App>,
    Writer(caller, store): Writer,
    _: OptionalBody<Nothing>,
) -> Answer {
    let (report, revision) = filters::sync(&app.service, &caller, &store).await?;
    let message = format!("{} filters made, {} kept.", report.created, report.kept);
    Ok(Success::ok(message, &report)?.of_revision(revision))
}

/// Values of a field with their products.
pub async fn values(
    State(app): State<App>,
    Reader(caller, store): Reader,
    Params(query): Params<ValuesQuery>,
) -> Answer {
    let (values, revision) = filters::values(&app.service, &caller, &store, query).await?;
    let plural = if values.len() == 1 { "value" } else { "values" };
    let message = format!("{} {plural}.", values.len());
    Ok(Success::ok(message, &values)?.of_revision(revision))
}
