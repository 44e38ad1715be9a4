//! `ConfigurationChange`: one write of a store's configuration, from its transaction until it is published.

use crate::access::daily_changes::check_daily_changes;
use crate::configuration::editable::Edit;
use crate::message;
use crate::runtime::ids;
use crate::{OperationError, Service};
use domain::audit::{AuditEntry, FieldChange};
use domain::limits::{CONFIGURATION_BYTES_MAX, RECORD_LANGUAGES_MAX};
use domain::{Message, Permit, access};
use serde_json::json;
use storage::ConfigurationWrite;

/// An open change of a store's configuration. It is rolled back if dropped without [`ConfigurationChange::commit`].
pub(crate) struct ConfigurationChange<'a> {
    service: &'a Service,
    permit: &'a Permit<access::Write>,
    /// The transaction. What it reads is the state that it replaces.
    pub write: ConfigurationWrite,
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
        let write = service.begin(permit).await?;
        Ok(Self {
            service,
            permit,
            write,
        })
    }

    /// Returns what the writes of this change share.
    pub fn edit(&self) -> Edit {
        let patterns = self.service.snapshots.pattern_bytes(self.permit.store());
        Edit::new(self.service.clock.now(), patterns, |_| ids::group())
    }

    /// Commits the change with its audit record, publishes it, and returns the revision that is then current.
    ///
    /// A change without effect is audited, but creates no revision and is not published.
    pub async fn commit(self, changed: Changed) -> Result<i64, OperationError> {
        let Self {
            service,
            permit,
            mut write,
        } = self;
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
            check_configuration_size(service, permit, &mut write).await?;
        }
        let revision = write.commit(&entry, now).await?;
        if !entry.changes.is_empty() {
            service
                .snapshots
                .configuration_changed(permit.store())
                .await;
        }
        Ok(revision)
    }
}

/// Fails if a change makes the records of a store exceed their limits. A change that makes them smaller always passes.
async fn check_configuration_size(
    service: &Service,
    permit: &Permit<access::Write>,
    write: &mut ConfigurationWrite,
) -> Result<(), OperationError> {
    let after = write.configuration_size().await?;
    if after.bytes <= CONFIGURATION_BYTES_MAX && after.languages <= RECORD_LANGUAGES_MAX {
        return Ok(());
    }
    let before = service.storage.configuration_size(permit).await?;
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
