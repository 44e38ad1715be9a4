//! `POST /feed/runs/{runId}/abort`: ends a run without purge and frees its scopes; the owner may do it, too.

use super::view;
use crate::access::permits::feed_on_store;
use crate::feed::{FeedCaller, existing_store, require_open, writable_store};
use crate::message;
use crate::service::run_to_completion;
use crate::{OperationError, Service};
use domain::access::Feed;
use domain::feed::RunView;
use domain::{Caller, Permit, RunId, StoreId, Timestamp};
use storage::{FeedWrite, RunState};

/// Ends a run without purge; scopes that were purged already stay purged.
///
/// Errors: `Gone` if the run has ended or never existed.
pub async fn abort(
    service: &Service,
    caller: &FeedCaller,
    id: &RunId,
) -> Result<RunView, OperationError> {
    let permit = caller.permit(service).await?;
    let (service, id) = (service.clone(), id.clone());
    run_to_completion(async move {
        let mut feed = service.storage.begin_feed(&permit).await?;
        writable_store(&mut feed).await?;
        let now = service.clock.now();
        let view = end(&service, &mut feed, &id, now).await?;
        feed.commit().await?;
        Ok(view)
    })
    .await
}

/// Ends a run on behalf of the owner or the operator, also of a paused store; it is audited.
///
/// Errors: `Forbidden` for a key or a lesser role; `NotFound` for an unknown store; `Gone` if the run has ended or never
/// existed.
pub async fn abort_in_panel(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
    id: RunId,
) -> Result<RunView, OperationError> {
    let permit = feed_on_store(caller, "abort_run", store)?;
    abort_permitted(service, permit, id).await
}

/// Ends a run on behalf of whom `permit` names; it is audited.
pub(crate) async fn abort_permitted(
    service: &Service,
    permit: Permit<Feed>,
    id: RunId,
) -> Result<RunView, OperationError> {
    let service = service.clone();
    run_to_completion(async move {
        let mut feed = service.storage.begin_feed(&permit).await?;
        existing_store(&mut feed).await?;
        let now = service.clock.now();
        let view = end(&service, &mut feed, &id, now).await?;
        let summary = message::audited::run_aborted(id.as_str());
        feed.record(&super::record(&permit, "abort_run", summary), now)
            .await?;
        feed.commit().await?;
        Ok(view)
    })
    .await
}

async fn end(
    service: &Service,
    feed: &mut FeedWrite,
    id: &RunId,
    now: Timestamp,
) -> Result<RunView, OperationError> {
    let mut run = require_open(service, feed.run(id).await?)?;
    let scopes = feed.run_scopes(&run).await?;
    feed.end_run(&run, RunState::Aborted, run.result.as_ref(), now)
        .await?;
    run.state = RunState::Aborted;
    run.ended_at = Some(now);
    Ok(view(&run, &scopes, now))
}
