//! `/stores/{id}/watched`, `…/preview/watched` and `…/hidden-queries`: queries that a store watches or never suggests.

use super::drafts::reserved_in;
use crate::App;
use crate::catalogue::{OperationRow, Route, example};
use crate::http::inputs::{errors_of, input};
use crate::http::{ApiResult, Body, Guarded, NoInput, StoreReader, StoreWriter, Success, Trying};
use axum::extract::State;
use axum::routing::on;
use domain::analytics::HiddenQueries;
use domain::watched::WatchedQueries;
use domain::{ErrorList, Invalid};
use operations::preview::{self, WatchedPreview, WatchedRequest};
use operations::{hidden_queries, watched};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

/// Rows of watched and hidden queries.
pub const ROWS: &[OperationRow] = &[
    Route::get("list_watched", "/stores/{id}/watched")
        .handler(|method| on(method, list))
        .returns::<WatchedQueries>(example!("configuration/watched.response")),
    Route::put("set_watched", "/stores/{id}/watched")
        .handler(|method| on(method, set))
        .body::<NewWatchedQueries>(example!("configuration/watched.response"))
        .returns::<WatchedQueries>(example!("configuration/watched.response")),
    Route::post("preview_watched", "/stores/{id}/preview/watched")
        .handler(|method| on(method, preview))
        .body::<WatchedRequest>(example!("configuration/watched-preview.request"))
        .returns::<Vec<WatchedPreview>>(example!("configuration/watched-preview.response"))
        .errors(&[409]),
    Route::get("get_hidden_queries", "/stores/{id}/hidden-queries")
        .handler(|method| on(method, hidden))
        .returns::<HiddenQueries>(example!("configuration/hidden-queries.response")),
    Route::put("set_hidden_queries", "/stores/{id}/hidden-queries")
        .handler(|method| on(method, set_hidden))
        .body::<NewHiddenQueries>(example!("configuration/hidden-queries.response"))
        .returns::<HiddenQueries>(example!("configuration/hidden-queries.response")),
];

/// The watched queries of a request, where notes may be left out.
#[derive(Deserialize, JsonSchema)]
pub struct NewWatchedQueries(pub WatchedQueries);

/// The hidden queries of a request.
#[derive(Deserialize, JsonSchema)]
pub struct NewHiddenQueries(pub HiddenQueries);

input! {
    WatchedRequest,
    fn reserved(value: &Value) -> ErrorList {
        reserved_in(&value["draft"])
    }
    fn semantic_errors(self) -> Vec<Invalid> {
        self.trial.value_errors()
    }
}
input! {
    NewWatchedQueries,
    fn semantic_errors(self) -> Vec<Invalid> {
        errors_of(self.0.check())
    }
}
input! { NewHiddenQueries }

/// Returns the watched queries.
pub async fn list(
    State(app): State<App>,
    StoreReader(caller, store): StoreReader,
    _: NoInput,
) -> ApiResult {
    let watched = watched::list(&app.service, &caller, &store).await?;
    Success::revisioned("Watched queries.", watched)
}

/// Replaces the watched queries.
pub async fn set(
    State(app): State<App>,
    StoreWriter(caller, store): StoreWriter,
    Guarded(Body(NewWatchedQueries(queries)), guard): Guarded<Body<NewWatchedQueries>>,
) -> ApiResult {
    let watched = watched::set(&app.service, &caller, &store, queries, guard).await?;
    Success::revisioned("Watched queries saved.", watched)
}

/// Returns what moves in the results of watched queries; saves nothing.
pub async fn preview(
    State(app): State<App>,
    trying: Trying,
    Body(request): Body<WatchedRequest>,
) -> ApiResult {
    let Trying { caller, store, .. } = &trying;
    let queries = preview::watched(&app.service, caller, store, request).await?;
    Success::ok("Preview; nothing was saved.", &queries)
}

/// Returns the hidden queries.
pub async fn hidden(
    State(app): State<App>,
    StoreReader(caller, store): StoreReader,
    _: NoInput,
) -> ApiResult {
    let hidden = hidden_queries::get(&app.service, &caller, &store).await?;
    Success::revisioned("Hidden queries.", hidden)
}

/// Replaces the hidden queries.
pub async fn set_hidden(
    State(app): State<App>,
    StoreWriter(caller, store): StoreWriter,
    Guarded(Body(NewHiddenQueries(hidden)), guard): Guarded<Body<NewHiddenQueries>>,
) -> ApiResult {
    let hidden = hidden_queries::set(&app.service, &caller, &store, hidden, guard).await?;
    Success::revisioned("Hidden queries saved.", hidden)
}
