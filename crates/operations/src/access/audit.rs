//! The audit trail: all of it for the operator, that of an account or store for its users.

mod pages;

pub use pages::{
    AuditPortions, ListedRecord, of_account, of_store, portions_of_account, portions_of_store,
};

use crate::message;
use crate::{OperationError, Service};
use domain::access::OperatorPermit;
use domain::audit::{Actor, AuditFilter, FieldChange};
use domain::limits::AUDIT_LIMIT_MAX;
use domain::{AccountId, Caller, StoreId, Timestamp, Translatable, access};
use serde::Serialize;
use storage::AuditRow;

/// One record of the audit trail (`docs/api.md`).
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AuditRecord {
    /// Number; later records have higher ones.
    pub id: i64,
    /// Time of the write.
    pub at: Timestamp,
    /// Who wrote.
    pub actor: Actor,
    /// Id of the operation.
    pub operation: String,
    /// What was written.
    pub resource: String,
    /// The account concerned, if the record names one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub account_id: Option<AccountId>,
    /// The store concerned, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub store_id: Option<StoreId>,
    /// One line for people.
    pub summary: String,
    /// Key and values of the summary; left out of records that were written before summaries had any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub translatable: Option<Translatable>,
    /// Changed fields with their values before and after; empty if the write changed nothing.
    pub changes: Vec<FieldChange>,
    /// Id of the request; `None` for the command line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
    /// Revision that the write created, if it changed a store's configuration.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revision: Option<i64>,
    /// Why it was written, in the words of its author.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// Whether it was saved although the gate of the store did not let it through.
    #[serde(skip_serializing_if = "is_false")]
    pub forced: bool,
}

fn is_false(flag: &bool) -> bool {
    !flag
}

impl From<AuditRow> for AuditRecord {
    fn from(row: AuditRow) -> Self {
        Self {
            id: row.id,
            at: row.at,
            actor: row.actor,
            operation: row.operation,
            resource: row.resource,
            account_id: row.account,
            store_id: row.store,
            summary: row.summary,
            translatable: row.translatable,
            changes: row.changes,
            request_id: row.request_id,
            revision: row.revision,
            note: row.note,
            forced: row.forced,
        }
    }
}

/// Returns the records that match `filter`, the newest first.
///
/// Errors: `Invalid` for a limit out of range; `NotFound` for a store or key that neither exists nor has records, as one
/// that was removed has: its list would otherwise be empty like that of an unused one.
pub async fn list(
    service: &Service,
    caller: &Caller,
    filter: AuditFilter,
) -> Result<Vec<AuditRecord>, OperationError> {
    let operator = access::operator(caller)?;
    if !(1..=AUDIT_LIMIT_MAX).contains(&filter.limit) {
        let reason = message::number::between(1, AUDIT_LIMIT_MAX, filter.limit);
        return Err(OperationError::invalid("limit", reason));
    }
    let rows = service.storage.audit(&operator, &filter).await?;
    if rows.is_empty() {
        require_existing(service, caller, &operator, &filter).await?;
    }
    Ok(rows.into_iter().map(AuditRecord::from).collect())
}

/// Fails if the store or the key of `filter` never existed.
async fn require_existing(
    service: &Service,
    caller: &Caller,
    operator: &OperatorPermit,
    filter: &AuditFilter,
) -> Result<(), OperationError> {
    let storage = &service.storage;
    let has_records = async |about: AuditFilter| {
        let one = AuditFilter { limit: 1, ..about };
        let rows = storage.audit(operator, &one).await;
        rows.map(|rows| !rows.is_empty())
    };
    if let Some(store) = &filter.store {
        let about = AuditFilter {
            store: Some(store.clone()),
            ..AuditFilter::default()
        };
        let exists = storage
            .store(&access::read(caller, store)?)
            .await?
            .is_some();
        if !exists && !has_records(about).await? {
            return Err(OperationError::NotFound {
                what: message::noun::store,
            });
        }
    }
    if let Some(key) = &filter.key {
        let about = AuditFilter {
            key: Some(key.clone()),
            ..AuditFilter::default()
        };
        if storage.key(key).await?.is_none() && !has_records(about).await? {
            return Err(OperationError::NotFound {
                what: message::noun::key,
            });
        }
    }
    Ok(())
}
