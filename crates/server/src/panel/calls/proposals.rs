//! What people decide about proposals. Keys have no such paths.

use crate::App;
use crate::catalogue::{OperationRow, Route};
use crate::http::inputs::input;
use crate::http::{ApiResult, Body, Failure, Guarded, ProposalPath, Success};
use crate::message;
use crate::panel::extract::OfStore;
use axum::extract::State;
use axum::routing::on;
use domain::Invalid;
use domain::proposal::{ApplyRequest, RejectRequest};
use operations::{Precondition, proposals};

/// Rows of decisions.
pub const ROWS: &[OperationRow] = &[
    Route::post(
        "apply_proposal",
        "/stores/{id}/proposals/{proposalId}/apply",
    )
    .handler(|method| on(method, apply))
    .body::<ApplyRequest>("null"),
    Route::post(
        "reject_proposal",
        "/stores/{id}/proposals/{proposalId}/reject",
    )
    .handler(|method| on(method, reject))
    .body::<RejectRequest>("null"),
];

input! { ApplyRequest }
input! { RejectRequest }

/// Returns the state that was read before the decision: nobody decides about what they have not seen.
fn seen(guard: Precondition) -> Result<Precondition, Failure> {
    match guard {
        Precondition::None => {
            let reason = message::value::required();
            Err(Failure::invalid(vec![Invalid::new(
                "header.If-Match",
                reason,
            )]))
        }
        guard => Ok(guard),
    }
}

async fn apply(
    State(app): State<App>,
    OfStore(caller, store): OfStore,
    ProposalPath(id): ProposalPath,
    Guarded(Body(request), guard): Guarded<Body<ApplyRequest>>,
) -> ApiResult {
    let how = (request, seen(guard)?);
    let applied = proposals::apply(&app.service, &caller, &store, &id, how).await?;
    Success::revisioned("Proposal applied.", applied)
}

async fn reject(
    State(app): State<App>,
    OfStore(caller, store): OfStore,
    ProposalPath(id): ProposalPath,
    Guarded(Body(request), guard): Guarded<Body<RejectRequest>>,
) -> ApiResult {
    let how = (request, seen(guard)?);
    let rejected = proposals::reject(&app.service, &caller, &store, &id, how).await?;
    Success::revisioned("Proposal rejected.", rejected)
}
