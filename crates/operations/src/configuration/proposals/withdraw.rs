//! A proposal that its key takes back.

use super::propose::entry;
use super::record::{ProposalDecision, ProposalRecord};
use super::stored::Stored;
use crate::configuration::unrevised;
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
        let row = write.proposal(&id, now).await?;
        let row = row.ok_or(OperationError::NotFound {
            what: message::noun::proposal,
        })?;
        if permit.actor().key_id.as_deref() != Some(row.key.as_str()) {
            let message = message::proposal::of_another_key();
            return Err(OperationError::forbidden(error_codes::RESERVED, message));
        }
        let mut stored = Stored::of(row)?;
        stored.require_open(now)?;
        precondition.require(&stored.etag())?;
        let state = ProposalState::Withdrawn;
        stored.decide(state, ProposalDecision::new(now, permit.actor()));
        stored.row = stored.to_row()?;
        write.put_proposal(&stored.row, now).await?;
        let revision = write.before().config_revision;
        let what = ("withdraw_proposal", message::proposed::withdrawn());
        let entry = entry(&permit, what, &stored, Some(state));
        unrevised::commit(&service, &permit, write, &entry).await?;
        let revisioned = Revisioned {
            etag: stored.etag(),
            config_revision: revision,
        };
        let record = ProposalRecord::of(&stored, now, Vec::new())?;
        Ok((record, revisioned))
    })
    .await
}
