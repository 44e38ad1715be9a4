//! Sources as users write them: listed, created, updated and deleted, each in one transaction with its audit record.
//! Fetching them is below (`feed::sources`).

mod write;

pub use crate::feed::sources::{
    DueSource, FetchReport, ReceivedVersion, SourceOptions, fetch_now, fetches, finish, give_back,
    last_fetch, renew, store_of, take_due,
};
pub use write::{create, delete, update};

use crate::access::permits::require_on_store;
use crate::configuration::revisioned::Revisioned;
use crate::feed::sources::{Shown, found};
use crate::{OperationError, Service};
use domain::source::SourceView;
use domain::{Caller, SourceId, StoreId, access};
use serde_json::json;
use storage::SourceRow;

/// Returns the sources of a store, the oldest first; a viewer sees no query of an address.
///
/// Errors: `Forbidden` for a key; `NotFound` for an unknown store.
pub async fn list(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
) -> Result<Vec<SourceView>, OperationError> {
    require_on_store(caller, "list_sources", store)?;
    let permit = access::read(caller, store)?;
    service.store(&permit).await?;
    let rows = service.storage.sources(&permit).await?;
    let shown = Shown::of(service, &permit, caller).await?;
    Ok(rows.iter().map(|row| shown.view(row)).collect())
}

/// Returns one source.
///
/// Errors: as [`list`]; `NotFound` for an unknown source.
pub async fn get(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
    id: &SourceId,
) -> Result<(SourceView, Revisioned), OperationError> {
    require_on_store(caller, "get_source", store)?;
    let permit = access::read(caller, store)?;
    let revision = service.store(&permit).await?.config_revision;
    let row = found(service.storage.source(&permit, id).await?)?;
    let shown = Shown::of(service, &permit, caller).await?;
    Ok((shown.view(&row), Revisioned::of(&tagged(&row), revision)))
}

/// What is tagged of a source: all that can be written. A new secret has another seal.
fn tagged(row: &SourceRow) -> serde_json::Value {
    json!({"settings": row.settings, "secret": row.secret})
}
