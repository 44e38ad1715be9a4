//! Fetches a source now.

use super::due::is_fetched;
use super::found;
use super::read::Shown;
use crate::access::permits::feed_on_store;
use crate::feed::existing_store;
use crate::message;
use crate::service::run_to_completion;
use crate::{OperationError, Service};
use domain::audit::AuditEntry;
use domain::limits::SOURCE_REQUEST_SECONDS;
use domain::source::{FetchTrigger, SourceView};
use domain::{Caller, SourceId, StoreId, error_codes};
use serde_json::Value;

/// Has a source fetched as soon as it is its turn.
///
/// Errors: `Forbidden` if the role does not suffice; `NotFound`; `Conflict` if it is being fetched or rests; `TooMany` more
/// than once a minute.
pub async fn fetch_now(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
    id: SourceId,
) -> Result<SourceView, OperationError> {
    let permit = feed_on_store(caller, "fetch_source", store)?;
    let (service, caller) = (service.clone(), caller.clone());
    run_to_completion(async move {
        let mut feed = service.storage.begin_feed(&permit).await?;
        existing_store(&mut feed).await?;
        let mut row = found(feed.source(&id).await?)?;
        let now = service.clock.now();
        let conflict = |message| {
            Err(OperationError::Conflict {
                code: error_codes::CONFLICT,
                message,
                details: Value::Null,
            })
        };
        let sources = &service.feed.sources;
        if is_fetched(&service, &row, now).await? {
            return conflict(message::source::running());
        }
        if !sources.options.enabled || !row.settings.active || row.state.secret_missing {
            return conflict(message::source::resting());
        }
        let wait_ms = SOURCE_REQUEST_SECONDS * 1_000;
        let since = row.state.requested_at.map(|at| now.0.saturating_sub(at.0));
        if let Some(since) = since.filter(|since| (0..wait_ms).contains(since)) {
            return Err(OperationError::TooMany {
                reason: message::source::once_a_minute(),
                retry_after_s: u64::try_from((wait_ms - since) / 1_000).unwrap_or(0).max(1),
            });
        }
        row.state.requested_at = Some(now);
        row.state.next_trigger = FetchTrigger::Manual;
        row.next_fetch_at = Some(now);
        feed.save_source(&row).await?;
        let entry = AuditEntry {
            actor: permit.actor().clone(),
            operation: "fetch_source".to_owned(),
            resource: format!("sources/{id}"),
            summary: message::audited::source_fetched(row.settings.name.as_str()),
            changes: Vec::new(),
            request_id: permit.request_id().map(str::to_owned),
        };
        feed.record(&entry, now).await?;
        feed.commit().await?;
        sources.wake.notify_one();
        let shown = Shown::of(&service, &permit, &caller).await?;
        Ok(shown.view(&row))
    })
    .await
}
