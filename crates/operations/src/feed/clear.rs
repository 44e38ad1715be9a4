//! `POST /feed/products/clear`: an index starts over, with or without what it holds until then.

use super::blocks::scopes;
use super::pressure::Pressure;
use super::{FeedCaller, index, writable_store};
use crate::service::to_the_end;
use crate::{OperationError, Service};
use domain::access::Feed;
use domain::feed::{Clear, ClearReport, ClearedLanguage};
use domain::{DocType, IndexId, Permit};

/// Empties the indices of products at once, or announces a rebuild that keeps serving until a run has replaced all.
///
/// Neither leaves marks: documents may come back however old they are.
///
/// Errors: `index_missing` for a language that is named and has none.
pub async fn clear(
    service: &Service,
    caller: &FeedCaller,
    request: Clear,
) -> Result<ClearReport, OperationError> {
    let permit = caller.permit(service).await?;
    let service = service.clone();
    to_the_end(async move {
        let (emptied, report) = empty(&service, &permit, request).await?;
        service.sweeper.wake();
        for index in &emptied {
            service.indexing.changed(permit.store(), *index);
        }
        for index in emptied {
            Pressure::Refuse.delay(&service, index).await?;
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
