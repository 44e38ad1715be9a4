//! `ConfigurationChange`: one write of a store's configuration, from its transaction to the moment it is in effect.

use crate::{OperationError, Service};
use domain::audit::{AuditEntry, FieldChange};
use domain::limits::{CHANGED_BYTES_PER_DAY, CONFIGURATION_BYTES_MAX, RECORD_LANGUAGES_MAX};
use domain::{Permit, Timestamp, access};
use serde_json::json;
use storage::ConfigurationWrite;

/// An open change of a store's configuration. Dropped without [`ConfigurationChange::commit`], it never happened.
pub(crate) struct ConfigurationChange<'a> {
    service: &'a Service,
    permit: &'a Permit<access::Write>,
    /// The transaction; what it reads is what it replaces.
    pub write: ConfigurationWrite,
}

/// What a change did to one resource.
pub(crate) struct Changed {
    /// Id of the operation.
    pub operation: &'static str,
    /// The resource, such as `relevance` or `rules/<id>`.
    pub resource: String,
    /// One line for people.
    pub summary: String,
    /// Fields before and after; empty when nothing changed.
    pub changes: Vec<FieldChange>,
}

impl<'a> ConfigurationChange<'a> {
    /// Opens a change of the store that `permit` names.
    ///
    /// Errors: not found when there is no such store.
    pub async fn begin(
        service: &'a Service,
        permit: &'a Permit<access::Write>,
    ) -> Result<Self, OperationError> {
        let write = service
            .storage
            .begin(permit)
            .await?
            .ok_or(OperationError::NotFound { what: "store" })?;
        Ok(Self {
            service,
            permit,
            write,
        })
    }

    /// Commits the change with its audit record, publishes it, and answers the revision that holds afterwards.
    ///
    /// One that changed nothing is audited and leaves the revision and what is published alone.
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
        refuse_too_much(write.changed_today(&entry, now).await?, now)?;
        if !entry.changes.is_empty() {
            refuse_too_large(service, permit, &mut write).await?;
        }
        let revision = write.commit(&entry, now).await?;
        if !entry.changes.is_empty() {
            service.indexing.configuration_changed(permit.store()).await;
        }
        Ok(revision)
    }
}

const DAY_MS: i64 = 86_400_000;

/// Refuses a change with which those of the day of `now` come to `bytes`, where that is too much, until the day is over.
pub(crate) fn refuse_too_much(bytes: u64, now: Timestamp) -> Result<(), OperationError> {
    if bytes <= CHANGED_BYTES_PER_DAY {
        return Ok(());
    }
    let left_ms = (DAY_MS - now.0.rem_euclid(DAY_MS)).unsigned_abs();
    Err(OperationError::TooMany {
        message: format!(
            "the changes of the store come to more than {CHANGED_BYTES_PER_DAY} bytes today"
        ),
        retry_after_s: left_ms.div_ceil(1_000),
    })
}

/// Refuses a change that makes the records of a store larger than they may be. One that makes them smaller is taken,
/// however large they are.
async fn refuse_too_large(
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
            message: format!(
                "the synonym groups, rules, filters and the widget of a store may have \
                 {CONFIGURATION_BYTES_MAX} bytes together"
            ),
            details: json!({"max": CONFIGURATION_BYTES_MAX, "bytes": after.bytes}),
        });
    }
    if after.languages > RECORD_LANGUAGES_MAX.max(before.languages) {
        return Err(OperationError::PlanLimit {
            message: format!(
                "the synonym groups and rules of a store may be in {RECORD_LANGUAGES_MAX} languages"
            ),
            details: json!({"max": RECORD_LANGUAGES_MAX, "languages": after.languages}),
        });
    }
    Ok(())
}
