//! The tools for relevance: read, test, save. They merge boosts, where REST replaces the whole map.

use crate::http::{ApiResult, Failure, Success};
use crate::mcp::call::ToolCall;
use crate::mcp::projection::{Wanted, project};
use crate::mcp::tool::{Effect, More, ToolRow, tool};
use domain::relevance::BoostMerging;
use operations::relevance::{self, RelevanceView};
use operations::simulator::{self, RelevanceTest, Simulated};
use operations::{Precondition, Revisioned};

/// Code of advice on a field that no document fills.
const NOT_FILLED: &str = "not_filled";

/// The tools for relevance.
pub const TOOLS: &[ToolRow] = &[
    tool(
        "get_relevance",
        "Relevance in effect",
        Effect::Reads,
        "Returns the boosts and search settings in effect, which of them were saved, and advice about them.",
        |call| Box::pin(get(call)),
    ),
    tool(
        "test_relevance",
        "Test a query",
        Effect::Reads,
        "Ranks a query as shoppers would see it and explains the position of each product. Saves nothing: use it with q alone to reproduce a problem, with boosts, searchSettings or a draft to test a change, then with up to 25 other typical queries, of which it says what moves. savedPosition is the position under what is saved, or under compareWith.",
        |call| Box::pin(test(call)),
    )
    .with_more(More::From),
    tool(
        "update_relevance",
        "Save relevance",
        Effect::Overwrites,
        "Saves boosts and search settings; both are merged, so send only what changes. Test the change with test_relevance before and after.",
        |call| Box::pin(update(call)),
    ),
];

async fn get(mut call: ToolCall) -> ApiResult {
    let store = call.store()?;
    call.arguments.nothing()?;
    let view = relevance::get(&call.service, &call.caller, &store).await?;
    Success::revisioned("Relevance in effect.", without_unfilled(view))
}

/// Returns the projection of the simulation that the arguments request.
async fn test(mut call: ToolCall) -> ApiResult {
    let store = call.store()?;
    let wanted: Option<Wanted> = call.arguments.of_tool();
    let test: RelevanceTest = std::mem::take(&mut call.arguments).input()?;
    let wanted = wanted.unwrap_or_default();
    let test = wanted.of(test);
    test.check().map_err(Failure::invalid)?;
    let _slot = call.trying(test.cost())?;
    let (service, mode) = (&call.service, BoostMerging::Merge);
    let tested: Simulated = simulator::test(service, &call.caller, &store, test, mode).await?;
    let simulation = serde_json::to_value(&tested.data)
        .map_err(|error| Failure::internal(format!("a simulation has no JSON form: {error}")))?;
    let data = project(simulation, wanted);
    let success = Success::ok("Simulation; nothing was saved.", &data)?;
    Ok(success.beside("impact", tested.impact.as_ref()))
}

async fn update(mut call: ToolCall) -> ApiResult {
    let store = call.store()?;
    let change = call.arguments.input()?;
    let (service, mode) = (&call.service, BoostMerging::Merge);
    let guard = Precondition::None;
    let view = relevance::update(service, &call.caller, &store, change, mode, guard).await?;
    Success::revisioned("Relevance saved.", without_unfilled(view))
}

/// Leaves out advice on fields without content, which `unfilledFields` names in fewer words.
fn without_unfilled((mut view, tag): (RelevanceView, Revisioned)) -> (RelevanceView, Revisioned) {
    view.advice.retain(|advice| advice.code != NOT_FILLED);
    (view, tag)
}
