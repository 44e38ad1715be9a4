//! `Change`: one write of a store's configuration, from its transaction to the moment it is in effect.

use crate::{OperationError, Service};
use domain::audit::{AuditEntry, FieldChange};
use domain::{Permit, access};
use storage::Write;

/// An open change of a store's configuration. Dropped without [`Change::commit`], it never happened.
pub(crate) struct Change<'a> {
    service: &'a Service,
    permit: &'a Permit<access::Write>,
    /// The transaction; what it reads is what it replaces.
    pub write: Write,
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

impl<'a> Change<'a> {
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
            write,
        } = self;
        let entry = AuditEntry {
            actor: permit.actor().clone(),
            operation: changed.operation.to_owned(),
            resource: changed.resource,
            summary: changed.summary,
            changes: changed.changes,
            request_id: permit.request_id().map(str::to_owned),
        };
        let revision = write.commit(&entry, service.clock.now()).await?;
        if !entry.changes.is_empty() {
            service.indexing.configuration_changed(permit.store()).await;
        }
        Ok(revision)
    }
}
