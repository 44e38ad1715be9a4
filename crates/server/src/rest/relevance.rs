//! `/stores/{id}/relevance`: boosts and settings, and the simulator.

use crate::App;
use crate::http::{ApiResult, Body, Guarded, NoInput, StoreReader, StoreWriter, Success};
use axum::extract::State;
use domain::relevance::{BoostMerging, RelevanceChange};
use operations::relevance;
use operations::simulator::{self, Json, RelevanceTest};

/// The relevance in effect.
pub async fn get(
    State(app): State<App>,
    StoreReader(caller, store): StoreReader,
    _: NoInput,
) -> ApiResult {
    let view = relevance::get(&app.service, &caller, &store).await?;
    Success::revisioned("Relevance in effect.", view)
}

/// Saves boosts, which replace the whole map, and settings, which are merged.
pub async fn update(
    State(app): State<App>,
    StoreWriter(caller, store): StoreWriter,
    Guarded(Body(change), guard): Guarded<Body<RelevanceChange>>,
) -> ApiResult {
    let mode = BoostMerging::Replace;
    let view = relevance::update(&app.service, &caller, &store, change, mode, guard).await?;
    Success::revisioned("Relevance saved.", view)
}

/// Ranks a question under provisional boosts and settings; saves nothing.
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
