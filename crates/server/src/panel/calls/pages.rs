//! What single pages of a store need: rejected documents, checked imports, the key of the widget's preview.

use crate::App;
use crate::catalogue::{OperationRow, Route};
use crate::http::{ApiResult, Body, NoInput, Success};
use crate::panel::extract::OfStore;
use axum::extract::State;
use axum::routing::on;
use domain::synonym::SynonymImport;
use operations::feed::rejections;
use operations::{keys, synonyms};
use serde_json::json;

/// Rows of single pages.
pub const ROWS: &[OperationRow] = &[
    Route::get("list_rejected", "/stores/{id}/rejected").handler(|method| on(method, rejected)),
    Route::post("check_import", "/stores/{id}/synonyms/check")
        .handler(|method| on(method, check_import))
        .body::<SynonymImport>("null"),
    Route::get("get_preview_key", "/stores/{id}/widget/preview-key")
        .handler(|method| on(method, preview_key)),
];

async fn rejected(
    State(app): State<App>,
    OfStore(caller, store): OfStore,
    _: NoInput,
) -> ApiResult {
    let rejected = rejections::list(&app.service, &caller, &store).await?;
    Success::ok(format!("{} rejected documents.", rejected.len()), &rejected)
}

async fn check_import(
    State(app): State<App>,
    OfStore(caller, store): OfStore,
    Body(csv): Body<SynonymImport>,
) -> ApiResult {
    let report = synonyms::check_import(&app.service, &caller, &store, csv).await?;
    Success::ok("Nothing was saved.", &report)
}

async fn preview_key(
    State(app): State<App>,
    OfStore(caller, store): OfStore,
    _: NoInput,
) -> ApiResult {
    let key = keys::public_of(&app.service, &caller, &store).await?;
    Success::ok("Key of the preview.", &json!({ "key": key }))
}
