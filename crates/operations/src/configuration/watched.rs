//! The watched queries of a store: list and set.

use crate::configuration::{gate, records, unrevised};
use crate::message;
use crate::service::run_to_completion;
use crate::{OperationError, Precondition, Revisioned, Service};
use domain::audit::AuditEntry;
use domain::watched::WatchedQueries;
use domain::{Caller, StoreId, access};
use serde_json::json;

/// Returns the watched queries of `store`, with their entity tag.
pub async fn list(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
) -> Result<(WatchedQueries, Revisioned), OperationError> {
    let permit = access::read(caller, store)?;
    let revision = records::view(service, &permit).await?.revision();
    let queries = service.storage.watched_queries(&permit).await?;
    Ok(revisioned(WatchedQueries { queries }, revision))
}

/// Replaces the watched queries of `store`. It is audited and in no revision.
///
/// Errors: `Invalid` with all invalid values; `Stale` if the precondition does not hold; `Forbidden` for keys while the store
/// has a gate, unless nothing changes.
pub async fn set(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
    watched: WatchedQueries,
    precondition: Precondition,
) -> Result<(WatchedQueries, Revisioned), OperationError> {
    let permit = access::write(caller, store)?;
    let watched = watched.check().map_err(OperationError::Invalid)?;
    let service = service.clone();
    run_to_completion(async move {
        let mut write = service.begin(&permit).await?;
        let before = WatchedQueries {
            queries: write.watched_queries().await?,
        };
        let changes = precondition.changes(&json!(before), &json!(watched))?;
        if !changes.is_empty() {
            gate::require_watching(write.before(), permit.actor())?;
            write.save_watched_queries(&watched).await?;
        }
        let entry = AuditEntry {
            actor: permit.actor().clone(),
            operation: "set_watched".to_owned(),
            resource: "watched".to_owned(),
            summary: message::saved::watched_queries(watched.queries.len()),
            changes,
            request_id: permit.request_id().map(str::to_owned),
        };
        let revision = write.before().config_revision;
        unrevised::commit(&service, &permit, write, &entry).await?;
        Ok(revisioned(watched, revision))
    })
    .await
}

fn revisioned(watched: WatchedQueries, revision: i64) -> (WatchedQueries, Revisioned) {
    let revisioned = Revisioned::of(&watched, revision);
    (watched, revisioned)
}
