//! Deletion of stores: a store is closed at once, can be reopened for some days, and is then removed in portions.

use crate::access::permits::{permit_for, require_on_store};
use crate::message;
use crate::service::run_to_completion;
use crate::{OperationError, Service};
use domain::audit::AuditEntry;
use domain::limits::CLOSED_STORE_DAYS;
use domain::{AccountId, Caller, StoreId, Timestamp, access};
use serde::Serialize;
use storage::{AuditSubject, ClosedStoreRow};

/// A store that was closed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ClosedStore {
    /// Its id.
    pub id: StoreId,
    /// Its name.
    pub name: String,
    /// When it was closed.
    pub closed_at: Timestamp,
    /// When it is removed for good, unless it is reopened before.
    pub removed_from: Timestamp,
    /// How much of it is removed in percent, once its removal has begun.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub removed_percent: Option<u8>,
}

impl From<ClosedStoreRow> for ClosedStore {
    fn from(row: ClosedStoreRow) -> Self {
        Self {
            removed_from: row.closed_at.plus_hours(24 * CLOSED_STORE_DAYS),
            id: row.id,
            name: row.name,
            closed_at: row.closed_at,
            removed_percent: row.removed_percent,
        }
    }
}

/// Closes a store: its keys, search, feed and configuration end at once. Some days later it is removed.
///
/// Errors: `Invalid` unless `name` is exactly that of the store; `NotFound` for a store that the caller does not reach or
/// that is closed already; `Forbidden` for keys, a lesser role, or without the password.
pub async fn close(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
    name: String,
) -> Result<ClosedStore, OperationError> {
    const NOT_FOUND: OperationError = OperationError::NotFound {
        what: message::noun::store,
    };
    require_on_store(caller, "remove_store", store)?;
    let permit = permit_for(service, caller, "remove_store", None, Some(store)).await?;
    let known = service.storage.store(&access::read(caller, store)?).await?;
    if known.ok_or(NOT_FOUND)?.name != name {
        let reason = message::store::exact_name();
        return Err(OperationError::invalid("name", reason));
    }
    let now = service.clock.now();
    let entry = AuditEntry {
        actor: permit.actor().clone(),
        operation: "remove_store".to_owned(),
        resource: "store".to_owned(),
        summary: message::audited::store_closed(&name, CLOSED_STORE_DAYS),
        changes: Vec::new(),
        request_id: permit.request_id().map(str::to_owned),
    };
    let row = ClosedStoreRow {
        id: store.clone(),
        account: permit.account().clone(),
        name,
        closed_at: now,
        removed_percent: None,
    };
    let service = service.clone();
    run_to_completion(async move {
        let mut change = service.storage.administer_account(&permit).await?;
        if !change.close_store(&permit, &row.id, &row.name, now).await? {
            return Err(NOT_FOUND);
        }
        change.commit(&entry, &subject(&row), now).await?;
        service.indexing.close_store(&row.id).await;
        service.search_log.popular().forget(&row.id);
        Ok(row.into())
    })
    .await
}

/// Opens a closed store again, with everything that it had.
///
/// Errors: `NotFound` for a store that is not closed, or that was closed too long ago.
pub async fn reopen(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
) -> Result<ClosedStore, OperationError> {
    let permit = access::operator(caller)?;
    let store = store.clone();
    let request_id = caller.request_id.clone();
    let service = service.clone();
    run_to_completion(async move {
        let now = service.clock.now();
        let after = now.plus_hours(-24 * CLOSED_STORE_DAYS);
        let mut change = service.storage.administer(&permit).await?;
        let row = change.reopen_store(&store, after).await?;
        let what = message::noun::closed_store;
        let row = row.ok_or(OperationError::NotFound { what })?;
        let entry = AuditEntry {
            actor: permit.actor().clone(),
            operation: "reopen_store".to_owned(),
            resource: "store".to_owned(),
            summary: message::audited::store_reopened(&row.name),
            changes: Vec::new(),
            request_id,
        };
        change.commit(&entry, &subject(&row), now).await?;
        Ok(row.into())
    })
    .await
}

/// Returns the closed stores of an account, the first one to be removed first; without one all, for the operator.
///
/// Errors: `NotFound` for an account that the caller does not reach; `Forbidden` for keys or a lesser role.
pub async fn list_closed(
    service: &Service,
    caller: &Caller,
    account: Option<&AccountId>,
) -> Result<Vec<ClosedStore>, OperationError> {
    const ID: &str = "list_closed_stores";
    let permit = match account {
        Some(_) => Some(permit_for(service, caller, ID, account, None).await?),
        None => {
            access::operator(caller)?;
            None
        }
    };
    let rows = service.storage.closed_stores(permit.as_ref()).await?;
    Ok(rows.into_iter().map(ClosedStore::from).collect())
}

fn subject(row: &ClosedStoreRow) -> AuditSubject {
    AuditSubject {
        account: Some(row.account.clone()),
        store: Some(row.id.clone()),
    }
}
