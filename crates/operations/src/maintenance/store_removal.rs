//! Removes a closed store at once, for the operator, in place of after some days.

use super::jobs::{closed_stores, search_log};
use crate::configuration::stores::ClosedStore;
use crate::message;
use crate::service::run_to_completion;
use crate::{OperationError, Service};
use domain::audit::AuditEntry;
use domain::{Caller, StoreId, access};
use storage::AuditSubject;

/// Removes a closed store whose name is exactly `name`, with its statistics; its audit trail stays. Returns when nothing
/// else is left of it. If the process ends before, the next start of a server goes on.
///
/// Errors: `Invalid` for a store that is not closed, or that has another name; `NotFound` for an unknown one.
pub async fn remove_now(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
    name: &str,
) -> Result<ClosedStore, OperationError> {
    let permit = access::operator(caller)?;
    let closed = service.storage.closed_stores(None).await?;
    let Some(row) = closed.into_iter().find(|row| row.id == *store) else {
        return Err(not_closed(service, caller, store).await?);
    };
    if row.name != name {
        let reason = message::store::exact_name();
        return Err(OperationError::invalid("name", reason));
    }
    let now = service.clock.now();
    let entry = AuditEntry {
        actor: permit.actor().clone(),
        operation: "remove_store_now".to_owned(),
        resource: "store".to_owned(),
        summary: message::audited::store_removed(&row.name),
        changes: Vec::new(),
        request_id: caller.request_id.clone(),
    };
    let subject = AuditSubject {
        account: Some(row.account.clone()),
        store: Some(row.id.clone()),
    };
    let service = service.clone();
    run_to_completion(async move {
        let mut change = service.storage.administer(&permit).await?;
        if !change.begin_removal(&row.id, &row.name).await? {
            // It was opened, or removed, in the meantime.
            return Err(OperationError::NotFound {
                what: message::noun::closed_store,
            });
        }
        change.commit(&entry, &subject, now).await?;
        closed_stores::remove(&service, &row.id).await?;
        search_log::clean(&service).await?;
        Ok(ClosedStore {
            removed_from: now,
            removed_percent: Some(100),
            ..row.into()
        })
    })
    .await
}

/// Returns why a store that is not among the closed ones cannot be removed.
async fn not_closed(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
) -> Result<OperationError, OperationError> {
    let open = service.storage.store(&access::read(caller, store)?).await?;
    Ok(match open {
        Some(_) => OperationError::invalid("store", message::store::not_closed()),
        None => OperationError::NotFound {
            what: message::noun::store,
        },
    })
}
