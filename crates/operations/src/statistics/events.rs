//! Events: what shoppers did with the responses to their searches (`docs/api.md`).

use crate::{OperationError, Service};
use domain::event::EventsRequest;
use domain::{Caller, access};
use schemars::JsonSchema;
use serde::Serialize;

/// How many events count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct EventsReport {
    /// Events that count.
    pub accepted: usize,
    /// Events that do not: repeated, of an old, foreign or unknown response, or beyond 50 of one response.
    pub ignored: usize,
}

/// Counts events of the caller's store; those of an `automated` client are ignored.
///
/// Errors: `Invalid` with all invalid values, then nothing of the request counts; `Forbidden` for a key of another kind
/// and for a suspended store.
pub async fn send(
    service: &Service,
    caller: &Caller,
    request: EventsRequest,
    automated: bool,
) -> Result<EventsReport, OperationError> {
    let permit = access::search(caller)?;
    let events = request.check().map_err(OperationError::Invalid)?;
    service.snapshots.searchable(permit.store()).await?;
    let accepted = match automated {
        true => 0,
        false => service.search_log.count_events(&permit, &events).await?,
    };
    Ok(EventsReport {
        accepted,
        ignored: events.len() - accepted,
    })
}
