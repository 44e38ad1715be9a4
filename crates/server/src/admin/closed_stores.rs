//! The requests of the command line about deleted stores, and their execution.

use super::outcome::{AdminFailure, to_json};
use domain::{Caller, StoreId};
use operations::{Service, store_removal, stores};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A request about deleted stores.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "command", rename_all = "snake_case")]
#[expect(missing_docs, reason = "the fields are those of the operations")]
pub enum ClosedStoreRequest {
    /// Closes a store with this name, which is removed some days later.
    Close { store: StoreId, name: String },
    /// Opens a closed store again.
    Reopen { store: StoreId },
    /// Removes a closed store with this name, which cannot be opened again.
    Remove { store: StoreId, name: String },
    /// Lists closed stores.
    List,
}

/// Executes `request` as the operator.
///
/// Errors: the error of the operation, with the messages of the API.
pub async fn execute(
    service: &Service,
    by: &Caller,
    request: ClosedStoreRequest,
) -> Result<Value, AdminFailure> {
    match request {
        ClosedStoreRequest::Close { store, name } => {
            to_json(stores::close(service, by, &store, name).await)
        }
        ClosedStoreRequest::Reopen { store } => to_json(stores::reopen(service, by, &store).await),
        ClosedStoreRequest::Remove { store, name } => {
            to_json(store_removal::remove_now(service, by, &store, &name).await)
        }
        ClosedStoreRequest::List => to_json(stores::list_closed(service, by, None).await),
    }
}
