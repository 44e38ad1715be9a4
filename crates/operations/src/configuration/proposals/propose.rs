//! The end of a write that proposes: it is undone, and what it would have changed is kept as a proposal.

use super::draft::{DraftBuilder, KINDS};
use super::judge::judge;
use super::record::RejectedBefore;
use super::stored::{Outline, Stored, StoredContent, StoredRestore, outline, state_at};
use crate::access::daily_changes::check_daily_changes;
use crate::configuration::drafts::{NewIds, content_of};
use crate::configuration::editable::{Edit, EditableConfiguration};
use crate::runtime::ids;
use crate::{OperationError, Service, message};
use domain::audit::{AuditEntry, FieldChange};
use domain::limits::{
    DRAFT_RECORDS_MAX, OPEN_PROPOSALS_MAX, PROPOSAL_BYTES_MAX, STORED_PROPOSAL_BYTES_MAX,
};
use domain::proposal::{ProposalKind, ProposalState, ProposedEdit, open_until};
use domain::{KeyId, Permit, ProposalId, Proposed, Timestamp, access, error_codes};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use storage::{ConfigurationWrite, ProposalRow};

/// Resources of a store that are in no revision.
const WATCHED: &str = "watched";
const HIDDEN: &str = "hidden-queries";

/// What a write proposes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Content {
    /// Changes of the configuration.
    Draft,
    /// A former state.
    Restore(StoredRestore),
    /// The watched queries.
    Watched,
    /// The queries that are never suggested.
    Hidden,
}

impl Content {
    fn kind(&self) -> ProposalKind {
        match self {
            Self::Draft => ProposalKind::Draft,
            Self::Restore(_) => ProposalKind::Restore,
            Self::Watched => ProposalKind::Watched,
            Self::Hidden => ProposalKind::HiddenQueries,
        }
    }
}

/// A write that proposes, after all of its checks.
pub(crate) struct PendingProposal {
    /// Id of the operation.
    pub operation: String,
    /// What it proposes.
    pub content: Content,
    /// The resources that it touches.
    pub touched: Vec<String>,
    /// The proposal that it is added to.
    pub target: Option<Stored>,
}

/// What became of a write that proposes.
pub(crate) struct Proposal {
    pub stored: Stored,
    /// Whether it is new or was added to.
    pub is_new: bool,
}

/// Returns the proposal that the attempt of `permit` adds to, if it names one.
///
/// Errors: `NotFoundIn` for an unknown one; `Forbidden` for that of another key; `Conflict` if it is not open; `Invalid` if
/// nothing can be added to it.
pub(crate) async fn target(
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

/// Fails if the attempt of `permit` adds to a proposal, to which `what` cannot be added.
///
/// Errors: those of [`target`]; `Invalid`.
pub(crate) async fn require_addable(
    permit: &Permit<access::Write>,
    write: &mut ConfigurationWrite,
    what: &Content,
    now: Timestamp,
) -> Result<(), OperationError> {
    let found = target(permit, write, now).await?;
    match permit.attempt().proposal.as_ref() {
        Some(named) if found.is_some() && *what != Content::Draft => {
            let reason = message::proposal::not_a_draft();
            Err(OperationError::invalid(named.field, reason))
        }
        _ => Ok(()),
    }
}

/// Applies what was proposed before in the transaction of a write that is added to it.
///
/// Errors: `Conflict` if what is saved contradicts it.
pub(crate) async fn replay(
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

/// Ends a write that proposes: undoes it and stores the proposal with its audit record, unless the write would change
/// nothing or the same is proposed already. A dry run stores nothing.
///
/// Errors: `Invalid` if it is too large; `PlanLimit` if too many are open; `TooMany` if the changes of the day pass their
/// limit.
pub(crate) async fn propose(
    service: &Service,
    permit: &Permit<access::Write>,
    mut write: ConfigurationWrite,
    proposal: PendingProposal,
) -> Result<Option<Proposal>, OperationError> {
    let now = service.clock.now();
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
    let content = content(&mut write, &what, touched).await?;
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
        let is_new = false;
        return Ok(Some(Proposal { stored, is_new }));
    }
    let is_added = target.is_some();
    if !is_added {
        let open = write.open_proposals(now).await?;
        if open >= OPEN_PROPOSALS_MAX as u64 {
            return Err(OperationError::PlanLimit {
                message: message::limit::open_proposals(OPEN_PROPOSALS_MAX),
                details: json!({"max": OPEN_PROPOSALS_MAX, "open": open}),
            });
        }
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

/// Keeps what a new proposal does to queries.
pub(crate) async fn keep_impact(
    service: &Service,
    permit: &Permit<access::Write>,
    proposal: &mut Proposal,
    impact: Option<&Value>,
) -> Result<(), OperationError> {
    let Some(impact) = impact.filter(|_| proposal.is_new).map(Value::to_string) else {
        return Ok(());
    };
    if !permit.attempt().dry_run {
        let id = &proposal.stored.row.id;
        service
            .storage
            .save_proposal_impact(permit, id, &impact)
            .await?;
    }
    proposal.stored.row.impact = Some(impact);
    Ok(())
}

/// Undoes the write and returns what it would have changed.
async fn content(
    write: &mut ConfigurationWrite,
    what: &Content,
    touched: Vec<String>,
) -> Result<StoredContent, OperationError> {
    let mut wanted = Vec::with_capacity(touched.len());
    for resource in touched {
        let content = content_in(write, &resource).await?;
        wanted.push((resource, content));
    }
    let boosts = EditableConfiguration::relevance(write).await?.boosts;
    write.undo().await?;
    let mut all = Vec::with_capacity(wanted.len());
    for (resource, content) in wanted {
        let saved = content_in(write, &resource).await?;
        let edit = ProposedEdit::between(&resource, saved.as_ref(), content.as_ref());
        all.extend(edit.map(|edit| (edit, saved, content)));
    }
    all.sort_by_key(|(edit, ..)| order(edit));
    let mut draft = DraftBuilder::default();
    let mut edits = Vec::with_capacity(all.len());
    let mut created: BTreeMap<String, usize> = BTreeMap::new();
    for (mut edit, saved, content) in all {
        draft.add(&edit.resource, saved.as_ref(), content.as_ref());
        if edit.before.is_none()
            && let Some(kind) = edit.kind_of_record().map(str::to_owned)
        {
            let next = created.entry(kind.clone()).or_default();
            edit.resource = format!("{kind}/draft:{next}");
            *next += 1;
        }
        edits.push(edit);
    }
    draft.set_boosts(boosts_of_map(json!(boosts), &edits));
    Ok(StoredContent {
        draft: (*what == Content::Draft).then(|| draft.to_json()),
        restore: match what {
            Content::Restore(restore) => Some(restore.clone()),
            _ => None,
        },
        edits,
        applied: Vec::new(),
    })
}

/// Returns all saved boosts with the proposed ones: over REST a map replaces the whole one.
fn boosts_of_map(mut saved: Value, edits: &[ProposedEdit]) -> Value {
    let relevance = edits.iter().find(|edit| edit.resource == "relevance");
    let proposed = relevance.and_then(|edit| edit.after.as_ref());
    let proposed = proposed.and_then(|after| after["boosts"].as_object());
    if let Value::Object(saved) = &mut saved {
        saved.extend(proposed.cloned().into_iter().flatten());
    }
    saved
}

/// The order of edits: single resources, then records by kind, created ones last and in their order.
fn order(edit: &ProposedEdit) -> (usize, bool, usize, String) {
    let kind = edit.kind_of_record();
    let rank = kind.map_or(0, |kind| {
        let at = KINDS.iter().position(|known| *known == kind);
        at.map_or(0, |at| at + 1)
    });
    let number = edit.resource.rsplit_once("draft:");
    let number = number.and_then(|(_, number)| number.parse().ok());
    let resource = edit.resource.clone();
    (rank, edit.before.is_none(), number.unwrap_or(0), resource)
}

/// Returns the content of a resource, also of one that is in no revision.
pub(super) async fn content_in(
    write: &mut ConfigurationWrite,
    resource: &str,
) -> Result<Option<Value>, OperationError> {
    Ok(match resource {
        WATCHED => Some(json!({"queries": write.watched_queries().await?})),
        HIDDEN => Some(json!(write.hidden_queries().await?)),
        _ => content_of(write, resource).await?,
    })
}

fn check_size(content: &StoredContent) -> Result<(), OperationError> {
    let wrong = |reason| Err(OperationError::invalid("proposal", reason));
    let records = content.edits.iter();
    let records = records.filter(|edit| edit.kind_of_record().is_some());
    let count = records.count();
    if content.restore.is_none() && count > DRAFT_RECORDS_MAX {
        return wrong(message::proposal::records(DRAFT_RECORDS_MAX, count));
    }
    let bytes = content.sent().len();
    if bytes > PROPOSAL_BYTES_MAX {
        return wrong(message::proposal::bytes(PROPOSAL_BYTES_MAX, bytes));
    }
    let bytes = json!(content.edits).to_string().len() + bytes;
    if bytes > STORED_PROPOSAL_BYTES_MAX {
        let max = STORED_PROPOSAL_BYTES_MAX;
        return wrong(message::proposal::bytes_of_changes(max, bytes));
    }
    Ok(())
}

fn outlined(content: &StoredContent, operation: &str, target: Option<&Stored>) -> Outline {
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
            impact: None,
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
            impact: None,
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

impl Proposal {
    /// Returns what the response says of it; `changes` are those of the write.
    pub fn report(&self, changes: Vec<FieldChange>, now: Timestamp) -> Proposed {
        let row = &self.stored.row;
        Proposed::Proposal {
            is_new: self.is_new,
            brief: json!({
                "id": row.id,
                "state": state_at(row, now),
                "expiresAt": open_until(row.created_at),
                "changes": self.stored.outline.changes,
            }),
            changes,
        }
    }
}
