//! `/stores/{id}/synonyms`: synonym groups.

use crate::App;
use crate::catalogue::{OperationRow, Route, example};
use crate::http::inputs::{errors_of, input, query_input};
use crate::http::{
    ApiResult, Body, Guarded, NoInput, Params, ReaderOf, StoreReader, StoreWriter, Success,
    WriterOf, remarked,
};
use axum::extract::State;
use axum::routing::on;
use domain::synonym::{NewSynonym, Synonym, SynonymImport, SynonymPatch, SynonymQuery};
use domain::{Invalid, SynonymId};
use operations::records::Deleted;
use operations::synonyms::{self, ImportReport};

/// Rows of `/stores/{id}/synonyms`.
pub const ROWS: &[OperationRow] = &[
    Route::get("list_synonyms", "/stores/{id}/synonyms")
        .handler(|method| on(method, list))
        .query::<SynonymQuery>(example!("configuration/synonyms.query"))
        .returns::<Vec<Synonym>>(example!("configuration/synonyms.response"))
        .paged(),
    Route::get("get_synonym", "/stores/{id}/synonyms/{synId}")
        .handler(|method| on(method, get))
        .returns::<Synonym>(example!("configuration/synonym.response")),
    Route::post("create_synonym", "/stores/{id}/synonyms")
        .handler(|method| on(method, create))
        .body::<NewSynonym>(example!("configuration/synonym.request"))
        .returns::<Synonym>(example!("configuration/synonym.response"))
        .statuses(&[201])
        .errors(&[409]),
    Route::put("update_synonym", "/stores/{id}/synonyms/{synId}")
        .handler(|method| on(method, update))
        .body::<SynonymPatch>(example!("configuration/synonym-change.request"))
        .returns::<Synonym>(example!("configuration/synonym.response"))
        .errors(&[409]),
    Route::delete("delete_synonym", "/stores/{id}/synonyms/{synId}")
        .handler(|method| on(method, delete))
        .returns::<Deleted>(example!("configuration/deleted.response")),
    Route::post("import_synonyms_csv", "/stores/{id}/synonyms/import")
        .handler(|method| on(method, import))
        .body::<SynonymImport>(example!("configuration/import.request"))
        .returns::<ImportReport>(example!("configuration/import.response")),
];

query_input!(SynonymQuery);
input! {
    NewSynonym,
    fn semantic_errors(self) -> Vec<Invalid> {
        // The operation compares terms after analysis, so it may still reject terms that differ in lower case.
        errors_of(self.check(&|term| term.trim().to_lowercase()))
    }
}
input!(SynonymPatch);
input!(SynonymImport);

/// Lists all groups, or one page of those that match the query parameters.
pub async fn list(
    State(app): State<App>,
    StoreReader(caller, store): StoreReader,
    Params(query): Params<SynonymQuery>,
) -> ApiResult {
    let listed = synonyms::list(&app.service, &caller, &store, query).await?;
    Success::listed("synonym group", &listed)
}

/// Returns a group.
pub async fn get(
    State(app): State<App>,
    ReaderOf(caller, store, id): ReaderOf<SynonymId>,
    _: NoInput,
) -> ApiResult {
    let synonym = synonyms::get(&app.service, &caller, &store, &id).await?;
    Success::revisioned("Synonym group.", synonym)
}

/// Creates a group.
pub async fn create(
    State(app): State<App>,
    StoreWriter(caller, store): StoreWriter,
    Body(new): Body<NewSynonym>,
) -> ApiResult {
    let made = synonyms::create(&app.service, &caller, &store, new).await?;
    Success::created("Synonym group", made)
}

/// Updates a group.
pub async fn update(
    State(app): State<App>,
    WriterOf(caller, store, id): WriterOf<SynonymId>,
    Guarded(Body(patch), guard): Guarded<Body<SynonymPatch>>,
) -> ApiResult {
    let saved = synonyms::update(&app.service, &caller, &store, &id, patch, guard).await?;
    Success::updated("Synonym group", saved)
}

/// Deletes a group.
pub async fn delete(
    State(app): State<App>,
    WriterOf(caller, store, id): WriterOf<SynonymId>,
    Guarded(_, guard): Guarded<NoInput>,
) -> ApiResult {
    let deleted = synonyms::delete(&app.service, &caller, &store, &id, guard).await?;
    Success::deleted("Synonym group", deleted)
}

/// Creates groups from CSV.
pub async fn import(
    State(app): State<App>,
    StoreWriter(caller, store): StoreWriter,
    Body(csv): Body<SynonymImport>,
) -> ApiResult {
    let imported = synonyms::import(&app.service, &caller, &store, csv).await?;
    let (report, revision, remark) = imported;
    Ok(Success::ok(remarked(&report.sentence(), remark), &report)?.of_revision(revision))
}
