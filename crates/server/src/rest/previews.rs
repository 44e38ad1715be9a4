//! `/stores/{id}/preview`: a query under a draft or a former revision, and why products are where they are.

use super::drafts::reserved_in;
use crate::App;
use crate::catalogue::{OperationRow, Route, example};
use crate::http::inputs::input;
use crate::http::{ApiResult, Body, Success, Trying};
use axum::extract::State;
use axum::routing::on;
use domain::{ErrorList, Invalid};
use operations::preview::{self, ExplainRequest, Explained, Preview, PreviewRequest};
use serde_json::Value;

/// Bytes of a preview, enough for 48 cards and 500 positions.
const BYTES: usize = 32 * 1024;

/// Rows of previews.
pub const ROWS: &[OperationRow] = &[
    Route::post("preview", "/stores/{id}/preview")
        .handler(|method| on(method, ranked))
        .body::<PreviewRequest>(example!("configuration/preview.request"))
        .returns::<Preview>(example!("configuration/preview.response"))
        .errors(&[409]),
    Route::post("preview_explain", "/stores/{id}/preview/explain")
        .handler(|method| on(method, explained))
        .body::<ExplainRequest>(example!("configuration/explain.request"))
        .returns::<Vec<Explained>>(example!("configuration/explain.response"))
        .errors(&[409]),
];

input! {
    PreviewRequest,
    fn reserved(value: &Value) -> ErrorList {
        reserved_in(&value["draft"])
    }
    fn semantic_errors(self) -> Vec<Invalid> {
        self.trial.value_errors()
    }
}
input! {
    ExplainRequest,
    fn reserved(value: &Value) -> ErrorList {
        reserved_in(&value["draft"])
    }
    fn semantic_errors(self) -> Vec<Invalid> {
        self.trial.value_errors()
    }
}

/// Ranks a query under a draft, beside what is saved.
pub async fn ranked(
    State(app): State<App>,
    trying: Trying,
    Body(request): Body<PreviewRequest>,
) -> ApiResult {
    let Trying { caller, store, .. } = &trying;
    let preview = preview::preview(&app.service, caller, store, request).await?;
    Success::large("Preview; nothing was saved.", &preview, BYTES)
}

/// Explains products, or why they are missing.
pub async fn explained(
    State(app): State<App>,
    trying: Trying,
    Body(request): Body<ExplainRequest>,
) -> ApiResult {
    let Trying { caller, store, .. } = &trying;
    let products = preview::explain(&app.service, caller, store, request).await?;
    Success::ok("Preview; nothing was saved.", &products)
}
