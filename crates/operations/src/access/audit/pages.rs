//! The audit trail of one store or account, for its users: by page, or as a whole in portions.

use super::AuditRecord;
use crate::access::permits::{permit_for, require_on_store};
use crate::{OperationError, Service};
use domain::audit::{AuditQuery, AuditSelection};
use domain::page::Meta;
use domain::{AccountId, Caller, StoreId, access};
use serde::Serialize;
use storage::AuditScope;

/// A record of a page.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ListedRecord {
    /// The record.
    #[serde(flatten)]
    pub record: AuditRecord,
    /// Whether its changes are left out, because they are large. A download contains them.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub changes_left_out: bool,
}

/// Returns a page of the audit trail of a store, the newest record first.
///
/// Errors: `NotFound` for a store that the caller does not reach.
pub async fn of_store(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
    query: AuditQuery,
) -> Result<(Vec<ListedRecord>, Meta), OperationError> {
    page(service, &scope_of_store(caller, store)?, query).await
}

/// Returns a page of the audit trail of an account with all its stores, the newest record first.
///
/// Errors: `NotFound` for an account that the caller does not reach; `Forbidden` if the role does not suffice.
pub async fn of_account(
    service: &Service,
    caller: &Caller,
    account: &AccountId,
    query: AuditQuery,
) -> Result<(Vec<ListedRecord>, Meta), OperationError> {
    let scope = scope_of_account(service, caller, account).await?;
    page(service, &scope, query).await
}

/// Returns the whole audit trail of a store in portions. Errors: those of [`of_store`].
pub fn portions_of_store(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
    query: AuditQuery,
) -> Result<AuditPortions, OperationError> {
    AuditPortions::new(service, scope_of_store(caller, store)?, query)
}

/// Returns the whole audit trail of an account in portions. Errors: those of [`of_account`].
pub async fn portions_of_account(
    service: &Service,
    caller: &Caller,
    account: &AccountId,
    query: AuditQuery,
) -> Result<AuditPortions, OperationError> {
    let scope = scope_of_account(service, caller, account).await?;
    AuditPortions::new(service, scope, query)
}

fn scope_of_store(caller: &Caller, store: &StoreId) -> Result<AuditScope, OperationError> {
    require_on_store(caller, "list_store_audit", store)?;
    Ok(AuditScope::Store(access::read(caller, store)?))
}

async fn scope_of_account(
    service: &Service,
    caller: &Caller,
    account: &AccountId,
) -> Result<AuditScope, OperationError> {
    let permit = permit_for(service, caller, "list_account_audit", Some(account), None).await?;
    Ok(AuditScope::Account(permit))
}

/// Returns the checked query.
///
/// Errors: `Invalid` with all invalid values, as those of query parameters.
fn checked(query: AuditQuery) -> Result<AuditSelection, OperationError> {
    query.check().map_err(|errors| {
        let errors = errors.into_iter().map(|error| error.under("query"));
        OperationError::Invalid(errors.collect())
    })
}

async fn page(
    service: &Service,
    scope: &AuditScope,
    query: AuditQuery,
) -> Result<(Vec<ListedRecord>, Meta), OperationError> {
    let selection = checked(query)?;
    let (rows, total) = service.storage.audit_page(scope, &selection).await?;
    let records = rows.into_iter().map(|(row, left_out)| ListedRecord {
        record: row.into(),
        changes_left_out: left_out,
    });
    let (page, limit) = selection.query.page();
    Ok((records.collect(), Meta::new(page, limit, total)))
}

/// The selected records of an audit trail, the newest first, in portions of some megabytes at most, unless a single
/// record is larger.
pub struct AuditPortions {
    service: Service,
    scope: AuditScope,
    selection: AuditSelection,
    before: i64,
}

impl AuditPortions {
    fn new(
        service: &Service,
        scope: AuditScope,
        query: AuditQuery,
    ) -> Result<Self, OperationError> {
        Ok(Self {
            service: service.clone(),
            scope,
            selection: checked(query)?,
            before: i64::MAX,
        })
    }

    /// Returns the next records; none at the end.
    pub async fn next(&mut self) -> Result<Vec<AuditRecord>, OperationError> {
        let storage = &self.service.storage;
        let rows = storage
            .audit_portion(&self.scope, &self.selection, self.before)
            .await?;
        if let Some(oldest) = rows.last() {
            self.before = oldest.id;
        }
        Ok(rows.into_iter().map(AuditRecord::from).collect())
    }
}
