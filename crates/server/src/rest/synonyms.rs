//! `/stores/{id}/synonyms`: synonym groups.

use super::records;
use crate::App;
use crate::catalogue::{OperationRow, Route, example};
use crate::http::inputs::{errors_of, input, query_input};
use crate::http::{ApiResult, Body, StoreReader, StoreWriter, Success, remarked};
use axum::extract::State;
use axum::routing::on;
use domain::Invalid;
use domain::synonym::{NewSynonym, Synonym, SynonymImport, SynonymPatch, SynonymQuery};
use operations::records::{Advised, Deleted};
use operations::synonyms::{self, ImportReport};

/// Rows of `/stores/{id}/synonyms`.
pub const ROWS: &[OperationRow] = &[
    Route::get("list_synonyms", "/stores/{id}/synonyms")
        .handler(|method| on(method, records::list::<Synonym>))
        .query::<SynonymQuery>(example!("configuration/synonyms.query"))
        .returns::<Vec<Synonym>>(example!("configuration/synonyms.response"))
        .paged(),
    Route::get("get_synonym", "/stores/{id}/synonyms/{synId}")
        .handler(|method| on(method, records::get::<Synonym>))
        .returns::<Advised<Synonym>>(example!("configuration/synonym.response")),
    Route::post("create_synonym", "/stores/{id}/synonyms")
        .handler(|method| on(method, records::create::<Synonym>))
        .body::<NewSynonym>(example!("configuration/synonym.request"))
        .returns::<Advised<Synonym>>(example!("configuration/synonym.response"))
        .statuses(&[201])
        .errors(&[409]),
    Route::put("update_synonym", "/stores/{id}/synonyms/{synId}")
        .handler(|method| on(method, records::update::<Synonym>))
        .body::<SynonymPatch>(example!("configuration/synonym-change.request"))
        .returns::<Advised<Synonym>>(example!("configuration/synonym.response"))
        .errors(&[409]),
    Route::delete("delete_synonym", "/stores/{id}/synonyms/{synId}")
        .handler(|method| on(method, records::delete::<Synonym>))
        .returns::<Deleted>(example!("configuration/deleted.response")),
    Route::post("import_synonyms_csv", "/stores/{id}/synonyms/import")
        .handler(|method| on(method, import))
        .body::<SynonymImport>(example!("configuration/import.request"))
        .returns::<ImportReport>(example!("configuration/import.response")),
    Route::post("check_import", "/stores/{id}/synonyms/check")
        .handler(|method| on(method, check))
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

/// Returns what an import would create; saves nothing.
pub async fn check(
    State(app): State<App>,
    StoreReader(caller, store): StoreReader,
    Body(csv): Body<SynonymImport>,
) -> ApiResult {
    let report = synonyms::check_import(&app.service, &caller, &store, csv).await?;
    Success::ok("Nothing was saved.", &report)
}
