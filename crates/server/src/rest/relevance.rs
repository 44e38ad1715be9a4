//! `/stores/{id}/relevance`: boosts, search settings and the simulator.

use crate::App;
use crate::catalogue::{OperationRow, Route, example};
use crate::http::Failure;
use crate::http::inputs::input;
use crate::http::{ApiResult, Body, Guarded, NoInput, StoreReader, StoreWriter, Success};
use crate::mcp::{Effect, More, ToolCall, Wanted, project, tool};
use axum::extract::State;
use axum::routing::on;
use domain::relevance::{BoostMerging, RelevanceChange};
use operations::Precondition;
use operations::relevance::{self, RelevanceView};
use operations::simulator::{self, Json, RelevanceTest, Simulation};

/// Rows of `/stores/{id}/relevance`.
pub const ROWS: &[OperationRow] = &[
    Route::get("get_relevance", "/stores/{id}/relevance")
        .handler(|method| on(method, get))
        .returns::<RelevanceView>(example!("configuration/relevance.response"))
        .tool(tool(
            "Relevance in effect",
            Effect::Reads,
            "Returns the boosts and search settings in effect, which of them were saved, and advice about them. Read it before you propose a change.",
            |call| Box::pin(get_by_tool(call)),
        )),
    Route::post("test_relevance", "/stores/{id}/relevance/test")
        .handler(|method| on(method, test))
        .body::<RelevanceTest>(example!("configuration/relevance-test.request"))
        .returns::<Simulation>(example!("configuration/relevance-test.response"))
        .tool(
            tool(
                "Test a query",
                Effect::Reads,
                "Ranks a query as shoppers would see it and explains the position of each product. Saves nothing, so use it freely: first without boosts and searchSettings to reproduce a problem, then with them to test a change (they are merged into the saved ones, as in update_relevance), then with two or three other typical queries. savedPosition is the position under the saved configuration.",
                |call| Box::pin(test_by_tool(call)),
            )
            .with_more(More::From),
        ),
    Route::put("update_relevance", "/stores/{id}/relevance")
        .handler(|method| on(method, update))
        .body::<RelevanceChange>(example!("configuration/relevance.request"))
        .returns::<RelevanceView>(example!("configuration/relevance.response"))
        .tool(tool(
            "Save relevance",
            Effect::Overwrites,
            "Saves boosts and search settings; both are merged, so send only what changes. It is in effect with the next search. Test the change with test_relevance first, and confirm with it afterwards.",
            |call| Box::pin(update_by_tool(call)),
        )),
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

async fn get_by_tool(mut call: ToolCall) -> ApiResult {
    let reader = call.reader()?;
    call.arguments.nothing()?;
    get(call.app, reader, NoInput).await
}

/// As [`test`], but merges boosts, and returns the projection that the arguments request.
async fn test_by_tool(mut call: ToolCall) -> ApiResult {
    let StoreReader(caller, store) = call.reader()?;
    let wanted: Option<Wanted> = call.arguments.part();
    let test: RelevanceTest = call.arguments.input()?;
    let wanted = wanted.unwrap_or_default();
    let test = RelevanceTest {
        limit: Some(wanted.ranked(test.limit)),
        ..test
    };
    let (service, mode) = (&call.app.service, BoostMerging::Merge);
    let simulation: Simulation = simulator::test(service, &caller, &store, test, mode).await?;
    let simulation = serde_json::to_value(&simulation)
        .map_err(|error| Failure::internal(format!("a simulation has no JSON form: {error}")))?;
    Success::ok(
        "Simulation; nothing was saved.",
        &project(simulation, wanted),
    )
}

/// As [`update`], but merges boosts.
async fn update_by_tool(mut call: ToolCall) -> ApiResult {
    let StoreWriter(caller, store) = call.writer()?;
    let change = call.arguments.input()?;
    let (service, mode) = (&call.app.service, BoostMerging::Merge);
    let guard = Precondition::None;
    let view = relevance::update(service, &caller, &store, change, mode, guard).await?;
    Success::revisioned("Relevance saved.", view)
}
