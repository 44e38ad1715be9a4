//! What only users do to a store: its settings, custom code, hidden queries, indices and runs; and new stores.

use crate::App;
use crate::catalogue::{OperationRow, Route};
use crate::http::inputs::input;
use crate::http::{ApiResult, Body, Guarded, NoInput, Success};
use crate::panel::extract::{LastId, OfAccount, OfStore};
use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::on;
use domain::Invalid;
use domain::feed::NewIndices;
use domain::limits::STORE_NAME_CHARACTERS_MAX;
use domain::widget::custom_code::CustomCodePatch;
use operations::feed::{indices, runs};
use operations::stores::{self, DetailsPatch, StoreRequest};
use operations::widget::custom_code;
use schemars::JsonSchema;
use serde::Deserialize;

/// Rows of stores.
pub const ROWS: &[OperationRow] = &[
    Route::post("create_store", "/accounts/{id}/stores")
        .handler(|method| on(method, create))
        .body::<StoreRequest>("null"),
    Route::get("list_closed_stores", "/accounts/{id}/closed-stores")
        .handler(|method| on(method, list_closed)),
    Route::post("remove_store", "/stores/{id}/delete")
        .handler(|method| on(method, remove))
        .body::<StoreRemoval>("null"),
    Route::get("get_store_details", "/stores/{id}/details").handler(|method| on(method, details)),
    Route::put("set_store_details", "/stores/{id}/details")
        .handler(|method| on(method, set_details))
        .body::<DetailsPatch>("null"),
    Route::get("get_custom_code", "/stores/{id}/widget/custom").handler(|method| on(method, code)),
    Route::put("set_custom_code", "/stores/{id}/widget/custom")
        .handler(|method| on(method, set_code))
        .body::<CustomCodePatch>("null"),
    Route::post("create_indices", "/stores/{id}/indices")
        .handler(|method| on(method, create_indices))
        .body::<NewIndices>("null"),
    Route::get("list_runs", "/stores/{id}/runs").handler(|method| on(method, list_runs)),
    Route::post("release_run", "/stores/{id}/runs/{runId}/release")
        .handler(|method| on(method, release)),
    Route::post("abort_run", "/stores/{id}/runs/{runId}/abort").handler(|method| on(method, abort)),
];

/// Confirms that a store is to be deleted.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StoreRemoval {
    /// Exactly its name.
    #[schemars(length(max = STORE_NAME_CHARACTERS_MAX))]
    name: String,
}

input! { StoreRequest }
input! { StoreRemoval }
input! {
    DetailsPatch,
    fn semantic_errors(self) -> Vec<Invalid> {
        self.invalid_values()
    }
}
input! { CustomCodePatch }

async fn create(
    State(app): State<App>,
    OfAccount(caller, account): OfAccount,
    Body(request): Body<StoreRequest>,
) -> ApiResult {
    let created = stores::create_in_account(&app.service, &caller, &account, request).await?;
    let message = "Store created; its connector key is shown once.";
    Success::with_status(StatusCode::CREATED, message, &created)
}

async fn remove(
    State(app): State<App>,
    OfStore(caller, store): OfStore,
    Body(StoreRemoval { name }): Body<StoreRemoval>,
) -> ApiResult {
    let closed = stores::close(&app.service, &caller, &store, name).await?;
    Success::ok("Store closed; it will be removed.", &closed)
}

async fn list_closed(
    State(app): State<App>,
    OfAccount(caller, account): OfAccount,
    _: NoInput,
) -> ApiResult {
    let closed = stores::list_closed(&app.service, &caller, Some(&account)).await?;
    Success::ok(format!("{} closed stores.", closed.len()), &closed)
}

async fn details(State(app): State<App>, OfStore(caller, store): OfStore, _: NoInput) -> ApiResult {
    let view = stores::get_details(&app.service, &caller, &store).await?;
    Success::revisioned("Settings of the store.", view)
}

async fn set_details(
    State(app): State<App>,
    OfStore(caller, store): OfStore,
    Guarded(Body(patch), guard): Guarded<Body<DetailsPatch>>,
) -> ApiResult {
    let view = stores::set_details(&app.service, &caller, &store, patch, guard).await?;
    Success::revisioned("Settings of the store updated.", view)
}

async fn code(State(app): State<App>, OfStore(caller, store): OfStore, _: NoInput) -> ApiResult {
    let view = custom_code::get(&app.service, &caller, &store).await?;
    Success::revisioned("Custom code.", view)
}

async fn set_code(
    State(app): State<App>,
    OfStore(caller, store): OfStore,
    Guarded(Body(patch), guard): Guarded<Body<CustomCodePatch>>,
) -> ApiResult {
    let view = custom_code::set(&app.service, &caller, &store, patch, guard).await?;
    Success::revisioned("Custom code updated.", view)
}

async fn create_indices(
    State(app): State<App>,
    OfStore(caller, store): OfStore,
    Body(requested): Body<NewIndices>,
) -> ApiResult {
    let report = indices::create_in_panel(&app.service, &caller, &store, requested).await?;
    Success::ok("Indices are in place.", &report)
}

async fn list_runs(
    State(app): State<App>,
    OfStore(caller, store): OfStore,
    _: NoInput,
) -> ApiResult {
    let runs = runs::list(&app.service, &caller, &store).await?;
    Success::ok(format!("{} runs.", runs.len()), &runs)
}

async fn release(
    State(app): State<App>,
    OfStore(caller, store): OfStore,
    LastId(run): LastId,
    _: NoInput,
) -> ApiResult {
    let runs = runs::release(&app.service, &caller, &store, Some(run.into())).await?;
    Success::ok("Held purges released.", &runs)
}

async fn abort(
    State(app): State<App>,
    OfStore(caller, store): OfStore,
    LastId(run): LastId,
    _: NoInput,
) -> ApiResult {
    let run = runs::abort_in_panel(&app.service, &caller, &store, run.into()).await?;
    Success::ok("Run aborted; nothing is purged.", &run)
}
