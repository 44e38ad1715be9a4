//! `/stores/{id}/relevance`: boosts, search settings and the simulator.

use super::drafts::reserved_in;
use crate::App;
use crate::catalogue::{OperationRow, Route, example};
use crate::http::inputs::{errors_of, input};
use crate::http::{ApiResult, Body, Guarded, NoInput, StoreReader, StoreWriter, Success, Trying};
use axum::extract::State;
use axum::routing::on;
use domain::relevance::{BoostMerging, RelevanceChange};
use domain::{ErrorList, Invalid};
use operations::relevance::{self, RelevanceView};
use operations::simulator::{self, Json, RelevanceTest, Tested};
use serde_json::Value;

/// Rows of `/stores/{id}/relevance`.
pub const ROWS: &[OperationRow] = &[
    Route::get("get_relevance", "/stores/{id}/relevance")
        .handler(|method| on(method, get))
        .returns::<RelevanceView>(example!("configuration/relevance.response")),
    Route::post("test_relevance", "/stores/{id}/relevance/test")
        .handler(|method| on(method, test))
        .body::<RelevanceTest>(example!("configuration/relevance-test.request"))
        .returns::<Tested>(example!("configuration/relevance-test.response"))
        .errors(&[409]),
    Route::put("update_relevance", "/stores/{id}/relevance")
        .handler(|method| on(method, update))
        .body::<RelevanceChange>(example!("configuration/relevance.request"))
        .returns::<RelevanceView>(example!("configuration/relevance.response")),
];

input!(RelevanceChange);
input! {
    RelevanceTest,
    fn reserved(value: &Value) -> ErrorList {
        reserved_in(&value["draft"])
    }

    fn semantic_errors(self) -> Vec<Invalid> {
        errors_of(self.check())
    }
}

/// Returns the relevance in effect.
pub async fn get(
    State(app): State<App>,
    StoreReader(caller, store): StoreReader,
    _: NoInput,
) -> ApiResult {
    let view = relevance::get(&app.service, &caller, &store).await?;
    Success::revisioned("Relevance in effect.", view)
}

/// Updates boosts, which replace the whole map, and search settings, which are merged.
pub async fn update(
    State(app): State<App>,
    StoreWriter(caller, store): StoreWriter,
    Guarded(Body(change), guard): Guarded<Body<RelevanceChange>>,
) -> ApiResult {
    let mode = BoostMerging::Replace;
    let view = relevance::update(&app.service, &caller, &store, change, mode, guard).await?;
    Success::revisioned("Relevance saved.", view)
}

/// Ranks queries under a provisional configuration; saves nothing.
pub async fn test(
    State(app): State<App>,
    trying: Trying,
    Body(test): Body<RelevanceTest>,
) -> ApiResult {
    trying.pay(&app, test.cost())?;
    let Trying { caller, store, .. } = &trying;
    let mode = BoostMerging::Replace;
    let tested = simulator::test::<Json>(&app.service, caller, store, test, mode).await?;
    let message = "Simulation; nothing was saved.";
    let success = Success::large(message, &tested.data, tested.data.bytes())?;
    Ok(success.beside("impact", tested.impact.as_ref()))
}
