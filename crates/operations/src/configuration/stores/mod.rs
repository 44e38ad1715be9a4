//! The stores of an account: list, get, update, delete; create and set by the operator and by users.

mod create;
mod detail;
mod details;
mod remove;
mod set;

pub use create::{CreatedStore, NewStore, StoreRequest, create, create_in_account};
pub use detail::{
    ConnectorView, Counters, GateView, IndexView, StoreConfig, StoreDetail, WidgetSummary,
};
pub use details::{DetailsPatch, SettableStatus, StoreDetails, get_details, set_details};
pub use remove::{ClosedStore, close, list_closed, reopen};
pub use set::{GateChange, SettingsInForce, StoreSettings, set};

use crate::configuration::change::{self, Changed};
use crate::configuration::editable::EditableConfiguration;
use crate::configuration::records::Deleted;
use crate::message;
use crate::service::run_to_completion;
use crate::{OperationError, Precondition, Revisioned, Service};
use domain::audit::FieldChange;
use domain::store::{Store, StoreChange, StorePatch, StoreSummary};
use domain::{Caller, Permit, Scope, StoreId, access, error_codes};
use serde_json::{Value, json};

/// Returns the stores that the caller can access, the oldest first: that of its key, or all of the account.
pub async fn list(service: &Service, caller: &Caller) -> Result<Vec<StoreSummary>, OperationError> {
    access::configuration(caller, Scope::Read)?;
    let Some(key) = caller.key() else {
        return list_all(service, caller).await;
    };
    let mut list = Vec::with_capacity(key.account_stores.len());
    for id in key.account_stores.iter() {
        let permit = access::read(caller, id)?;
        let store = service.storage.store(&permit).await?;
        list.extend(store.as_ref().map(Store::summary));
    }
    Ok(list)
}

/// Returns all stores of all accounts, for the operator.
pub async fn list_all(
    service: &Service,
    caller: &Caller,
) -> Result<Vec<StoreSummary>, OperationError> {
    access::operator(caller)?;
    let stores = service.storage.stores().await?;
    Ok(stores.iter().map(Store::summary).collect())
}

/// Returns one store with its indices, counters and connector.
pub async fn get(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
) -> Result<(StoreDetail, Revisioned), OperationError> {
    let permit = access::read(caller, store)?;
    let store = service.store(&permit).await?;
    detail::of(service, &permit, store).await
}

/// Updates the name or the development URL of a store.
///
/// Errors: `Invalid` with all invalid values by path; `Stale` if the precondition does not hold.
pub async fn update(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
    patch: StorePatch,
    precondition: Precondition,
) -> Result<(StoreDetail, Revisioned), OperationError> {
    let permit = access::change(caller, store)?;
    let change = patch.check().map_err(OperationError::Invalid)?;
    let service = service.clone();
    run_to_completion(async move {
        let store = save(&service, &permit, change, &precondition).await?;
        detail::of(&service, &permit, store).await
    })
    .await
}

/// Always fails: deleting a store is reserved to the control panel.
///
/// Errors: `Forbidden`; an insufficient scope or another store is reported first.
pub fn delete(caller: &Caller, store: &StoreId) -> Result<Deleted, OperationError> {
    access::change(caller, store)?;
    Err(OperationError::forbidden(
        error_codes::RESERVED,
        message::access::deletes_in_panel(),
    ))
}

/// Commits the change and returns the store.
async fn save(
    service: &Service,
    permit: &Permit<access::Write>,
    change: StoreChange,
    precondition: &Precondition,
) -> Result<Store, OperationError> {
    let precondition = precondition.clone();
    let written = change::write(service, permit, move |open| {
        let (change, precondition) = (change.clone(), precondition.clone());
        Box::pin(async move {
            let updated = update_in(&mut open.write, change, &precondition);
            let (after, changes) = updated.await?;
            let summary = if changes.is_empty() {
                message::saved::store_unchanged()
            } else {
                message::saved::store()
            };
            let changed = Changed {
                operation: "update_store",
                resource: "store".to_owned(),
                summary,
                changes,
            };
            Ok((changed, after))
        })
    });
    let (after, config_revision) = written.await?;
    Ok(Store {
        config_revision,
        ..after
    })
}

/// Updates name and development URL within a change; returns the store, with the fields that differ.
pub(crate) async fn update_in(
    state: &mut impl EditableConfiguration,
    change: StoreChange,
    precondition: &Precondition,
) -> Result<(Store, Vec<FieldChange>), OperationError> {
    let before = state.store();
    let mut after = before.clone();
    after.name = change.name.map_or(after.name, String::from);
    after.dev_url = change.dev_url.map_or(after.dev_url, String::from);
    let changes = precondition.changes(&content(before), &content(&after))?;
    if !changes.is_empty() {
        state.save_store(&after.name, &after.dev_url).await?;
    }
    Ok((after, changes))
}

/// Returns the properties of a store that a key may change.
pub(crate) fn content(store: &Store) -> Value {
    json!({"name": store.name, "devUrl": store.dev_url})
}
