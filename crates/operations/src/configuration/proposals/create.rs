//! A proposal made as a whole: a draft, a former state, or a list of queries.

use super::record::ProposalRecord;
use super::stored::Proposal;
use crate::configuration::change::{self, Changed};
use crate::configuration::drafts::{self, Applying, NewIds};
use crate::configuration::{hidden_queries, watched};
use crate::service::run_to_completion;
use crate::{OperationError, Precondition, Revisioned, Service, message};
use domain::proposal::{NewProposal, ProposedContent};
use domain::relevance::BoostMerging;
use domain::{Caller, Permit, StoreId, WriteReport, access};

/// A proposal that was made.
#[derive(Clone, Debug, PartialEq)]
pub struct Created {
    /// The proposal.
    pub record: ProposalRecord,
    /// Its entity tag and the revision of the configuration.
    pub revisioned: Revisioned,
    /// Whether it is new or was added to; else the same is proposed already.
    pub is_new: bool,
}

/// Proposes a content as a whole. Nothing of it is saved.
///
/// Errors: `Forbidden` for users; those of the write; `Invalid` if it changes nothing or is too large; `PlanLimit` if too
/// many are open.
pub async fn create(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
    request: NewProposal,
    boosts: BoostMerging,
) -> Result<Created, OperationError> {
    let permit = access::propose(caller, store)?;
    let note = permit.attempt().note_beside(request.note.as_deref());
    let note = note.map_err(|wrong| OperationError::Invalid(vec![wrong]))?;
    let permit = permit.noted(note);
    let content = request.content().map_err(OperationError::Invalid)?;
    let service = service.clone();
    run_to_completion(async move {
        let (ended, revision) = propose_content(&service, &permit, content, boosts).await?;
        // The response is about the proposal itself, so it has no other report than that of a dry run.
        if let Some(report) = permit.attempt().take_report()
            && report.tried.is_some()
        {
            let proposed = None;
            permit.attempt().report(WriteReport { proposed, ..report });
        }
        let Proposal { stored, is_new } = ended.ok_or_else(|| {
            let reason = message::proposal::changes_nothing();
            OperationError::invalid("proposal", reason)
        })?;
        let now = service.clock.now();
        Ok(Created {
            record: ProposalRecord::of(&stored, now, Vec::new())?,
            revisioned: Revisioned {
                etag: stored.etag(),
                config_revision: revision,
            },
            is_new,
        })
    })
    .await
}

async fn propose_content(
    service: &Service,
    permit: &Permit<access::Write>,
    content: ProposedContent,
    boosts: BoostMerging,
) -> Result<(Option<Proposal>, i64), OperationError> {
    match content {
        ProposedContent::Draft(draft) => {
            let concluded = change::conclude(service, permit, move |open| {
                let draft = (*draft).clone();
                Box::pin(async move {
                    let mut edit = open.edit();
                    let ids = NewIds::Provisional;
                    let way = Applying { ids, boosts };
                    let applied = drafts::apply(&mut open.write, &mut edit, draft, way).await?;
                    let changed = Changed {
                        operation: "create_proposal",
                        resource: drafts::resource(&applied.changes),
                        summary: drafts::summary(&applied.changes, None),
                        changes: applied.changes,
                    };
                    Ok((changed, ()))
                })
            });
            let ((), concluded) = concluded.await?;
            Ok((concluded.proposed, concluded.revision))
        }
        ProposedContent::Restore(number, selection) => {
            let concluded = change::conclude(service, permit, move |open| {
                let selection = selection.clone();
                Box::pin(async move {
                    let changes = drafts::restore_in(open, number, &selection).await?;
                    let changed = Changed {
                        operation: "create_proposal",
                        resource: drafts::resource(&changes),
                        summary: drafts::summary(&changes, Some(number)),
                        changes,
                    };
                    Ok((changed, ()))
                })
            });
            let ((), concluded) = concluded.await?;
            Ok((concluded.proposed, concluded.revision))
        }
        ProposedContent::Watched(watched) => {
            let any = Precondition::None;
            watched::propose(service, permit, &watched, &any).await
        }
        ProposedContent::HiddenQueries(hidden) => {
            let any = Precondition::None;
            hidden_queries::propose(service, permit, &hidden, &any).await
        }
    }
}
