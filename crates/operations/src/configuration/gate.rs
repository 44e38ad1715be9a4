//! The gate of a store: who has to pass it with a ranking write, what the write is measured against, and what becomes of it
//! (docs/api.md, "The gate").

use crate::configuration::carried::{carried_over, is_ranking, returned};
use crate::message;
use crate::snapshots::snapshot::{Saved, StoreSnapshot};
use crate::{OperationError, Service};
use domain::access::MayRead;
use domain::audit::Actor;
use domain::store::Store;
use domain::watched::WatchedQuery;
use domain::{GateMeasure, ImpactGate, Language, Message, Permit, Timestamp, access, error_codes};
use serde::Serialize;
use serde_json::json;
use std::sync::Arc;
use storage::ConfigurationWrite;

/// How often a write is measured at most, each time because another one came between.
const TRIES_MAX: u32 = 3;
/// How long the writes of one key count as one.
const ONE_WRITE_MS: i64 = 60 * 60 * 1000;
/// Queries that a refusal lists.
const QUERIES_MAX: usize = 20;
/// Seconds after which a write that could not be measured may be tried again.
const RETRY_AFTER_S: u64 = 5;

/// A gate that a caller has to pass, as it stands at the beginning of a transaction.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Armed {
    gate: ImpactGate,
    watched: Vec<WatchedQuery>,
}

impl Armed {
    /// Returns the gate that the owner of `permit` has to pass, if the store has one. The command line passes none.
    ///
    /// Errors: `Forbidden` for a key that may not insist, `Invalid` for who insists without a note.
    pub async fn of(
        write: &mut ConfigurationWrite,
        permit: &Permit<access::Write>,
    ) -> Result<Option<Self>, OperationError> {
        let (attempt, actor) = (permit.attempt(), permit.actor());
        let gate = write.before().impact_gate;
        let gate = gate.filter(|_| actor.key_id.is_some() || actor.user_id.is_some());
        if let Some(field) = attempt.force {
            if gate.is_some_and(|gate| !may_force(gate, actor)) {
                let reason = message::access::gate_for_people();
                return Err(OperationError::forbidden(error_codes::RESERVED, reason));
            }
            if attempt.note.is_none() {
                return Err(OperationError::invalid(field, message::gate::needs_note()));
            }
        }
        let Some(gate) = gate else {
            return Ok(None);
        };
        let watched = write.watched_queries().await?;
        Ok(Some(Self { gate, watched }))
    }
}

/// Returns whether a caller who may write may save what exceeds the gate.
fn may_force(gate: ImpactGate, actor: &Actor) -> bool {
    actor.key_id.is_none() || gate.keys_may_force
}

/// Fails if a caller may not change what the store watches: to remove a query disarms its gate, and to add one thins the
/// share.
///
/// Errors: `Forbidden` for keys while the store has a gate.
pub(crate) fn require_watching(store: &Store, actor: &Actor) -> Result<(), OperationError> {
    if store.impact_gate.is_none() || actor.key_id.is_none() {
        return Ok(());
    }
    let reason = message::access::watched_for_people();
    Err(OperationError::forbidden(error_codes::RESERVED, reason))
}

/// Two states of a configuration, which watched queries are compared under.
pub(crate) struct WatchedStates {
    /// The indexes.
    pub snapshot: Arc<StoreSnapshot>,
    /// The base; that of the snapshot if it is `None`.
    pub base: Option<Saved>,
    /// What the write leaves.
    pub tried: Saved,
    /// The queries.
    pub watched: Vec<WatchedQuery>,
}

/// Returns what a state of a store does to its watched queries, if the store has a gate and that can be measured.
pub(crate) async fn measured(
    service: &Service,
    permit: &Permit<impl MayRead>,
    (snapshot, tried): (&Arc<StoreSnapshot>, Saved),
    watched: Vec<WatchedQuery>,
) -> Option<GateMeasure> {
    let gate = snapshot.store.impact_gate?;
    let trial = GateTrial {
        revision: snapshot.store.config_revision,
        states: WatchedStates {
            snapshot: Arc::clone(snapshot),
            base: None,
            tried,
            watched: watched.clone(),
        },
        armed: Armed { gate, watched },
    };
    trial.measure(service, permit).await
}

/// What changes in a watched query.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct WatchedChange {
    /// Its text.
    pub q: String,
    /// Its language.
    pub lang: Language,
    /// Whether its first three differ.
    #[serde(rename = "changedTop3")]
    pub changed_top3: bool,
    /// Whether it found products and finds none.
    pub lost_all_results: bool,
}

/// A ranking write that has to pass a gate, as of its transaction.
pub(crate) struct GateTrial {
    armed: Armed,
    revision: i64,
    states: WatchedStates,
}

impl GateTrial {
    /// Reads both states in the transaction that has the change. `snapshot` may be older than it.
    pub async fn new(
        write: &mut ConfigurationWrite,
        (armed, snapshot): (Armed, &Arc<StoreSnapshot>),
        permit: &Permit<access::Write>,
        now: Timestamp,
    ) -> Result<Self, OperationError> {
        let revision = write.before().config_revision;
        let published = snapshot.store.config_revision;
        // What this change wrote is among them.
        let written = write.writes_after(published).await?;
        let written: Vec<&str> = written.iter().map(|one| one.resource.as_str()).collect();
        let tried = carried_over(write, snapshot, &written).await?;
        let since = match &permit.actor().key_id {
            Some(key) => base_of_key(write, key, now).await?,
            None => revision,
        };
        let last = write.last_ranking_revision(None).await?;
        let is_published = published == revision && last.is_none_or(|last| last <= since);
        let base = match is_published {
            true => None,
            false => {
                let mut former = write.states_after(since).await?;
                former.retain(|one| is_ranking(&one.resource));
                Some(returned(&tried, former).await?)
            }
        };
        let states = WatchedStates {
            snapshot: Arc::clone(snapshot),
            base,
            tried,
            watched: armed.watched.clone(),
        };
        Ok(Self {
            armed,
            revision,
            states,
        })
    }

    /// Measures what is not saved; `None` if that is not possible, for which no dry run and no read fails.
    pub async fn measure(
        self,
        service: &Service,
        permit: &Permit<impl MayRead>,
    ) -> Option<GateMeasure> {
        let Self { armed, states, .. } = self;
        let changes = service.watched_changes(permit, states).await.ok()?;
        Some(armed.judge(&changes))
    }
}

/// Returns the revision after which the writes of a key count as one: the last one that can move results and is another's,
/// was forced, or is old.
async fn base_of_key(
    write: &mut ConfigurationWrite,
    key: &str,
    now: Timestamp,
) -> Result<i64, OperationError> {
    let since = Timestamp(now.0.saturating_sub(ONE_WRITE_MS));
    let last = write.last_ranking_revision(Some((key, since))).await?;
    let first = write.restorable_from().await?;
    Ok(last.unwrap_or(0).max(first))
}

impl Armed {
    fn judge(&self, changes: &[WatchedChange]) -> GateMeasure {
        let count = |of: fn(&WatchedChange) -> bool| changes.iter().filter(|one| of(one)).count();
        let changed = count(|one| one.changed_top3);
        let lost = count(|one| one.lost_all_results);
        self.gate.judge(self.watched.len(), changed, lost)
    }

    /// Returns the refusal of a write.
    fn exceeded(
        &self,
        measure: &GateMeasure,
        mut changes: Vec<WatchedChange>,
        actor: &Actor,
    ) -> OperationError {
        // Those that lost all results first, else in the order of the list.
        changes.sort_by_key(|one| !one.lost_all_results);
        changes.truncate(QUERIES_MAX);
        let details = json!({
            "maxChangedTop3Percent": measure.max_changed_top3_percent,
            "watched": measure.watched,
            "changedTop3": measure.changed_top3,
            "lostAllResults": measure.lost_all_results,
            "forceAllowed": may_force(self.gate, actor),
            "queries": changes,
        });
        OperationError::Conflict {
            code: error_codes::IMPACT_EXCEEDED,
            message: sentence(measure),
            details,
        }
    }
}

fn sentence(measure: &GateMeasure) -> Message {
    use message::gate;
    let (watched, allowed) = (measure.watched, measure.max_changed_top3_percent);
    let percent = measure.changed_percent();
    let changed = match measure.changed_top3 {
        1 => gate::one_changed(watched, percent, allowed),
        changed => gate::changed(changed, watched, percent, allowed),
    };
    match measure.lost_all_results {
        0 => changed,
        1 => gate::one_lost(changed),
        lost => gate::lost(changed, lost),
    }
}

/// How far a write got in passing the gate, over its transactions.
#[derive(Default)]
pub(crate) struct GatePass {
    /// Whether its impact was counted.
    pub is_impact_paid: bool,
    tries: u32,
    verdict: Option<GateVerdict>,
}

/// That a write may be saved on one state.
struct GateVerdict {
    armed: Armed,
    revision: i64,
    /// `None` if it could not be measured.
    measure: Option<GateMeasure>,
    forced: bool,
}

impl GatePass {
    /// Measures a write that was rolled back, and notes that it may be saved.
    ///
    /// Errors: `Conflict` if it moves too much or was measured too often; `Unavailable` if it could not be measured.
    pub async fn pass(
        &mut self,
        service: &Service,
        permit: &Permit<access::Write>,
        trial: GateTrial,
    ) -> Result<(), OperationError> {
        self.tries += 1;
        if self.tries > TRIES_MAX {
            return Err(OperationError::conflict(message::gate::meanwhile()));
        }
        let (actor, force) = (permit.actor(), permit.attempt().force.is_some());
        let GateTrial {
            armed,
            revision,
            states,
        } = trial;
        let outcomes = &service.gate_outcomes;
        let (measure, forced) = match service.watched_changes(permit, states).await {
            Ok(changes) => {
                let measure = armed.judge(&changes);
                if measure.exceeded && !force {
                    outcomes.exceeded.add(1);
                    return Err(armed.exceeded(&measure, changes, actor));
                }
                (Some(measure), measure.exceeded)
            }
            Err(_) if force => (None, true),
            Err(cause) => {
                outcomes.unavailable.add(1);
                return Err(OperationError::Unavailable {
                    retry_after_s: RETRY_AFTER_S,
                    source: Some(cause.into()),
                });
            }
        };
        self.verdict = Some(GateVerdict {
            armed,
            revision,
            measure,
            forced,
        });
        Ok(())
    }

    /// Returns whether the write may be saved on `store`, the state of its transaction.
    pub fn holds(&self, armed: &Armed, store: &Store) -> bool {
        let verdict = self.verdict.as_ref();
        verdict.is_some_and(|own| own.revision == store.config_revision && own.armed == *armed)
    }

    /// Forgets that it may be saved.
    pub fn forget(&mut self) {
        self.verdict = None;
    }

    /// Returns what was measured.
    pub fn measure(&self) -> Option<GateMeasure> {
        self.verdict.as_ref()?.measure
    }

    /// Marks the revision of a write that was forced.
    pub fn mark(&self, write: &mut ConfigurationWrite) {
        if let Some(GateVerdict { measure, .. }) = self.verdict.as_ref().filter(|own| own.forced) {
            write.set_forced(*measure);
        }
    }

    /// Counts that the write was saved.
    pub fn count(&self, service: &Service) {
        match &self.verdict {
            Some(verdict) if verdict.forced => service.gate_outcomes.forced.add(1),
            Some(_) => service.gate_outcomes.passed.add(1),
            None => {}
        }
    }
}
