//! The queries that a store never suggests: get and set, which no key may do.

use crate::access::daily_changes::check_daily_changes;
use crate::access::permits::require_on_store;
use crate::message;
use crate::service::run_to_completion;
use crate::{OperationError, Service};
use domain::analytics::HiddenQueries;
use domain::audit::{AuditEntry, differences};
use domain::{Caller, StoreId, access};
use serde_json::json;

/// Returns the hidden queries of `store`.
///
/// Errors: `Forbidden` for a key, `NotFound` for an unknown store.
pub async fn get(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
) -> Result<HiddenQueries, OperationError> {
    require_on_store(caller, "get_hidden_queries", store)?;
    let permit = access::read(caller, store)?;
    let hidden = service.storage.hidden_queries(&permit).await?;
    hidden.ok_or(OperationError::NotFound {
        what: message::noun::store,
    })
}

/// Replaces the hidden queries of `store`, with effect on the next suggestions. It is audited and in no revision.
///
/// Errors: `Forbidden` for a key, `Invalid` with all invalid texts, `NotFound` for an unknown store.
pub async fn set(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
    hidden: HiddenQueries,
) -> Result<HiddenQueries, OperationError> {
    require_on_store(caller, "set_hidden_queries", store)?;
    let permit = access::write(caller, store)?;
    let hidden = hidden.check().map_err(OperationError::Invalid)?;
    let service = service.clone();
    run_to_completion(async move {
        let mut write = service.begin(&permit).await?;
        let before = write.hidden_queries().await?;
        let changes = differences(&json!(before), &json!(hidden));
        if !changes.is_empty() {
            write.save_hidden_queries(&hidden).await?;
        }
        let entry = AuditEntry {
            actor: permit.actor().clone(),
            operation: "set_hidden_queries".to_owned(),
            resource: "hidden-queries".to_owned(),
            summary: message::saved::hidden_queries(),
            changes,
            request_id: permit.request_id().map(str::to_owned),
        };
        let now = service.clock.now();
        check_daily_changes(write.changed_today(&entry, now).await?, now)?;
        write.commit_unrevised(&entry, now).await?;
        service.search_log.popular().forget(permit.store());
        Ok(hidden)
    })
    .await
}
