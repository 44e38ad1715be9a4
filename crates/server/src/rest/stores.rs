//! `/stores`: the stores of the account.

use crate::App;
use crate::catalogue::{OperationRow, Route, example};
use crate::http::inputs::{errors_of, input, reserved_except};
use crate::http::{
    AccountKey, ApiResult, Body, Guarded, NoInput, StoreReader, StoreWriter, Success,
};
use axum::extract::State;
use axum::routing::on;
use domain::store::{StorePatch, StoreSummary};
use domain::{ErrorList, Invalid};
use operations::records::Deleted;
use operations::stores::{self, StoreDetail};
use serde_json::Value;

/// Rows of `/stores`.
pub const ROWS: &[OperationRow] = &[
    Route::get("list_stores", "/stores")
        .handler(|method| on(method, list))
        .returns::<Vec<StoreSummary>>(example!("configuration/stores.response")),
    Route::get("get_store", "/stores/{id}")
        .handler(|method| on(method, get))
        .returns::<StoreDetail>(example!("configuration/store.response")),
    Route::put("update_store", "/stores/{id}")
        .handler(|method| on(method, update))
        .body::<StorePatch>(example!("configuration/store.request"))
        .returns::<StoreDetail>(example!("configuration/store.response")),
    Route::delete("delete_store", "/stores/{id}")
        .handler(|method| on(method, delete))
        .returns::<Deleted>(example!("configuration/deleted.response")),
];

input! {
    StorePatch,
    fn reserved(value: &Value) -> ErrorList {
        reserved_except(value, &["name", "devUrl"])
    }
    fn semantic_errors(self) -> Vec<Invalid> {
        errors_of(self.check())
    }
}

/// Lists the stores that the key can access.
pub async fn list(State(app): State<App>, AccountKey(caller): AccountKey, _: NoInput) -> ApiResult {
    let list = stores::list(&app.service, &caller).await?;
    let plural = if list.len() == 1 { "store" } else { "stores" };
    Success::ok(format!("{} {plural}.", list.len()), &list)
}

/// Returns a store with its indices and counters.
pub async fn get(
    State(app): State<App>,
    StoreReader(caller, store): StoreReader,
    _: NoInput,
) -> ApiResult {
    let detail = stores::get(&app.service, &caller, &store).await?;
    Success::revisioned("Store.", detail)
}

/// Updates the name or the development URL.
pub async fn update(
    State(app): State<App>,
    StoreWriter(caller, store): StoreWriter,
    Guarded(Body(patch), guard): Guarded<Body<StorePatch>>,
) -> ApiResult {
    let detail = stores::update(&app.service, &caller, &store, patch, guard).await?;
    Success::revisioned("Store updated.", detail)
}

/// Always fails with 403 `reserved`: only the control panel deletes stores.
pub async fn delete(StoreWriter(caller, store): StoreWriter, _: NoInput) -> ApiResult {
    Success::ok("Store deleted.", &stores::delete(&caller, &store)?)
}
