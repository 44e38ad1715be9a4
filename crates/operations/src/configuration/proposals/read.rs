//! Proposals as they are read: a list, one with what contradicts it, and the number of open ones.

use super::decide::existing;
use super::judge::{Judged, judge, judge_restore, with_authors};
use super::record::{ProposalConflict, ProposalRecord, ProposalSummary};
use super::stored::{Stored, state_at};
use crate::access::rates;
use crate::configuration::drafts::NewIds;
use crate::configuration::editable::Edit;
use crate::configuration::gate;
use crate::configuration::provisional::ProvisionalState;
use crate::configuration::records::{self, Listed};
use crate::{OperationError, Revisioned, Service};
use domain::page::Meta;
use domain::proposal::{ProposalQuery, ProposalRequest, ProposalState, ProposedEdit};
use domain::{Caller, GateMeasure, Permit, ProposalId, StoreId, access};
use serde_json::{Value, json};
use storage::{ConfigurationView, ProposalSelection};

/// Returns a page of the proposals of a store, the newest first.
pub async fn list(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
    query: ProposalQuery,
) -> Result<Listed<ProposalSummary>, OperationError> {
    let permit = access::read(caller, store)?;
    let now = service.clock.now();
    let mut reading = records::view(service, &permit).await?;
    let (page, limit) = query.page();
    let own = caller.key().map(|key| key.id.clone());
    let selection = ProposalSelection {
        state: query.state,
        // Who has no key has no proposals.
        key: query.mine.then(|| own.unwrap_or_else(|| "-".into())),
    };
    let (rows, total) = reading.proposals(&selection, (page, limit), now).await?;
    let summaries = rows.iter().map(|row| ProposalSummary::of(row, now));
    Ok(Listed {
        records: summaries.collect::<Result<_, _>>()?,
        meta: Some(Meta::new(page, limit, total)),
        config_revision: reading.revision(),
    })
}

/// Returns one proposal, with what contradicts it now, and its impact now if that is asked for.
///
/// Errors: `NotFound`; `TooMany` if an impact is asked for and too few requests are left.
pub async fn get(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
    id: &ProposalId,
    request: ProposalRequest,
) -> Result<(ProposalRecord, Revisioned), OperationError> {
    let permit = access::read(caller, store)?;
    let now = service.clock.now();
    let mut reading = records::view(service, &permit).await?;
    let stored = Stored::of(existing(reading.proposal(id, now).await?)?)?;
    let revisioned = Revisioned {
        etag: stored.etag(),
        config_revision: reading.revision(),
    };
    if state_at(&stored.row, now) != ProposalState::Open {
        let record = ProposalRecord::of(&stored, now, Vec::new())?;
        return Ok((record, revisioned));
    }
    let (conflicts, effect) = match stored.is_of_configuration() {
        true => tried(service, &permit, reading, &stored, request).await?,
        false => (of_list(&mut reading, &stored).await?, None),
    };
    let mut record = ProposalRecord::of(&stored, now, conflicts)?;
    if let Some(PresentEffect { impact, gate }) = effect {
        record.impact = impact.or(record.impact);
        record.gate = gate;
    }
    Ok((record, revisioned))
}

/// What a proposal does now.
struct PresentEffect {
    impact: Option<Value>,
    gate: Option<GateMeasure>,
}

/// Tries an open proposal on a copy of what is saved.
async fn tried(
    service: &Service,
    permit: &Permit<access::Read>,
    mut reading: ConfigurationView,
    stored: &Stored,
    request: ProposalRequest,
) -> Result<(Vec<ProposalConflict>, Option<PresentEffect>), OperationError> {
    let base = service.snapshots.latest(permit.store()).await?;
    let mut state = ProvisionalState::of(&base);
    let now = service.clock.now();
    let patterns = base.pattern_bytes();
    let mut edit = Edit::new(now, patterns, |number| format!("draft:group:{number}"));
    let judged: Judged = match &stored.content.restore {
        Some(restore) => {
            let states = reading.states_after(restore.revision).await?;
            let since = reading.writes_after(stored.row.base_revision).await?;
            judge_restore(&mut state, &mut edit, restore, (states, since)).await?
        }
        None => {
            let edits: Vec<&ProposedEdit> = stored.content.edits.iter().collect();
            judge(&mut state, &mut edit, &edits, NewIds::Provisional).await?
        }
    };
    let conflicts = with_authors(&mut reading, judged.conflicts).await?;
    if !request.impact || !conflicts.is_empty() {
        return Ok((conflicts, None));
    }
    let watched = reading.watched_queries().await?;
    drop(reading);
    rates::spend_impact(service, permit.actor())?;
    let saved = state.into_saved();
    let gate = gate::measured(service, permit, (&base, saved.clone()), watched).await;
    let impact = service.impact_of(permit, base, saved).await;
    Ok((conflicts, Some(PresentEffect { impact, gate })))
}

/// Returns what contradicts a proposal of a list of queries.
async fn of_list(
    reading: &mut ConfigurationView,
    stored: &Stored,
) -> Result<Vec<ProposalConflict>, OperationError> {
    let Some(edit) = stored.content.edits.first() else {
        return Ok(Vec::new());
    };
    let saved = match edit.resource.as_str() {
        "watched" => json!({"queries": reading.watched_queries().await?}),
        _ => json!(reading.hidden_queries().await?),
    };
    let conflicts = super::decide::of_list(edit, &saved);
    Ok(with_authors(reading, conflicts).await?)
}
