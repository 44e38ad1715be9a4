//! `write`: one write of a store's configuration, from its transaction until it is published. Every write of it passes here,
//! and every one that can move results passes the gate of its store here.

use crate::access::daily_changes::check_daily_changes;
use crate::access::rates;
use crate::configuration::advised::advised_of;
use crate::configuration::carried::{carried_over, is_ranking, resources_of};
use crate::configuration::editable::{Edit, EditProgress};
use crate::configuration::gate::{Armed, GatePass, GateTrial};
use crate::configuration::proposals::{Content, PendingProposal, Proposal, Stored, StoredRestore};
use crate::message;
use crate::runtime::ids;
use crate::snapshots::snapshot::StoreSnapshot;
use crate::{OperationError, Service};
use domain::audit::{Actor, AuditEntry, FieldChange};
use domain::limits::{CONFIGURATION_BYTES_MAX, RECORD_LANGUAGES_MAX};
use domain::{GateMeasure, Message, Permit, Proposed, Timestamp, WriteReport, access};
use serde_json::{Value, json};
use std::pin::Pin;
use std::sync::Arc;
use storage::{ConfigurationSize, ConfigurationWrite};

/// An open change of a store's configuration. It is rolled back unless [`write`] commits it.
pub(crate) struct ConfigurationChange<'a> {
    service: &'a Service,
    permit: &'a Permit<access::Write>,
    /// The indexes and the base of an impact and of the gate, if either is wanted.
    base: Option<Arc<StoreSnapshot>>,
    /// The gate, if the caller has to pass one.
    armed: Option<Armed>,
    /// The transaction. What it reads is the state that it replaces.
    pub write: ConfigurationWrite,
    /// The size of the records before the change.
    before: ConfigurationSize,
    /// What it proposes, if its permit proposes.
    proposed: Content,
    /// The proposal that it is added to, and how far its changes came.
    target: Option<(Stored, EditProgress)>,
}

/// How a change ended.
pub(crate) struct Concluded {
    /// The revision that is then current.
    pub revision: i64,
    /// The proposal that it became, or in a dry run would have become.
    pub proposed: Option<Proposal>,
}

/// The effect of a change on one resource.
pub(crate) struct Changed {
    /// Id of the operation.
    pub operation: &'static str,
    /// The resource, such as `relevance` or `rules/<id>`.
    pub resource: String,
    /// Summary in one line.
    pub summary: Message,
    /// Changed fields with their values before and after; empty if nothing changed.
    pub changes: Vec<FieldChange>,
}

impl Changed {
    /// Returns its audit record.
    fn entry(self, permit: &Permit<access::Write>) -> AuditEntry {
        AuditEntry {
            actor: permit.actor().clone(),
            operation: self.operation.to_owned(),
            resource: self.resource,
            summary: self.summary,
            changes: self.changes,
            request_id: permit.request_id().map(str::to_owned),
        }
    }
}

/// What is done within an open change. It is boxed, because that it can be sent to another thread is not found out through
/// async closures.
pub(crate) type Within<'o, T> =
    Pin<Box<dyn Future<Output = Result<T, OperationError>> + Send + 'o>>;

/// How a change ended.
enum ChangeEnd {
    /// It is saved or proposed, or was a dry run.
    Over(Box<Concluded>),
    /// It is rolled back, and saved once this has passed the gate.
    Gate(Box<GateTrial>),
}

/// Carries out a write of the configuration of the store that `permit` names: `work` changes it and says what it changed.
/// Returns the value of `work` and the revision that is then current.
///
/// While the store has a gate, what moves results is measured between two transactions, because ranking must not hold the
/// only writer; so `work` runs again, on the state that was measured.
///
/// Errors: those of `work`; `NotFound` for an unknown store; `Forbidden`, `Conflict` and `Unavailable` of the gate.
pub(crate) async fn write<'a, T>(
    service: &'a Service,
    permit: &'a Permit<access::Write>,
    work: impl for<'o> Fn(&'o mut ConfigurationChange<'a>) -> Within<'o, (Changed, T)>,
) -> Result<(T, i64), OperationError> {
    let (value, concluded) = conclude(service, permit, work).await?;
    Ok((value, concluded.revision))
}

/// Carries out a write as [`write`] does; returns how it ended, too.
///
/// Errors: as of [`write`].
pub(crate) async fn conclude<'a, T>(
    service: &'a Service,
    permit: &'a Permit<access::Write>,
    work: impl for<'o> Fn(&'o mut ConfigurationChange<'a>) -> Within<'o, (Changed, T)>,
) -> Result<(T, Concluded), OperationError> {
    let (mut passed, mut is_guarded) = (GatePass::default(), false);
    loop {
        let mut open = ConfigurationChange::begin(service, permit, is_guarded).await?;
        if open.armed.is_some() && !is_guarded {
            // What is published is read before the transaction, and nobody knew of the gate yet.
            is_guarded = true;
            continue;
        }
        let (changed, value) = work(&mut open).await?;
        match open.end(changed, &mut passed).await? {
            ChangeEnd::Over(concluded) => return Ok((value, *concluded)),
            ChangeEnd::Gate(trial) => passed.pass(service, permit, *trial).await?,
        }
    }
}

/// Runs `work` as [`write`] would, and saves nothing.
///
/// Errors: those of `work`; `NotFound` for an unknown store.
pub(crate) async fn tried<'a, T>(
    service: &'a Service,
    permit: &'a Permit<access::Write>,
    work: impl for<'o> FnOnce(&'o mut ConfigurationChange<'a>) -> Within<'o, T>,
) -> Result<T, OperationError> {
    // Dropped without a commit.
    let mut open = ConfigurationChange::begin(service, permit, false).await?;
    work(&mut open).await
}

impl<'a> ConfigurationChange<'a> {
    /// Opens a change of the store that `permit` names.
    ///
    /// Errors: `NotFound` for an unknown store; `Forbidden` and `Invalid` for a caller who may not pass the gate as wanted.
    async fn begin(
        service: &'a Service,
        permit: &'a Permit<access::Write>,
        is_guarded: bool,
    ) -> Result<Self, OperationError> {
        // Opening a store may take time, so it is done before the transaction occupies the single writer.
        let base = match is_guarded || permit.attempt().wants_impact() || permit.proposes() {
            true => Some(service.snapshots.latest(permit.store()).await?),
            false => None,
        };
        if service.storage.is_on_server() {
            // What another server saved counts for the limit of patterns, which is checked against what is open here.
            let _ = service.snapshots.latest(permit.store()).await;
        }
        let mut write = service.begin(permit).await?;
        let armed = Armed::of(&mut write, permit).await?;
        let before = write.configuration_size().await?;
        let now = service.clock.now();
        let target = match permit.proposes() {
            true => service.proposal_target(permit, &mut write, now).await?,
            false => None,
        };
        let mut open = Self {
            service,
            permit,
            base,
            armed,
            write,
            before,
            proposed: Content::Draft,
            target: None,
        };
        if let Some(stored) = target {
            let mut edit = open.edit();
            service
                .replay_proposal(&mut open.write, &mut edit, &stored)
                .await?;
            open.target = Some((stored, edit.progress()));
        }
        Ok(open)
    }

    /// Returns the caller as the audit trail names it.
    pub fn actor(&self) -> &Actor {
        self.permit.actor()
    }

    /// Returns whether it saves nothing and becomes a proposal.
    pub fn proposes(&self) -> bool {
        self.permit.proposes()
    }

    /// Says that it restores a former state, should it become a proposal.
    pub fn propose_restore(&mut self, restore: StoredRestore) {
        self.proposed = Content::Restore(restore);
    }

    /// Returns what the writes of this change share.
    pub fn edit(&self) -> Edit {
        let patterns = self.service.snapshots.pattern_bytes(self.permit.store());
        let new_group: fn(u32) -> String = match self.proposes() {
            true => |number| format!("draft:group:{number}"),
            false => |_| ids::group(),
        };
        let edit = Edit::new(self.service.clock.now(), patterns, new_group);
        match &self.target {
            Some((_, progress)) => edit.continuing(progress.clone()),
            None => edit,
        }
    }

    /// Returns whether no record that it creates is saved: in a dry run, and if it becomes a proposal.
    pub fn is_provisional(&self) -> bool {
        self.permit.attempt().dry_run || self.proposes()
    }

    /// Returns the id of the `at`-th record of a kind that the change creates, provisional if it is not saved.
    pub fn new_id<Id: From<String>>(&self, kind: &str, at: usize, make: fn() -> Id) -> Id {
        match self.is_provisional() {
            true => {
                let first = self.target.as_ref();
                let first = first.map_or(0, |(_, progress)| progress.drafted(kind));
                Id::from(format!("draft:{}", first + at))
            }
            false => make(),
        }
    }

    /// Commits the change with its audit record and publishes it, unless the change has to pass the gate first.
    ///
    /// A change without effect is audited, but creates no revision and is not published. A dry run ends here, after all
    /// checks, without a commit, and leaves what it would change in its report; a change that proposes becomes a proposal.
    async fn end(
        mut self,
        changed: Changed,
        passed: &mut GatePass,
    ) -> Result<ChangeEnd, OperationError> {
        let (service, permit) = (self.service, self.permit);
        let mut paths = full_paths(&changed);
        paths.extend(self.write.unrevised().iter().cloned());
        let operation = changed.operation;
        let entry = changed.entry(permit);
        let now = service.clock.now();
        check_daily_changes(self.write.changed_today(&entry, now).await?, now)?;
        if !entry.changes.is_empty() {
            check_configuration_size(self.before, self.write.configuration_size().await?)?;
        }
        // What it is added to moves results, too.
        let mut all = paths.clone();
        let target = self.target.iter();
        all.extend(target.flat_map(|(stored, _)| stored.content.changes()));
        let base = self.base.take().filter(|_| moves_results(&all));
        let wants_impact = permit.attempt().wants_impact() && base.is_some();
        if wants_impact && !std::mem::replace(&mut passed.is_impact_paid, true) {
            rates::spend_impact(service, permit.actor())?;
        }
        let is_saved = !self.is_provisional();
        let mut trial = None;
        match (self.armed.take(), &base) {
            (Some(armed), Some(base)) => {
                if !passed.holds(&armed, self.write.before()) {
                    let made = GateTrial::new(&mut self.write, (armed, base), permit, now);
                    trial = Some(made.await?);
                }
            }
            // Another write, or the owner, left nothing to pass.
            _ => passed.forget(),
        }
        if let Some(trial) = trial.take_if(|_| is_saved) {
            return Ok(ChangeEnd::Gate(Box::new(trial)));
        }
        let tried = match base.filter(|_| wants_impact || permit.proposes()) {
            Some(base) => {
                let saved = carried_over(&mut self.write, &base, &resources_of(&all)).await?;
                Some((base, saved))
            }
            None => None,
        };
        let mut concluded = match permit.proposes() {
            true => self.propose(operation, &paths).await?,
            false => self.close(&entry, now, passed).await?,
        };
        let gate = match trial {
            Some(trial) => trial.measure(service, permit).await,
            None => passed.measure(),
        };
        let saved = tried.as_ref().filter(|_| concluded.proposed.is_some());
        let advised = saved.map(|(_, saved)| advised_of(saved, &resources_of(&all)));
        let impact = match tried {
            Some((base, saved)) => service.impact_of(permit, base, saved).await,
            None => None,
        };
        if let Some(proposal) = &mut concluded.proposed {
            let (found, advised) = ((impact.clone(), gate), advised.unwrap_or_default());
            (service.keep_findings(permit, proposal, found, advised)).await?;
        }
        if !is_saved || impact.is_some() || gate.is_some() {
            let impact = impact.filter(|_| wants_impact);
            report(permit, paths, (impact, gate), (&concluded, now));
        }
        Ok(ChangeEnd::Over(Box::new(concluded)))
    }

    /// Stores the change as a proposal in place of saving it; in a dry run, says what it would become.
    async fn propose(
        self,
        operation: &str,
        paths: &[FieldChange],
    ) -> Result<Concluded, OperationError> {
        let revision = self.write.before().config_revision;
        let touched = resources_of(paths).into_iter().map(str::to_owned);
        let pending = PendingProposal {
            operation: operation.to_owned(),
            content: self.proposed,
            touched: touched.collect(),
            target: self.target.map(|(stored, _)| stored),
        };
        let proposing = self.service.propose(self.permit, self.write, pending);
        let proposed = proposing.await?;
        Ok(Concluded { revision, proposed })
    }

    /// Commits and publishes the change, or drops it after a dry run.
    async fn close(
        mut self,
        entry: &AuditEntry,
        now: Timestamp,
        passed: &GatePass,
    ) -> Result<Concluded, OperationError> {
        let proposed = None;
        if self.permit.attempt().dry_run {
            let revision = self.write.before().config_revision;
            return Ok(Concluded { revision, proposed });
        }
        passed.mark(&mut self.write);
        let revision = self.write.commit(entry, now).await?;
        passed.count(self.service);
        if !entry.changes.is_empty() {
            let snapshots = &self.service.snapshots;
            snapshots.configuration_changed(self.permit.store()).await;
        }
        Ok(Concluded { revision, proposed })
    }
}

/// Leaves in the attempt of a change what is told of it beside the result.
fn report(
    permit: &Permit<access::Write>,
    paths: Vec<FieldChange>,
    (impact, gate): (Option<Value>, Option<GateMeasure>),
    (concluded, now): (&Concluded, Timestamp),
) {
    let dry_run = permit.attempt().dry_run;
    let proposed = (permit.proposes() && !dry_run).then(|| match &concluded.proposed {
        Some(proposal) => proposal.report(paths.clone(), now),
        None => Proposed::Nothing,
    });
    permit.attempt().report(WriteReport {
        tried: dry_run.then_some(paths),
        impact,
        gate,
        proposed,
    });
}

/// Returns the changes with paths that begin with their resource, as those of a draft.
fn full_paths(changed: &Changed) -> Vec<FieldChange> {
    let resource = &changed.resource;
    let full = |path: &str| match changed.operation {
        "apply_changes"
        | "restore_revision"
        | "import_configuration"
        | "apply_proposal"
        | "create_proposal" => path.to_owned(),
        "sync_filters" | "import_synonyms_csv" => format!("{resource}/{path}"),
        _ => format!("{resource}.{path}"),
    };
    let changes = changed.changes.iter().map(|change| FieldChange {
        path: full(&change.path),
        ..change.clone()
    });
    changes.collect()
}

/// Returns whether changes can move results.
fn moves_results(changes: &[FieldChange]) -> bool {
    resources_of(changes).into_iter().any(is_ranking)
}

/// Fails if a change makes the records of a store exceed their limits. A change that makes them smaller always passes.
fn check_configuration_size(
    before: ConfigurationSize,
    after: ConfigurationSize,
) -> Result<(), OperationError> {
    if after.bytes <= CONFIGURATION_BYTES_MAX && after.languages <= RECORD_LANGUAGES_MAX {
        return Ok(());
    }
    if after.bytes > CONFIGURATION_BYTES_MAX.max(before.bytes) {
        return Err(OperationError::PlanLimit {
            message: message::limit::configuration_bytes(CONFIGURATION_BYTES_MAX),
            details: json!({"max": CONFIGURATION_BYTES_MAX, "bytes": after.bytes}),
        });
    }
    if after.languages > RECORD_LANGUAGES_MAX.max(before.languages) {
        return Err(OperationError::PlanLimit {
            message: message::limit::record_languages(RECORD_LANGUAGES_MAX),
            details: json!({"max": RECORD_LANGUAGES_MAX, "languages": after.languages}),
        });
    }
    Ok(())
}
