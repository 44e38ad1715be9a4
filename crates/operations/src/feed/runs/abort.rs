//! `POST /feed/runs/{runId}/abort`: ends a run without purge and frees its scopes.

use super::view;
use crate::feed::{FeedCaller, require_open, writable_store};
use crate::service::run_to_completion;
use crate::{OperationError, Service};
use domain::RunId;
use domain::feed::RunView;
use storage::RunState;

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
        let now = service.clock.now();
        let mut feed = service.storage.begin_feed(&permit).await?;
        writable_store(&mut feed).await?;
        let mut run = require_open(&service, feed.run(&id).await?)?;
        let scopes = feed.run_scopes(&run).await?;
        feed.end_run(&run, RunState::Aborted, run.result.as_ref(), now)
            .await?;
        feed.commit().await?;
        run.state = RunState::Aborted;
        run.ended_at = Some(now);
        Ok(view(&run, &scopes, now))
    })
    .await
}
