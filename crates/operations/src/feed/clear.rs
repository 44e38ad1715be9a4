//! `POST /feed/products/clear`: empties the indices of products, at once or when a run has replaced everything.

use super::blocks::scopes;
use super::pressure::Pressure;
use super::{FeedCaller, index, writable_store};
use crate::service::run_to_completion;
use crate::{OperationError, Service};
use domain::access::Feed;
use domain::feed::{Clear, ClearReport, ClearedLanguage};
use domain::{DocType, IndexId, Permit};

/// Empties the indices of products at once, or announces a rebuild: the documents stay until a run has replaced them.
///
/// Neither leaves deletion marks, so documents of any age may come back.
///
/// Errors: `index_missing` for a given language without an index.
pub async fn clear(
    service: &Service,
    caller: &FeedCaller,
    request: Clear,
) -> Result<ClearReport, OperationError> {
    let permit = caller.permit(service).await?;
    let service = service.clone();
    run_to_completion(async move {
        let (emptied, report) = empty(&service, &permit, request).await?;
        service.feed.sweeper.wake();
        for index in &emptied {
            service.indexing.changed(permit.store(), *index);
        }
        for index in emptied {
            Pressure::Reject.delay(&service.indexing, index).await?;
        }
        Ok(report)
    })
    .await
}

async fn empty(
    service: &Service,
    permit: &Permit<Feed>,
    request: Clear,
) -> Result<(Vec<IndexId>, ClearReport), OperationError> {
    let mut feed = service.storage.begin_feed(permit).await?;
    writable_store(&mut feed).await?;
    let mut emptied = Vec::new();
    let mut cleared = Vec::new();
    for scope in scopes(&mut feed, DocType::Products, request.languages).await? {
        let mut state = index(&mut feed, &scope).await?;
        cleared.push(ClearedLanguage {
            language: scope.language,
            documents: u64::try_from(state.documents).unwrap_or(0),
        });
        let now = service.clock.now();
        if request.keep_serving {
            state.writes += 1;
            state.rebuild = Some(state.writes);
            feed.disable_marks(&mut state).await?;
        } else {
            feed.clear(&mut state).await?;
            emptied.push(state.id);
        }
        feed.save_index(&state, now).await?;
    }
    feed.commit().await?;
    Ok((emptied, ClearReport { cleared }))
}
