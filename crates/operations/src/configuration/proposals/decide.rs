//! What people decide about a proposal: it is applied, in whole or in part, or rejected.

use super::judge::{Contradiction, Judged, judge, judge_restore, with_authors};
use super::propose::entry;
use super::record::{ConflictKind, ProposalDecision, ProposalRecord};
use super::stored::Stored;
use super::undone::content_in;
use crate::access::permits::require_on_store;
use crate::configuration::change::{self, Changed, ConfigurationChange, Within};
use crate::configuration::drafts::{self, NewIds, require_restorable};
use crate::configuration::editable::Edit;
use crate::configuration::{records, unrevised};
use crate::service::run_to_completion;
use crate::{OperationError, Precondition, Revisioned, Service, message};
use domain::analytics::HiddenQueries;
use domain::audit::FieldChange;
use domain::proposal::{
    ApplyRequest, Outcome, ProposalKind, ProposalState, ProposedEdit, RejectRequest,
};
use domain::watched::WatchedQueries;
use domain::{
    Caller, ChangeNote, Invalid, Message, Permit, ProposalId, StoreId, Timestamp, access,
};
use serde_json::{Value, json};
use std::sync::Arc;
use storage::{AppliedProposal, ConfigurationWrite, ProposalRow};

/// Applies a proposal: all of it that is asked for in one revision, or nothing.
///
/// Errors: `Forbidden` for keys; `NotFound`; `Conflict` if it is not open; `Stale` if it was added to since it was read;
/// `Invalid` for resources that it does not have; `Contradicted` where what is saved contradicts it.
pub async fn apply(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
    id: &ProposalId,
    (request, precondition): (ApplyRequest, Precondition),
) -> Result<(ProposalRecord, Revisioned), OperationError> {
    require_on_store(caller, "apply_proposal", store)?;
    let note = text_of("note", request.note.as_deref())?;
    let permit = access::write(caller, store)?.noted(note.clone());
    let permit = match request.force {
        true => permit.forcing("force"),
        false => permit,
    };
    let (service, id) = (service.clone(), id.clone());
    run_to_completion(async move {
        let now = service.clock.now();
        // What it is of never changes; everything else is read in the transaction that decides.
        let mut reading = records::view(&service, &permit).await?;
        let found = existing(reading.proposal(&id, now).await?)?;
        let is_of_configuration = Stored::of(found)?.is_of_configuration();
        drop(reading);
        let wanted = ProposalChoice {
            id,
            precondition,
            resources: request.resources,
            note,
        };
        let (stored, revision) = match is_of_configuration {
            true => {
                let wanted = Arc::new(wanted);
                let written = change::write(&service, &permit, move |open| {
                    apply_configuration(open, Arc::clone(&wanted))
                });
                written.await?
            }
            false => {
                let mut write = service.begin(&permit).await?;
                let ProposalChoice {
                    id, precondition, ..
                } = &wanted;
                let stored = to_decide(&mut write, id, precondition, now).await?;
                chosen(&stored, wanted.resources.as_deref())?;
                write.set_note(wanted.note_of(&stored).as_ref());
                apply_list(&service, &permit, write, stored, now).await?
            }
        };
        if stored.row.kind == ProposalKind::HiddenQueries {
            service.search_log.popular().forget(permit.store());
        }
        Ok((record(&stored, now)?, of_revision(&stored, revision)))
    })
    .await
}

/// What of a proposal is to be applied.
struct ProposalChoice {
    id: ProposalId,
    precondition: Precondition,
    /// The resources; all if it is `None`.
    resources: Option<Vec<String>>,
    note: Option<ChangeNote>,
}

impl ProposalChoice {
    /// Returns the note of the revision: the one that was given, else that of the proposal.
    fn note_of(&self, stored: &Stored) -> Option<ChangeNote> {
        let own = || ChangeNote::parse(stored.outline.note.as_deref()?).ok()?;
        self.note.clone().or_else(own)
    }
}

/// Rejects a proposal.
///
/// Errors: `Forbidden` for keys; `NotFound`; `Conflict` if it is not open; `Stale` if it was added to since it was read.
pub async fn reject(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
    id: &ProposalId,
    (request, precondition): (RejectRequest, Precondition),
) -> Result<(ProposalRecord, Revisioned), OperationError> {
    require_on_store(caller, "reject_proposal", store)?;
    let permit = access::write(caller, store)?;
    let reason = text_of("reason", request.reason.as_deref())?;
    let (service, id) = (service.clone(), id.clone());
    run_to_completion(async move {
        let now = service.clock.now();
        let mut write = service.begin(&permit).await?;
        let stored = to_decide(&mut write, &id, &precondition, now).await?;
        let decision = ProposalDecision {
            reason: reason.map(|reason| reason.as_str().to_owned()),
            ..ProposalDecision::new(now, permit.actor())
        };
        let what = ("reject_proposal", message::proposed::rejected());
        let end = (ProposalState::Rejected, decision, what);
        ended(&service, &permit, write, stored, end).await
    })
    .await
}

fn text_of(field: &str, text: Option<&str>) -> Result<Option<ChangeNote>, OperationError> {
    let text = ChangeNote::parse(text.unwrap_or_default());
    text.map_err(|reason| OperationError::invalid(field, reason))
}

fn record(stored: &Stored, now: Timestamp) -> Result<ProposalRecord, OperationError> {
    ProposalRecord::of(stored, now, Vec::new())
}

fn of_revision(stored: &Stored, config_revision: i64) -> Revisioned {
    Revisioned {
        etag: stored.etag(),
        config_revision,
    }
}

/// Returns the proposal that is to be decided.
pub(super) async fn to_decide(
    write: &mut ConfigurationWrite,
    id: &ProposalId,
    precondition: &Precondition,
    now: Timestamp,
) -> Result<Stored, OperationError> {
    let row = existing(write.proposal(id, now).await?)?;
    decidable(row, precondition, now)
}

/// Returns a proposal that may be decided.
pub(super) fn decidable(
    row: ProposalRow,
    precondition: &Precondition,
    now: Timestamp,
) -> Result<Stored, OperationError> {
    let stored = Stored::of(row)?;
    stored.require_open(now)?;
    precondition.require(&stored.etag())?;
    Ok(stored)
}

/// Returns the row of a proposal that was looked up.
///
/// Errors: `NotFound` if there is none.
pub(super) fn existing(row: Option<ProposalRow>) -> Result<ProposalRow, OperationError> {
    row.ok_or(OperationError::NotFound {
        what: message::noun::proposal,
    })
}

/// Ends a proposal of which nothing is saved: stores the decision with its audit record.
pub(super) async fn ended(
    service: &Service,
    permit: &Permit<access::Write>,
    mut write: ConfigurationWrite,
    mut stored: Stored,
    (state, decision, what): (ProposalState, ProposalDecision, (&str, Message)),
) -> Result<(ProposalRecord, Revisioned), OperationError> {
    let at = decision.at;
    stored.decide(state, decision);
    stored.row = stored.to_row()?;
    write.put_proposal(&stored.row, at).await?;
    let revision = write.before().config_revision;
    let entry = entry(permit, what, &stored, Some(state));
    unrevised::commit(service, permit, write, &entry).await?;
    Ok((record(&stored, at)?, of_revision(&stored, revision)))
}

/// Returns whether each edit is to be applied.
fn chosen(stored: &Stored, resources: Option<&[String]>) -> Result<Vec<bool>, OperationError> {
    let edits = &stored.content.edits;
    let Some(resources) = resources else {
        return Ok(vec![true; edits.len()]);
    };
    if stored.row.kind != ProposalKind::Draft {
        let reason = message::proposal::whole_only();
        return Err(OperationError::invalid("resources", reason));
    }
    let known = |name: &String| edits.iter().any(|edit| edit.resource == *name);
    let wrong: Vec<Invalid> = resources
        .iter()
        .enumerate()
        .filter(|(_, name)| !known(name))
        .map(|(at, _)| {
            let reason = message::proposal::no_resource();
            Invalid::new(format!("resources[{at}]"), reason)
        })
        .collect();
    if resources.is_empty() || !wrong.is_empty() {
        let none = || vec![Invalid::new("resources", message::value::empty())];
        let wrong = if wrong.is_empty() { none() } else { wrong };
        return Err(OperationError::Invalid(wrong));
    }
    let chosen = edits.iter().map(|edit| resources.contains(&edit.resource));
    Ok(chosen.collect())
}

/// Applies a draft or a former state within a change, and decides the proposal in the same transaction.
fn apply_configuration<'o>(
    open: &'o mut ConfigurationChange<'_>,
    wanted: Arc<ProposalChoice>,
) -> Within<'o, (Changed, Stored)> {
    Box::pin(async move {
        let mut edit = open.edit();
        let now = edit.now;
        let write = &mut open.write;
        let mut stored = to_decide(write, &wanted.id, &wanted.precondition, now).await?;
        let chosen = chosen(&stored, wanted.resources.as_deref())?;
        write.set_note(wanted.note_of(&stored).as_ref());
        let judged = judged(write, &mut edit, &stored, &chosen).await?;
        let Judged {
            changes, created, ..
        } = without_contradictions(write, judged).await?;
        let outcome = match (changes.is_empty(), chosen.iter().all(|chosen| *chosen)) {
            (true, _) => Outcome::Unchanged,
            (false, true) => Outcome::Whole,
            (false, false) => Outcome::Part,
        };
        let latest = write.before().config_revision;
        let decision = ProposalDecision {
            outcome: Some(outcome),
            revision: (!changes.is_empty()).then_some(latest + 1),
            created: (!created.is_empty()).then_some(created),
            ..ProposalDecision::new(now, open.actor())
        };
        applied(&mut open.write, &mut stored, decision, chosen, now).await?;
        open.write.set_proposal(AppliedProposal {
            id: stored.row.id.clone(),
            by: stored.by(),
        });
        let restored = stored.content.restore.as_ref().map(|of| of.revision);
        let changed = Changed {
            operation: "apply_proposal",
            resource: drafts::resource(&changes),
            summary: drafts::summary(&changes, restored),
            changes,
        };
        Ok((changed, stored))
    })
}

/// Makes what was chosen of a proposal, as it is merged with what is saved now.
async fn judged(
    write: &mut ConfigurationWrite,
    edit: &mut Edit,
    stored: &Stored,
    chosen: &[bool],
) -> Result<Judged, OperationError> {
    let Some(restore) = &stored.content.restore else {
        let edits = stored.content.edits.iter().zip(chosen);
        let edits = edits.filter_map(|(edit, chosen)| chosen.then_some(edit));
        let edits: Vec<&ProposedEdit> = edits.collect();
        return judge(write, edit, &edits, NewIds::Saved).await;
    };
    let first = write.restorable_from().await?;
    require_restorable(restore.revision, first, write.before().config_revision)?;
    let states = write.states_after(restore.revision).await?;
    let since = write.writes_after(stored.row.base_revision).await?;
    write.set_restored(restore.revision);
    judge_restore(write, edit, restore, (states, since)).await
}

/// Stores the decision that a proposal is applied.
pub(super) async fn applied(
    write: &mut ConfigurationWrite,
    stored: &mut Stored,
    decision: ProposalDecision,
    applied: Vec<bool>,
    now: Timestamp,
) -> Result<(), OperationError> {
    stored.content.applied = applied;
    stored.decide(ProposalState::Applied, decision);
    stored.row = stored.to_row()?;
    Ok(write.put_proposal(&stored.row, now).await?)
}

/// Fails where what is saved contradicts what was judged.
async fn without_contradictions(
    write: &mut ConfigurationWrite,
    mut judged: Judged,
) -> Result<Judged, OperationError> {
    let conflicts = std::mem::take(&mut judged.conflicts);
    if conflicts.is_empty() {
        return Ok(judged);
    }
    let mut resources: Vec<String> = Vec::new();
    for conflict in &conflicts {
        if !resources.contains(&conflict.resource) {
            resources.push(conflict.resource.clone());
        }
    }
    let stale = match drafts::stale(write, resources).await? {
        OperationError::StaleResources(stale) => stale,
        other => return Err(other),
    };
    let conflicts = with_authors(write, conflicts).await?;
    Err(OperationError::Contradicted {
        stale,
        conflicts: json!(conflicts),
    })
}

/// Applies a list of queries, which is in no revision.
async fn apply_list(
    service: &Service,
    permit: &Permit<access::Write>,
    mut write: ConfigurationWrite,
    mut stored: Stored,
    now: Timestamp,
) -> Result<(Stored, i64), OperationError> {
    let edit = stored.content.edits.first().cloned();
    let edit = edit.ok_or_else(|| OperationError::internal("a proposal has no content"))?;
    let saved = content_in(&mut write, &edit.resource).await?;
    let saved = saved.unwrap_or_default();
    let conflicts = of_list(&edit, &saved);
    let judged = Judged {
        conflicts,
        ..Judged::default()
    };
    without_contradictions(&mut write, judged).await?;
    let wanted = edit.merged(&saved).wanted;
    let changes = domain::audit::differences(&saved, &wanted);
    if !changes.is_empty() {
        save_list(&mut write, stored.row.kind, wanted).await?;
    }
    let outcome = match changes.is_empty() {
        true => Outcome::Unchanged,
        false => Outcome::Whole,
    };
    let decision = ProposalDecision {
        outcome: Some(outcome),
        ..ProposalDecision::new(now, permit.actor())
    };
    applied(&mut write, &mut stored, decision, vec![true], now).await?;
    let revision = write.before().config_revision;
    let what = ("apply_proposal", message::proposed::applied());
    let mut entry = entry(permit, what, &stored, Some(ProposalState::Applied));
    entry
        .changes
        .extend(changes.into_iter().map(|change| FieldChange {
            path: format!("{}.{}", edit.resource, change.path),
            ..change
        }));
    unrevised::commit(service, permit, write, &entry).await?;
    Ok((stored, revision))
}

/// Returns what contradicts a proposal of a list.
pub(super) fn of_list(edit: &ProposedEdit, saved: &Value) -> Vec<Contradiction> {
    let conflicts = edit.merged(saved).conflicts.into_iter();
    let conflicts = conflicts.map(|path| Contradiction {
        resource: edit.resource.clone(),
        message: message::proposal::updated(path.as_str()),
        path: Some(format!("{}.{path}", edit.resource)),
        kind: ConflictKind::Updated,
    });
    conflicts.collect()
}

async fn save_list(
    write: &mut ConfigurationWrite,
    kind: ProposalKind,
    wanted: Value,
) -> Result<(), OperationError> {
    match kind {
        ProposalKind::Watched => {
            let list: WatchedQueries =
                serde_json::from_value(wanted).map_err(OperationError::internal)?;
            let list = list.check().map_err(OperationError::Invalid)?;
            write.save_watched_queries(&list).await?;
        }
        _ => {
            let list: HiddenQueries =
                serde_json::from_value(wanted).map_err(OperationError::internal)?;
            let list = list.check().map_err(OperationError::Invalid)?;
            write.save_hidden_queries(&list).await?;
        }
    }
    Ok(())
}
