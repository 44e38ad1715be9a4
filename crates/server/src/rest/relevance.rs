//! `/stores/{id}/relevance`: boosts, search settings and the simulator.

use crate::App;
use crate::catalogue::{OperationRow, Route, example};
use crate::http::inputs::input;
use crate::http::{ApiResult, Body, Guarded, NoInput, StoreReader, StoreWriter, Success};
use axum::extract::State;
use axum::routing::on;
use domain::relevance::{BoostMerging, RelevanceChange};
use operations::relevance::{self, RelevanceView};
use operations::simulator::{self, Json, RelevanceTest, Simulation};

/// Rows of `/stores/{id}/relevance`.
pub const ROWS: &[OperationRow] = &[
    Route::get("get_relevance", "/stores/{id}/relevance")
        .handler(|method| on(method, get))
        .returns::<RelevanceView>(example!("configuration/relevance.response")),
    Route::post("test_relevance", "/stores/{id}/relevance/test")
        .handler(|method| on(method, test))
        .body::<RelevanceTest>(example!("configuration/relevance-test.request"))
        .returns::<Simulation>(example!("configuration/relevance-test.response")),
    Route::put("update_relevance", "/stores/{id}/relevance")
        .handler(|method| on(method, update))
        .body::<RelevanceChange>(example!("configuration/relevance.request"))
        .returns::<RelevanceView>(example!("configuration/relevance.response")),
];

input!(RelevanceChange);
input!(RelevanceTest);

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

/// Ranks a query under provisional boosts and settings; saves nothing.
pub async fn test(
    State(app): State<App>,
    StoreReader(caller, store): StoreReader,
    Body(test): Body<RelevanceTest>,
) -> ApiResult {
    let mode = BoostMerging::Replace;
    let simulation = simulator::test::<Json>(&app.service, &caller, &store, test, mode).await?;
    let message = "Simulation; nothing was saved.";
    Success::large(message, &simulation, simulation.bytes())
}
