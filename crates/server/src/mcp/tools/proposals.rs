//! The tools for proposals.

use crate::http::{ApiResult, Success};
use crate::mcp::call::ToolCall;
use crate::mcp::tool::{Effect, ListedRecords, More, ToolRow, tool};
use crate::rest::proposals::proposed;
use domain::relevance::BoostMerging;
use operations::{Precondition, proposals};

/// What the tools for one proposal are about.
const PROPOSALS: ListedRecords = ListedRecords {
    list: "list_proposals",
};

/// The tools that read proposals.
pub const READS: &[ToolRow] = &[
    tool(
        "list_proposals",
        "Proposals",
        Effect::Reads,
        "Lists what keys proposed and what people decided about it, newest first.",
        |call| Box::pin(list(call)),
    )
    .with_more(More::Pages),
    tool(
        "get_proposal",
        "One proposal",
        Effect::Reads,
        "Returns one proposal with its changes, the decision about it, and where what is saved now contradicts it.",
        |call| Box::pin(get(call)),
    )
    .of_one(PROPOSALS),
];

/// The tools that make and withdraw proposals.
pub const WRITES: &[ToolRow] = &[
    tool(
        "create_proposal",
        "Propose changes",
        Effect::AddsOnce,
        "Proposes exactly one of draft, restore, watched and hiddenQueries. Nothing is saved: a person decides in the control panel, and get_proposal tells how.",
        |call| Box::pin(create(call)),
    ),
    tool(
        "withdraw_proposal",
        "Withdraw a proposal",
        Effect::Overwrites,
        "Withdraws an open proposal that this key made.",
        |call| Box::pin(withdraw(call)),
    )
    .of_one(PROPOSALS),
];

async fn list(mut call: ToolCall) -> ApiResult {
    let store = call.store()?;
    let query = call.arguments.query()?;
    let listed = proposals::list(&call.service, &call.caller, &store, query).await?;
    Success::listed("proposal", &listed)
}

async fn get(mut call: ToolCall) -> ApiResult {
    let store = call.store()?;
    let id = call.arguments.proposal()?;
    let request = call.arguments.query()?;
    let proposal = proposals::get(&call.service, &call.caller, &store, &id, request).await?;
    Success::revisioned("Proposal.", proposal)
}

async fn create(mut call: ToolCall) -> ApiResult {
    let store = call.store()?;
    let request = call.arguments.input()?;
    let mode = BoostMerging::Merge;
    proposed(proposals::create(&call.service, &call.caller, &store, request, mode).await?)
}

async fn withdraw(mut call: ToolCall) -> ApiResult {
    let store = call.store()?;
    let id = call.arguments.proposal()?;
    call.arguments.nothing()?;
    let guard = Precondition::None;
    let withdrawn = proposals::withdraw(&call.service, &call.caller, &store, &id, guard).await?;
    Success::revisioned("Proposal withdrawn.", withdrawn)
}
