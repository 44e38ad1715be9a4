//! Previews of a draft or a former revision, and the watched queries.

use super::drafts::reserved_in;
use crate::App;
use crate::catalogue::{OperationRow, Route};
use crate::http::inputs::{errors_of, input};
use crate::http::{ApiResult, Body, Guarded, NoInput, Success};
use crate::panel::extract::{OfStore, Previewer};
use axum::extract::State;
use axum::routing::on;
use domain::watched::WatchedQueries;
use domain::{ErrorList, Invalid};
use operations::preview::{self, ExplainRequest, PreviewRequest, WatchedRequest};
use operations::watched;
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
    Route::post("preview_watched", "/stores/{id}/preview/watched")
        .handler(|method| on(method, of_watched))
        .body::<WatchedRequest>("null"),
    Route::get("list_watched", "/stores/{id}/watched").handler(|method| on(method, list)),
    Route::put("set_watched", "/stores/{id}/watched")
        .handler(|method| on(method, set))
        .body::<WatchedQueries>("null"),
];

input! {
    PreviewRequest,
    fn reserved(value: &Value) -> ErrorList {
        reserved_in(&value["draft"])
    }
}
input! {
    ExplainRequest,
    fn reserved(value: &Value) -> ErrorList {
        reserved_in(&value["draft"])
    }
}
input! {
    WatchedRequest,
    fn reserved(value: &Value) -> ErrorList {
        reserved_in(&value["draft"])
    }
}
input! {
    WatchedQueries,
    fn semantic_errors(self) -> Vec<Invalid> {
        errors_of(self.check())
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

async fn of_watched(
    State(app): State<App>,
    Previewer(caller, store, _slot): Previewer,
    Body(request): Body<WatchedRequest>,
) -> ApiResult {
    let queries = preview::watched(&app.service, &caller, &store, request).await?;
    Success::ok("Preview; nothing was saved.", &queries)
}

async fn list(State(app): State<App>, OfStore(caller, store): OfStore, _: NoInput) -> ApiResult {
    let watched = watched::list(&app.service, &caller, &store).await?;
    Success::revisioned("Watched queries.", watched)
}

async fn set(
    State(app): State<App>,
    OfStore(caller, store): OfStore,
    Guarded(Body(queries), guard): Guarded<Body<WatchedQueries>>,
) -> ApiResult {
    let watched = watched::set(&app.service, &caller, &store, queries, guard).await?;
    Success::revisioned("Watched queries saved.", watched)
}
