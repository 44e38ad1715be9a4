//! The tools for relevance: read, test, save. They merge boosts, where REST replaces the whole map.

use crate::http::{ApiResult, Failure, Success};
use crate::mcp::call::ToolCall;
use crate::mcp::projection::{Wanted, project};
use crate::mcp::tool::{Effect, More, ToolRow, tool};
use domain::relevance::BoostMerging;
use operations::Precondition;
use operations::relevance;
use operations::simulator::{self, RelevanceTest, Simulation};

/// The tools for relevance.
pub const TOOLS: &[ToolRow] = &[
    tool(
        "get_relevance",
        "Relevance in effect",
        Effect::Reads,
        "Returns the boosts and search settings in effect, which of them were saved, and advice about them. Read it before you propose a change.",
        |call| Box::pin(get(call)),
    ),
    tool(
        "test_relevance",
        "Test a query",
        Effect::Reads,
        "Ranks a query as shoppers would see it and explains the position of each product. Saves nothing, so use it freely: first without boosts and searchSettings to reproduce a problem, then with them to test a change (they are merged into the saved ones, as in update_relevance), then with two or three other typical queries. savedPosition is the position under the saved configuration.",
        |call| Box::pin(test(call)),
    )
    .with_more(More::From),
    tool(
        "update_relevance",
        "Save relevance",
        Effect::Overwrites,
        "Saves boosts and search settings; both are merged, so send only what changes. It is in effect with the next search. Test the change with test_relevance first, and confirm with it afterwards.",
        |call| Box::pin(update(call)),
    ),
];

async fn get(mut call: ToolCall) -> ApiResult {
    let store = call.store()?;
    call.arguments.nothing()?;
    let view = relevance::get(&call.service, &call.caller, &store).await?;
    Success::revisioned("Relevance in effect.", view)
}

/// Returns the projection of the simulation that the arguments request.
async fn test(mut call: ToolCall) -> ApiResult {
    let store = call.store()?;
    let wanted: Option<Wanted> = call.arguments.of_tool();
    let test: RelevanceTest = call.arguments.input()?;
    let wanted = wanted.unwrap_or_default();
    let test = RelevanceTest {
        limit: Some(wanted.ranked(test.limit)),
        ..test
    };
    let (service, mode) = (&call.service, BoostMerging::Merge);
    let simulation: Simulation = simulator::test(service, &call.caller, &store, test, mode).await?;
    let simulation = serde_json::to_value(&simulation)
        .map_err(|error| Failure::internal(format!("a simulation has no JSON form: {error}")))?;
    Success::ok(
        "Simulation; nothing was saved.",
        &project(simulation, wanted),
    )
}

async fn update(mut call: ToolCall) -> ApiResult {
    let store = call.store()?;
    let change = call.arguments.input()?;
    let (service, mode) = (&call.service, BoostMerging::Merge);
    let guard = Precondition::None;
    let view = relevance::update(service, &call.caller, &store, change, mode, guard).await?;
    Success::revisioned("Relevance saved.", view)
}
