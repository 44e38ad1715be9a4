//! API keys of a store and of an account. The text of a key is returned once, when it is created.

use crate::App;
use crate::catalogue::{OperationRow, Route};
use crate::http::inputs::input;
use crate::http::{ApiResult, Body, NoInput, Success};
use crate::panel::extract::{LastId, OfAccount, OfStore, ThePanel};
use crate::panel::{Panel, connect};
use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::on;
use domain::Caller;
use operations::keys::{self, KeyRequest, NewApiKey};
use serde_json::json;

/// Rows of keys.
pub const ROWS: &[OperationRow] = &[
    Route::get("list_keys", "/stores/{id}/keys").handler(|method| on(method, of_store)),
    Route::get("list_keys", "/accounts/{id}/keys").handler(|method| on(method, of_account)),
    Route::post("create_key", "/stores/{id}/keys")
        .handler(|method| on(method, create_of_store))
        .body::<KeyRequest>("null"),
    Route::post("create_key", "/accounts/{id}/keys")
        .handler(|method| on(method, create_of_account))
        .body::<KeyRequest>("null"),
    Route::post("deactivate_key", "/stores/{id}/keys/{keyId}/deactivate")
        .handler(|method| on(method, deactivate_of_store)),
    Route::post("deactivate_key", "/accounts/{id}/keys/{keyId}/deactivate")
        .handler(|method| on(method, deactivate_of_account)),
];

input! { KeyRequest }

async fn of_store(
    State(app): State<App>,
    OfStore(caller, store): OfStore,
    _: NoInput,
) -> ApiResult {
    let keys = keys::list_reached(&app.service, &caller, None, Some(&store)).await?;
    Success::ok(format!("{} keys.", keys.len()), &keys)
}

async fn of_account(
    State(app): State<App>,
    OfAccount(caller, account): OfAccount,
    _: NoInput,
) -> ApiResult {
    let keys = keys::list_reached(&app.service, &caller, Some(&account), None).await?;
    Success::ok(format!("{} keys.", keys.len()), &keys)
}

async fn create_of_store(
    State(app): State<App>,
    OfStore(caller, store): OfStore,
    ThePanel(panel): ThePanel,
    Body(request): Body<KeyRequest>,
) -> ApiResult {
    let new = keys::requested(&app.service, request, Some(store), None)?;
    create(&app, &caller, &panel, new).await
}

async fn create_of_account(
    State(app): State<App>,
    OfAccount(caller, account): OfAccount,
    ThePanel(panel): ThePanel,
    Body(request): Body<KeyRequest>,
) -> ApiResult {
    let new = keys::requested(&app.service, request, None, Some(account))?;
    create(&app, &caller, &panel, new).await
}

async fn create(app: &App, caller: &Caller, panel: &Panel, new: NewApiKey) -> ApiResult {
    let (kind, store) = (new.kind, new.store.clone());
    let created = keys::create(&app.service, caller, new).await?;
    let connect = connect::lines(&panel.public_url, kind, store.as_ref(), &created.key);
    let data = json!({"key": created.key, "detail": created.summary, "connect": connect});
    Success::with_status(StatusCode::CREATED, "Key created; it is shown once.", &data)
}

async fn deactivate_of_store(
    State(app): State<App>,
    OfStore(caller, store): OfStore,
    LastId(id): LastId,
    _: NoInput,
) -> ApiResult {
    let key = keys::deactivate_of_store(&app.service, &caller, &store, &id.into()).await?;
    Success::ok("Key deactivated.", &key)
}

async fn deactivate_of_account(
    State(app): State<App>,
    OfAccount(caller, _): OfAccount,
    LastId(id): LastId,
    _: NoInput,
) -> ApiResult {
    let key = keys::deactivate(&app.service, &caller, &id.into()).await?;
    Success::ok("Key deactivated.", &key)
}
