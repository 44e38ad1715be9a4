//! `/stores/{id}/proposals`: what keys propose. People decide about it in the control panel.

use super::drafts::reserved_in;
use crate::App;
use crate::catalogue::{OperationRow, Route, example};
use crate::http::inputs::{input, query_input};
use crate::http::{
    ApiResult, Body, Guarded, NoInput, Params, ProposalPath, StoreReader, StoreWriter, Success,
};
use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::on;
use domain::proposal::{NewProposal, ProposalQuery, ProposalRequest};
use domain::relevance::BoostMerging;
use domain::{ErrorList, Invalid};
use operations::proposals::{self, Created, ProposalRecord, ProposalSummary};
use serde_json::Value;

/// Rows of `/stores/{id}/proposals`.
pub const ROWS: &[OperationRow] = &[
    Route::get("list_proposals", "/stores/{id}/proposals")
        .handler(|method| on(method, list))
        .query::<ProposalQuery>(r#"{"state": "open", "mine": true, "page": 1, "limit": 20}"#)
        .returns::<Vec<ProposalSummary>>(example!("configuration/proposals.response"))
        .paged(),
    Route::get("get_proposal", "/stores/{id}/proposals/{proposalId}")
        .handler(|method| on(method, get))
        .query::<ProposalRequest>(r#"{"impact": true}"#)
        .returns::<ProposalRecord>(example!("configuration/proposal.response")),
    Route::post("create_proposal", "/stores/{id}/proposals")
        .handler(|method| on(method, create))
        .body::<NewProposal>(example!("configuration/proposal.request"))
        .returns::<ProposalRecord>(example!("configuration/proposal.response"))
        .statuses(&[201, 200])
        .errors(&[409]),
    Route::delete("withdraw_proposal", "/stores/{id}/proposals/{proposalId}")
        .handler(|method| on(method, withdraw))
        .returns::<ProposalRecord>(example!("configuration/proposal.response"))
        .errors(&[409]),
];

query_input!(ProposalQuery);
query_input!(ProposalRequest);
input! {
    NewProposal,
    fn reserved(value: &Value) -> ErrorList {
        reserved_in(&value["draft"])
    }
    fn semantic_errors(self) -> Vec<Invalid> {
        self.value_errors()
    }
}

/// Lists a page of the proposals, newest first.
pub async fn list(
    State(app): State<App>,
    StoreReader(caller, store): StoreReader,
    Params(query): Params<ProposalQuery>,
) -> ApiResult {
    let listed = proposals::list(&app.service, &caller, &store, query).await?;
    Success::listed("proposal", &listed)
}

/// Returns a proposal.
pub async fn get(
    State(app): State<App>,
    StoreReader(caller, store): StoreReader,
    ProposalPath(id): ProposalPath,
    Params(request): Params<ProposalRequest>,
) -> ApiResult {
    let proposal = proposals::get(&app.service, &caller, &store, &id, request).await?;
    Success::revisioned("Proposal.", proposal)
}

/// Proposes a content as a whole.
pub async fn create(
    State(app): State<App>,
    StoreWriter(caller, store): StoreWriter,
    Body(request): Body<NewProposal>,
) -> ApiResult {
    let mode = BoostMerging::Replace;
    let created = proposals::create(&app.service, &caller, &store, request, mode).await?;
    proposed(created)
}

/// Withdraws a proposal of the key.
pub async fn withdraw(
    State(app): State<App>,
    StoreWriter(caller, store): StoreWriter,
    ProposalPath(id): ProposalPath,
    Guarded(_, guard): Guarded<NoInput>,
) -> ApiResult {
    let withdrawn = proposals::withdraw(&app.service, &caller, &store, &id, guard).await?;
    Success::revisioned("Proposal withdrawn.", withdrawn)
}

/// Returns the response to a proposal that was made.
pub fn proposed(created: Created) -> ApiResult {
    let (status, message) = match created.is_new {
        true => (
            StatusCode::CREATED,
            "Proposed, not saved: a person decides about it in the control panel.",
        ),
        false => (
            StatusCode::OK,
            "Proposed already, not saved: a person decides about it.",
        ),
    };
    let success = Success::with_status(status, message, &created.record)?;
    Ok(success.tagged(created.revisioned))
}
