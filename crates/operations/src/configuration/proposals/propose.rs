//! The end of a write that proposes: it is undone, and what it would have changed is kept as a proposal.

use super::record::RejectedBefore;
use super::stored::{
    Content, PendingProposal, Proposal, ProposalFindings, ProposalOutline, Stored, StoredContent,
    outline,
};
use super::undone::{check_size, undone};
use crate::access::daily_changes::check_daily_changes;
use crate::access::rates;
use crate::configuration::advised::AdvisedContent;
use crate::runtime::ids;
use crate::{OperationError, Service, message};
use domain::audit::{AuditEntry, FieldChange};
use domain::limits::OPEN_PROPOSALS_MAX;
use domain::proposal::{ProposalState, open_until};
use domain::{GateMeasure, KeyId, Permit, ProposalId, Timestamp, access};
use serde_json::{Value, json};
use storage::{ConfigurationWrite, ProposalRow};

impl Service {
    /// Ends a write that proposes: undoes it and stores the proposal with its audit record, unless the write would change
    /// nothing or the same is proposed already. A dry run stores nothing.
    ///
    /// Errors: `Invalid` if it is too large; `PlanLimit` if too many are open; `TooMany` if the changes of the day pass their
    /// limit.
    pub(crate) async fn propose(
        &self,
        permit: &Permit<access::Write>,
        mut write: ConfigurationWrite,
        proposal: PendingProposal,
    ) -> Result<Option<Proposal>, OperationError> {
        let now = self.clock.now();
        let PendingProposal {
            operation,
            content: what,
            mut touched,
            target,
        } = proposal;
        if let Some(named) = permit.attempt().proposal.as_ref()
            && target.is_some()
            && what != Content::Draft
        {
            let reason = message::proposal::not_a_draft();
            return Err(OperationError::invalid(named.field, reason));
        }
        let former = target.iter().flat_map(|of| &of.content.edits);
        touched.extend(former.map(|edit| edit.resource.clone()));
        touched.sort();
        touched.dedup();
        let content = undone(&mut write, &what, touched).await?;
        if content.edits.is_empty() {
            return match target {
                Some(_) => Err(OperationError::conflict(message::proposal::emptied())),
                None => Ok(None),
            };
        }
        check_size(&content)?;
        let digest = content.digest();
        let key = KeyId(permit.actor().key_id.clone().unwrap_or_default());
        let same = match &target {
            Some(of) => (of.row.digest == digest).then(|| of.clone()),
            None => {
                let row = write.open_proposal_like(&key, &digest, now).await?;
                row.map(Stored::of).transpose()?
            }
        };
        if let Some(stored) = same {
            if !permit.attempt().dry_run {
                rates::return_write(self, permit.actor());
            }
            let is_new = false;
            return Ok(Some(Proposal { stored, is_new }));
        }
        let is_added = target.is_some();
        if !is_added {
            require_room(&mut write, now).await?;
        }
        let mut outline = outlined(&content, &operation, target.as_ref());
        let note = permit.attempt().note.as_ref();
        outline.note = note.map(|note| note.as_str().to_owned()).or(outline.note);
        outline.rejected_before = rejected_before(&mut write, &digest, now).await?;
        let row = row_of(permit, &what, (key, digest), target, now);
        let mut stored = Stored {
            row: ProposalRow {
                base_revision: write.before().config_revision,
                ..row
            },
            outline,
            content,
        };
        stored.row = stored.to_row()?;
        if !permit.attempt().dry_run {
            store(write, permit, &stored, is_added, now).await?;
        }
        let is_new = true;
        Ok(Some(Proposal { stored, is_new }))
    }

    /// Keeps what was found out about a new proposal, or one that was added to, with the advice on its records.
    pub(crate) async fn keep_findings(
        &self,
        permit: &Permit<access::Write>,
        proposal: &mut Proposal,
        (impact, gate): (Option<Value>, Option<GateMeasure>),
        advised: Vec<(String, AdvisedContent)>,
    ) -> Result<(), OperationError> {
        if !proposal.is_new {
            return Ok(());
        }
        let advice = self.advice_on_all(permit.store(), advised).await;
        let findings = ProposalFindings {
            impact,
            gate,
            advice: advice.iter().map(|one| json!(one)).collect(),
        };
        let findings = serde_json::to_string(&findings).map_err(OperationError::internal)?;
        if !permit.attempt().dry_run {
            let id = &proposal.stored.row.id;
            self.storage
                .save_proposal_findings(permit, id, &findings)
                .await?;
        }
        proposal.stored.row.findings = Some(findings);
        Ok(())
    }
}

/// Fails if too many proposals of the store are open.
async fn require_room(
    write: &mut ConfigurationWrite,
    now: Timestamp,
) -> Result<(), OperationError> {
    let open = write.open_proposals(now).await?;
    if open < OPEN_PROPOSALS_MAX as u64 {
        return Ok(());
    }
    Err(OperationError::PlanLimit {
        message: message::limit::open_proposals(OPEN_PROPOSALS_MAX),
        details: json!({"max": OPEN_PROPOSALS_MAX, "open": open}),
    })
}

fn outlined(content: &StoredContent, operation: &str, target: Option<&Stored>) -> ProposalOutline {
    let mut outline = target.map(|of| of.outline.clone()).unwrap_or_default();
    if !outline.operations.iter().any(|known| known == operation) {
        outline.operations.push(operation.to_owned());
    }
    let resources = content.edits.iter().map(|edit| edit.resource.clone());
    outline.resources = resources.collect();
    outline.changes = content.changes().len();
    outline
}

async fn rejected_before(
    write: &mut ConfigurationWrite,
    digest: &str,
    now: Timestamp,
) -> Result<Option<RejectedBefore>, OperationError> {
    let Some(row) = write.rejected_proposal_like(digest, now).await? else {
        return Ok(None);
    };
    let reason = outline(&row)?.decision.and_then(|decision| decision.reason);
    Ok(Some(RejectedBefore {
        id: row.id,
        at: row.ends_at,
        reason,
    }))
}

fn row_of(
    permit: &Permit<access::Write>,
    what: &Content,
    (key, digest): (KeyId, String),
    target: Option<Stored>,
    now: Timestamp,
) -> ProposalRow {
    match target {
        Some(of) => ProposalRow {
            digest,
            updated_at: now,
            findings: None,
            ..of.row
        },
        None => ProposalRow {
            id: match permit.attempt().dry_run {
                true => ProposalId("draft:0".to_owned()),
                false => ids::proposal(),
            },
            key,
            key_name: permit.actor().name.clone(),
            kind: what.kind(),
            state: ProposalState::Open,
            created_at: now,
            updated_at: now,
            ends_at: open_until(now),
            base_revision: 0,
            digest,
            outline: String::new(),
            content: String::new(),
            findings: None,
        },
    }
}

async fn store(
    mut write: ConfigurationWrite,
    permit: &Permit<access::Write>,
    stored: &Stored,
    is_added: bool,
    now: Timestamp,
) -> Result<(), OperationError> {
    write.put_proposal(&stored.row, now).await?;
    let (operation, summary) = match is_added {
        true => ("add_to_proposal", message::proposed::added()),
        false => ("create_proposal", summary(&stored.outline.resources)),
    };
    let state = (!is_added).then_some(ProposalState::Open);
    let entry = entry(permit, (operation, summary), stored, state);
    check_daily_changes(write.changed_today(&entry, now).await?, now)?;
    Ok(write.commit_unrevised(&entry, now).await?)
}

fn summary(resources: &[String]) -> domain::Message {
    use message::{of_resource, proposed};
    match resources {
        [] => proposed::nothing(),
        [only] => proposed::one(of_resource(only)),
        [first, more @ ..] => proposed::several(of_resource(first), more.len()),
    }
}

/// Returns the audit record of what happened to a proposal; `state` is its new one, if that changed.
pub(super) fn entry(
    permit: &Permit<access::Write>,
    (operation, summary): (&str, domain::Message),
    stored: &Stored,
    state: Option<ProposalState>,
) -> AuditEntry {
    let before = match state {
        Some(ProposalState::Open) | None => None,
        Some(_) => Some(json!(ProposalState::Open)),
    };
    let changes = state.map(|state| FieldChange {
        path: "state".to_owned(),
        before,
        after: Some(json!(state)),
    });
    AuditEntry {
        actor: permit.actor().clone(),
        operation: operation.to_owned(),
        resource: format!("proposals/{}", stored.row.id),
        summary,
        changes: changes.into_iter().collect(),
        request_id: permit.request_id().map(str::to_owned),
    }
}
