//! `/stores/{id}/synonyms`: groups of words that stand for each other.

use crate::App;
use crate::http::{
    ApiResult, Body, Guarded, NoInput, Params, ReaderOf, StoreReader, StoreWriter, Success,
    WriterOf, remarked,
};
use axum::extract::State;
use axum::http::StatusCode;
use domain::SynonymId;
use domain::synonym::{NewSynonym, SynonymImport, SynonymPatch, SynonymQuery};
use operations::synonyms;

/// All groups, or one page of those that are asked for.
pub async fn list(
    State(app): State<App>,
    StoreReader(caller, store): StoreReader,
    Params(query): Params<SynonymQuery>,
) -> ApiResult {
    let listed = synonyms::list(&app.service, &caller, &store, query).await?;
    Success::listed("synonym group", &listed)
}

/// One group.
pub async fn get(
    State(app): State<App>,
    ReaderOf(caller, store, id): ReaderOf<SynonymId>,
    _: NoInput,
) -> ApiResult {
    let synonym = synonyms::get(&app.service, &caller, &store, &id).await?;
    Success::revisioned("Synonym group.", synonym)
}

/// Makes a group.
pub async fn create(
    State(app): State<App>,
    StoreWriter(caller, store): StoreWriter,
    Body(new): Body<NewSynonym>,
) -> ApiResult {
    let made = synonyms::create(&app.service, &caller, &store, new).await?;
    Success::written(StatusCode::CREATED, "Synonym group made.", made)
}

/// Changes a group.
pub async fn update(
    State(app): State<App>,
    WriterOf(caller, store, id): WriterOf<SynonymId>,
    Guarded(Body(patch), guard): Guarded<Body<SynonymPatch>>,
) -> ApiResult {
    let saved = synonyms::update(&app.service, &caller, &store, &id, patch, guard).await?;
    Success::written(StatusCode::OK, "Synonym group saved.", saved)
}

/// Deletes a group.
pub async fn delete(
    State(app): State<App>,
    WriterOf(caller, store, id): WriterOf<SynonymId>,
    Guarded(_, guard): Guarded<NoInput>,
) -> ApiResult {
    let (deleted, revision) = synonyms::delete(&app.service, &caller, &store, &id, guard).await?;
    Ok(Success::ok("Synonym group deleted.", &deleted)?.of_revision(revision))
}

/// Makes the groups of comma-separated values.
pub async fn import(
    State(app): State<App>,
    StoreWriter(caller, store): StoreWriter,
    Body(csv): Body<SynonymImport>,
) -> ApiResult {
    let imported = synonyms::import(&app.service, &caller, &store, csv).await?;
    let (report, revision, remark) = imported;
    Ok(Success::ok(remarked(&report.sentence(), remark), &report)?.of_revision(revision))
}
