//! `POST /feed/runs/{runId}/abort`: a run ends without purge, and its scopes are free.

use super::view;
use crate::feed::{FeedCaller, still_open, writable_store};
use crate::service::to_the_end;
use crate::{OperationError, Service};
use domain::RunId;
use domain::feed::RunView;
use storage::RunState;

/// Ends a run without purge; what scopes of it have purged already stays purged.
///
/// Errors: gone when the run has ended or never was.
pub async fn abort(
    service: &Service,
    caller: &FeedCaller,
    id: &RunId,
) -> Result<RunView, OperationError> {
    let permit = caller.permit(service).await?;
    let (service, id) = (service.clone(), id.clone());
    to_the_end(async move {
        let now = service.clock.now();
        let mut feed = service.storage.begin_feed(&permit).await?;
        writable_store(&mut feed).await?;
        let mut run = still_open(&service, feed.run(&id).await?)?;
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
