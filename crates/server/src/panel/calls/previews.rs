//! Previews of a draft or a former revision.

use crate::App;
use crate::catalogue::{OperationRow, Route};
use crate::http::inputs::input;
use crate::http::{ApiResult, Body, Success};
use crate::panel::extract::Previewer;
use crate::rest::drafts::reserved_in;
use axum::extract::State;
use axum::routing::on;
use domain::{ErrorList, Invalid};
use operations::preview::{self, ExplainRequest, PreviewRequest};
use serde_json::Value;

/// Bytes of a preview, enough for 48 cards and 500 positions.
const BYTES: usize = 32 * 1024;

/// Rows of previews.
pub const ROWS: &[OperationRow] = &[
    Route::post("preview", "/stores/{id}/preview")
        .handler(|method| on(method, ranked))
        .body::<PreviewRequest>("null"),
    Route::post("preview_explain", "/stores/{id}/preview/explain")
        .handler(|method| on(method, explained))
        .body::<ExplainRequest>("null"),
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

async fn ranked(
    State(app): State<App>,
    Previewer(caller, store, _slot): Previewer,
    Body(request): Body<PreviewRequest>,
) -> ApiResult {
    let preview = preview::preview(&app.service, &caller, &store, request).await?;
    Success::large("Preview; nothing was saved.", &preview, BYTES)
}

async fn explained(
    State(app): State<App>,
    Previewer(caller, store, _slot): Previewer,
    Body(request): Body<ExplainRequest>,
) -> ApiResult {
    let products = preview::explain(&app.service, &caller, &store, request).await?;
    Success::ok("Preview; nothing was saved.", &products)
}
