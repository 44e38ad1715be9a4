//! The stores of an account: listed, looked at, changed, made.

mod create;
mod detail;

pub use create::{CreatedStore, NewStore, create};
pub use detail::{ConnectorView, Counters, IndexView, StoreConfig, StoreDetail};

use crate::service::to_the_end;
use crate::{OperationError, Revisioned, Service};
use domain::audit::{AuditEntry, differences};
use domain::store::{Store, StorePatch, StoreSummary};
use domain::{Caller, Permit, Scope, StoreId, access};
use serde_json::{Value, json};

/// The stores that the caller reaches, the oldest first: its key's own, or all of the account.
pub async fn list(service: &Service, caller: &Caller) -> Result<Vec<StoreSummary>, OperationError> {
    access::configuration(caller, Scope::Read)?;
    let Some(key) = caller.key() else {
        return list_all(service, caller).await;
    };
    let mut list = Vec::with_capacity(key.account_stores.len());
    for id in key.account_stores.iter() {
        let store = service.storage.store(id).await?;
        list.extend(store.as_ref().map(Store::summary));
    }
    Ok(list)
}

/// All stores of all accounts, for the operator.
pub async fn list_all(
    service: &Service,
    caller: &Caller,
) -> Result<Vec<StoreSummary>, OperationError> {
    access::operator(caller)?;
    let stores = service.storage.stores().await?;
    Ok(stores.iter().map(Store::summary).collect())
}

/// One store with its indices, counters and connector.
pub async fn get(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
) -> Result<(StoreDetail, Revisioned), OperationError> {
    let permit = access::read(caller, store)?;
    let store = service
        .storage
        .store(permit.store())
        .await?
        .ok_or(OperationError::NotFound { what: "store" })?;
    detail::of(service, store).await
}

/// Changes the name or the development address of a store.
///
/// Errors: everything that is wrong with the change, by its path.
pub async fn update(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
    patch: StorePatch,
) -> Result<(StoreDetail, Revisioned), OperationError> {
    let permit = access::write(caller, store)?;
    patch.check().map_err(OperationError::Invalid)?;
    let service = service.clone();
    to_the_end(async move {
        save(&service, &permit, patch).await?;
        let store = service
            .storage
            .store(permit.store())
            .await?
            .ok_or(OperationError::NotFound { what: "store" })?;
        detail::of(&service, store).await
    })
    .await
}

async fn save(
    service: &Service,
    permit: &Permit<access::Write>,
    patch: StorePatch,
) -> Result<(), OperationError> {
    let mut write = service
        .storage
        .begin(permit)
        .await?
        .ok_or(OperationError::NotFound { what: "store" })?;
    let before = write.before().clone();
    let name = patch.name.unwrap_or_else(|| before.name.clone());
    let dev_url = patch.dev_url.unwrap_or_else(|| before.dev_url.clone());
    let changes = differences(
        &content(&before.name, &before.dev_url),
        &content(&name, &dev_url),
    );
    let changed = !changes.is_empty();
    if changed {
        write.save_store(&name, &dev_url).await?;
    }
    let summary = if changed {
        "Store saved."
    } else {
        "Store saved without a change."
    };
    let entry = AuditEntry {
        actor: permit.actor().clone(),
        operation: "update_store".to_owned(),
        resource: "store".to_owned(),
        summary: summary.to_owned(),
        changes,
        request_id: permit.request_id().map(str::to_owned),
    };
    write.commit(&entry, service.clock.now()).await?;
    if changed {
        service.indexing.configuration_changed(permit.store()).await;
    }
    Ok(())
}

/// What a key may change of a store.
fn content(name: &str, dev_url: &str) -> Value {
    json!({"name": name, "devUrl": dev_url})
}
