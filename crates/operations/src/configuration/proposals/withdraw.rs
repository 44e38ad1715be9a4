//! A proposal that its key takes back.

use super::decide::{decidable, ended, existing};
use super::record::{ProposalDecision, ProposalRecord};
use crate::service::run_to_completion;
use crate::{OperationError, Precondition, Revisioned, Service, message};
use domain::proposal::ProposalState;
use domain::{Caller, ProposalId, StoreId, access, error_codes};

/// Withdraws an open proposal of the caller's key.
///
/// Errors: `NotFound`; `Forbidden` for that of another key, and for users; `Conflict` if it is not open; `Stale` if the
/// precondition does not hold.
pub async fn withdraw(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
    id: &ProposalId,
    precondition: Precondition,
) -> Result<(ProposalRecord, Revisioned), OperationError> {
    let permit = access::propose(caller, store)?.saving();
    let (service, id) = (service.clone(), id.clone());
    run_to_completion(async move {
        let now = service.clock.now();
        let mut write = service.begin(&permit).await?;
        let row = existing(write.proposal(&id, now).await?)?;
        if permit.actor().key_id.as_deref() != Some(row.key.as_str()) {
            let message = message::proposal::of_another_key();
            return Err(OperationError::forbidden(error_codes::RESERVED, message));
        }
        let stored = decidable(row, &precondition, now)?;
        let decision = ProposalDecision::new(now, permit.actor());
        let what = ("withdraw_proposal", message::proposed::withdrawn());
        let end = (ProposalState::Withdrawn, decision, what);
        ended(&service, &permit, write, stored, end).await
    })
    .await
}
