//! `ConfigurationChange`: one write of a store's configuration, from its transaction until it is published.

use crate::access::daily_changes::check_daily_changes;
use crate::access::rates;
use crate::configuration::carried::{carried_over, resources_of};
use crate::configuration::editable::Edit;
use crate::message;
use crate::runtime::ids;
use crate::snapshots::snapshot::StoreSnapshot;
use crate::{OperationError, Service};
use domain::audit::{AuditEntry, FieldChange};
use domain::limits::{CONFIGURATION_BYTES_MAX, RECORD_LANGUAGES_MAX};
use domain::{Message, Permit, WriteReport, access};
use serde_json::json;
use std::sync::Arc;
use storage::{ConfigurationSize, ConfigurationWrite};

/// An open change of a store's configuration. It is rolled back if dropped without [`ConfigurationChange::commit`].
pub(crate) struct ConfigurationChange<'a> {
    service: &'a Service,
    permit: &'a Permit<access::Write>,
    /// The base of an impact, if one is wanted.
    base: Option<Arc<StoreSnapshot>>,
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

impl<'a> ConfigurationChange<'a> {
    /// Opens a change of the store that `permit` names.
    ///
    /// Errors: `NotFound` for an unknown store.
    pub async fn begin(
        service: &'a Service,
        permit: &'a Permit<access::Write>,
    ) -> Result<Self, OperationError> {
        // Opening a store may take time, so it is done before the transaction occupies the single writer.
        let base = match permit.attempt().wants_impact() {
            true => Some(service.snapshots.latest(permit.store()).await?),
            false => None,
        };
        if service.storage.is_on_server() {
            // What another server saved counts for the limit of patterns, which is checked against what is open here.
            let _ = service.snapshots.latest(permit.store()).await;
        }
        let mut write = service.begin(permit).await?;
        let before = write.configuration_size().await?;
        Ok(Self {
            service,
            permit,
            base,
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

    /// Commits the change with its audit record, publishes it, and returns the revision that is then current.
    ///
    /// A change without effect is audited, but creates no revision and is not published. A dry run ends here, after all
    /// checks, without a commit, and leaves what it would change in its report.
    pub async fn commit(self, changed: Changed) -> Result<i64, OperationError> {
        let Self {
            service,
            permit,
            base,
            mut write,
            before,
        } = self;
        let mut paths = full_paths(&changed);
        paths.extend(write.unrevised().iter().cloned());
        let entry = AuditEntry {
            actor: permit.actor().clone(),
            operation: changed.operation.to_owned(),
            resource: changed.resource,
            summary: changed.summary,
            changes: changed.changes,
            request_id: permit.request_id().map(str::to_owned),
        };
        let now = service.clock.now();
        check_daily_changes(write.changed_today(&entry, now).await?, now)?;
        if !entry.changes.is_empty() {
            check_configuration_size(before, write.configuration_size().await?)?;
        }
        let tried = match base.filter(|_| moves_results(&paths)) {
            Some(base) => {
                rates::spend_impact(service, permit.actor())?;
                let saved = carried_over(&mut write, &base, &resources_of(&paths)).await?;
                Some((base, saved))
            }
            None => None,
        };
        let dry_run = permit.attempt().dry_run;
        let revision = if dry_run {
            let revision = write.before().config_revision;
            drop(write);
            revision
        } else {
            let revision = write.commit(&entry, now).await?;
            if !entry.changes.is_empty() {
                service
                    .snapshots
                    .configuration_changed(permit.store())
                    .await;
            }
            revision
        };
        if dry_run || tried.is_some() {
            let impact = match tried {
                Some((base, saved)) => service.impact_of(permit, base, saved).await,
                None => None,
            };
            permit.attempt().report(WriteReport {
                tried: dry_run.then_some(paths),
                impact,
            });
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
    let moves = |resource: &str| {
        resource == "relevance"
            || resource.starts_with("synonyms/")
            || resource.starts_with("rules/")
    };
    resources_of(changes).into_iter().any(moves)
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
