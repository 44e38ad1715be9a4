//! Writes that are added to an open proposal, as if written in turn.

use super::judge::judge;
use super::stored::Stored;
use crate::configuration::drafts::NewIds;
use crate::configuration::editable::Edit;
use crate::{OperationError, Service, message};
use domain::proposal::{ProposalKind, ProposedEdit};
use domain::{Permit, Timestamp, access, error_codes};
use storage::ConfigurationWrite;

// What commits changes calls these as methods, because proposals are applied by what commits changes.
impl Service {
    /// Returns the proposal that the attempt of `permit` adds to, if it names one.
    ///
    /// Errors: `NotFoundIn` for an unknown one; `Forbidden` for that of another key; `Conflict` if it is not open; `Invalid` if
    /// nothing can be added to it.
    pub(crate) async fn proposal_target(
        &self,
        permit: &Permit<access::Write>,
        write: &mut ConfigurationWrite,
        now: Timestamp,
    ) -> Result<Option<Stored>, OperationError> {
        let Some(target) = permit.attempt().proposal.as_ref() else {
            return Ok(None);
        };
        let row = write.proposal(&target.id, now).await?;
        let row = row.ok_or_else(|| OperationError::NotFoundIn {
            what: message::noun::proposal,
            field: target.field.to_owned(),
        })?;
        if permit.actor().key_id.as_deref() != Some(row.key.as_str()) {
            let message = message::proposal::of_another_key();
            return Err(OperationError::forbidden(error_codes::RESERVED, message));
        }
        let stored = Stored::of(row)?;
        stored.require_open(now)?;
        if stored.row.kind != ProposalKind::Draft {
            let reason = message::proposal::not_a_draft();
            return Err(OperationError::invalid(target.field, reason));
        }
        Ok(Some(stored))
    }

    /// Applies what was proposed before in the transaction of a write that is added to it.
    ///
    /// Errors: `Conflict` if what is saved contradicts it.
    pub(crate) async fn replay_proposal(
        &self,
        write: &mut ConfigurationWrite,
        edit: &mut Edit,
        target: &Stored,
    ) -> Result<(), OperationError> {
        let edits: Vec<&ProposedEdit> = target.content.edits.iter().collect();
        let judged = judge(write, edit, &edits, NewIds::Provisional).await?;
        match judged.conflicts.is_empty() {
            true => Ok(()),
            false => Err(OperationError::conflict(message::proposal::contradicted())),
        }
    }
}
