//! What single pages of a store need: what revisions changed, names, rejected documents, the key of the widget's preview.

use crate::App;
use crate::catalogue::{OperationRow, Route};
use crate::http::inputs::input;
use crate::http::{ApiResult, Body, NoInput, Params, Success};
use crate::panel::extract::{OfStore, ThePanel};
use crate::widget::page_line;
use axum::extract::State;
use axum::routing::on;
use domain::revision::RevisionQuery;
use operations::feed::rejections;
use operations::names::{self, NamesRequest};
use operations::{keys, revisions};
use serde_json::json;

/// Rows of single pages.
pub const ROWS: &[OperationRow] = &[
    Route::get("list_outlines", "/stores/{id}/outlines")
        .handler(|method| on(method, outlines))
        .query::<RevisionQuery>("null"),
    Route::post("list_names", "/stores/{id}/names")
        .handler(|method| on(method, names_of))
        .body::<NamesRequest>("null"),
    Route::get("list_rejected", "/stores/{id}/rejected").handler(|method| on(method, rejected)),
    Route::get("get_preview_key", "/stores/{id}/widget/preview-key")
        .handler(|method| on(method, preview_key)),
];

input! { NamesRequest }

async fn outlines(
    State(app): State<App>,
    OfStore(caller, store): OfStore,
    Params(query): Params<RevisionQuery>,
) -> ApiResult {
    let outlines = revisions::outlines(&app.service, &caller, &store, query).await?;
    Success::ok(format!("{} revisions.", outlines.len()), &outlines)
}

async fn names_of(
    State(app): State<App>,
    OfStore(caller, store): OfStore,
    Body(request): Body<NamesRequest>,
) -> ApiResult {
    let names = names::names(&app.service, &caller, &store, request).await?;
    Success::ok("Names.", &names)
}

async fn rejected(
    State(app): State<App>,
    OfStore(caller, store): OfStore,
    _: NoInput,
) -> ApiResult {
    let rejected = rejections::list(&app.service, &caller, &store).await?;
    Success::ok(format!("{} rejected documents.", rejected.len()), &rejected)
}

async fn preview_key(
    State(app): State<App>,
    OfStore(caller, store): OfStore,
    ThePanel(panel): ThePanel,
    _: NoInput,
) -> ApiResult {
    let key = keys::public_of(&app.service, &caller, &store).await?;
    let api = format!("{}/api/v1", panel.public_url);
    let line = key.as_deref().map(|key| page_line(&api, key));
    let data = json!({ "key": key, "line": line });
    Success::ok("Key of the preview and of pages.", &data)
}
