//! `write`: one write of a store's configuration, from its transaction until it is published. Every write of it passes here,
//! and every one that can move results passes the gate of its store here.

use crate::access::daily_changes::check_daily_changes;
use crate::access::rates;
use crate::configuration::carried::{carried_over, is_ranking, resources_of};
use crate::configuration::editable::Edit;
use crate::configuration::gate::{Armed, GatePass, GateTrial};
use crate::message;
use crate::runtime::ids;
use crate::snapshots::snapshot::StoreSnapshot;
use crate::{OperationError, Service};
use domain::audit::{AuditEntry, FieldChange};
use domain::limits::{CONFIGURATION_BYTES_MAX, RECORD_LANGUAGES_MAX};
use domain::{Message, Permit, Timestamp, WriteReport, access};
use serde_json::json;
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
enum End {
    /// It is saved, or was a dry run; this revision is current.
    Over(i64),
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
            End::Over(revision) => return Ok((value, revision)),
            End::Gate(trial) => passed.pass(service, permit, *trial).await?,
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
        let base = match is_guarded || permit.attempt().wants_impact() {
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
        Ok(Self {
            service,
            permit,
            base,
            armed,
            write,
            before,
        })
    }

    /// Returns what the writes of this change share.
    pub fn edit(&self) -> Edit {
        let patterns = self.service.snapshots.pattern_bytes(self.permit.store());
        Edit::new(self.service.clock.now(), patterns, |_| ids::group())
    }

    /// Returns whether nothing is saved.
    pub fn is_dry_run(&self) -> bool {
        self.permit.attempt().dry_run
    }

    /// Returns the id of the `at`-th record that the change creates, in a dry run a provisional one.
    pub fn new_id<Id: From<String>>(&self, at: usize, make: fn() -> Id) -> Id {
        match self.is_dry_run() {
            true => Id::from(format!("draft:{at}")),
            false => make(),
        }
    }

    /// Commits the change with its audit record, publishes it, and returns the revision that is then current, unless the
    /// change has to pass the gate first.
    ///
    /// A change without effect is audited, but creates no revision and is not published. A dry run ends here, after all
    /// checks, without a commit, and leaves what it would change in its report.
    async fn end(mut self, changed: Changed, passed: &mut GatePass) -> Result<End, OperationError> {
        let (service, permit) = (self.service, self.permit);
        let mut paths = full_paths(&changed);
        paths.extend(self.write.unrevised().iter().cloned());
        let entry = changed.entry(permit);
        let now = service.clock.now();
        check_daily_changes(self.write.changed_today(&entry, now).await?, now)?;
        if !entry.changes.is_empty() {
            check_configuration_size(self.before, self.write.configuration_size().await?)?;
        }
        let base = self.base.take().filter(|_| moves_results(&paths));
        let wants_impact = permit.attempt().wants_impact() && base.is_some();
        if wants_impact && !std::mem::replace(&mut passed.is_impact_paid, true) {
            rates::spend_impact(service, permit.actor())?;
        }
        let dry_run = permit.attempt().dry_run;
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
        if let Some(trial) = trial.take_if(|_| !dry_run) {
            return Ok(End::Gate(Box::new(trial)));
        }
        let tried = match base.filter(|_| wants_impact) {
            Some(base) => {
                let saved = carried_over(&mut self.write, &base, &resources_of(&paths)).await?;
                Some((base, saved))
            }
            None => None,
        };
        let revision = self.close(&entry, now, passed).await?;
        let gate = match trial {
            Some(trial) => trial.measure(service, permit).await,
            None => passed.measure(),
        };
        let impact = match tried {
            Some((base, saved)) => service.impact_of(permit, base, saved).await,
            None => None,
        };
        if dry_run || impact.is_some() || gate.is_some() {
            permit.attempt().report(WriteReport {
                tried: dry_run.then_some(paths),
                impact,
                gate,
            });
        }
        Ok(End::Over(revision))
    }

    /// Commits and publishes the change, or drops it after a dry run; returns the revision that is then current.
    async fn close(
        mut self,
        entry: &AuditEntry,
        now: Timestamp,
        passed: &GatePass,
    ) -> Result<i64, OperationError> {
        if self.is_dry_run() {
            return Ok(self.write.before().config_revision);
        }
        passed.mark(&mut self.write);
        let revision = self.write.commit(entry, now).await?;
        passed.count(self.service);
        if !entry.changes.is_empty() {
            let snapshots = &self.service.snapshots;
            snapshots.configuration_changed(self.permit.store()).await;
        }
        Ok(revision)
    }
}

/// Returns the changes with paths that begin with their resource, as those of a draft.
fn full_paths(changed: &Changed) -> Vec<FieldChange> {
    let resource = &changed.resource;
    let full = |path: &str| match changed.operation {
        "apply_changes" | "restore_revision" | "import_configuration" => path.to_owned(),
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
