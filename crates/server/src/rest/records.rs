//! The handlers of synonym groups, rules and filters: list, get, create, update and delete.

use crate::App;
use crate::http::input::{Input, QueryInput};
use crate::http::record::RecordId;
use crate::http::{
    ApiResult, Body, Guarded, NoInput, Params, ReaderOf, StoreReader, StoreWriter, Success,
    WriterOf,
};
use axum::extract::State;
use operations::records::{self, Record};

/// Lists what the query parameters select.
pub async fn list<R: Record<Query: QueryInput>>(
    State(app): State<App>,
    StoreReader(caller, store): StoreReader,
    Params(query): Params<R::Query>,
) -> ApiResult {
    let listed = records::list::<R>(&app.service, &caller, &store, query).await?;
    Success::listed(R::KIND.name(), &listed)
}

/// Returns a record.
pub async fn get<R: Record<Id: RecordId>>(
    State(app): State<App>,
    ReaderOf(caller, store, id): ReaderOf<R::Id>,
    _: NoInput,
) -> ApiResult {
    let record = records::get::<R>(&app.service, &caller, &store, &id).await?;
    Success::revisioned(format!("{}.", R::NAME), record)
}

/// Creates a record.
pub async fn create<R: Record<New: Input>>(
    State(app): State<App>,
    StoreWriter(caller, store): StoreWriter,
    Body(new): Body<R::New>,
) -> ApiResult {
    let created = records::create::<R>(&app.service, &caller, &store, new).await?;
    Success::created(R::NAME, created)
}

/// Updates a record.
pub async fn update<R: Record<Id: RecordId, Patch: Input>>(
    State(app): State<App>,
    WriterOf(caller, store, id): WriterOf<R::Id>,
    Guarded(Body(patch), guard): Guarded<Body<R::Patch>>,
) -> ApiResult {
    let updated = records::update::<R>(&app.service, &caller, &store, &id, patch, guard).await?;
    Success::updated(R::NAME, updated)
}

/// Deletes a record.
pub async fn delete<R: Record<Id: RecordId>>(
    State(app): State<App>,
    WriterOf(caller, store, id): WriterOf<R::Id>,
    Guarded(_, guard): Guarded<NoInput>,
) -> ApiResult {
    let deleted = records::delete::<R>(&app.service, &caller, &store, &id, guard).await?;
    Success::deleted(R::NAME, deleted)
}
