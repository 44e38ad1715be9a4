//! `POST /feed/touch`: marks unchanged documents as current.

use super::require_scope;
use crate::feed::blocks::{check_count, language};
use crate::feed::{FeedCaller, index, require_open, writable_store};
use crate::service::run_to_completion;
use crate::{OperationError, Service};
use domain::Permit;
use domain::access::Feed;
use domain::feed::{FeedScope, Touch, TouchReport};
use domain::limits::TOUCH_ITEMS_MAX;
use std::collections::HashMap;
use storage::DocumentRow;

/// Marks documents whose hash is the stored one; reports the others, which the connector then sends.
///
/// Errors: `Invalid` for no item, `TooManyDocuments` above 2,000; `Gone` if the run has ended; `index_missing`.
pub async fn touch(
    service: &Service,
    caller: &FeedCaller,
    touch: Touch,
) -> Result<TouchReport, OperationError> {
    let permit = caller.permit(service).await?;
    check_count("items", touch.items.len(), TOUCH_ITEMS_MAX)?;
    let scope = FeedScope {
        doc_type: touch.doc_type,
        language: language(&touch.language)?,
    };
    let service = service.clone();
    run_to_completion(async move { mark(&service, &permit, &scope, &touch).await }).await
}

async fn mark(
    service: &Service,
    permit: &Permit<Feed>,
    scope: &FeedScope,
    touch: &Touch,
) -> Result<TouchReport, OperationError> {
    let mut feed = service.storage.begin_feed(permit).await?;
    writable_store(&mut feed).await?;
    let run = require_open(service, feed.run(&touch.run_id).await?)?;
    let state = index(&mut feed, scope).await?;
    require_scope(&mut feed, &run, state.id, scope).await?;
    // Of several items with the same id the last counts, as in a block.
    let items: HashMap<&str, &str> = touch
        .items
        .iter()
        .map(|item| (item.id.as_str(), item.hash.as_str()))
        .collect();
    let ids: Vec<&str> = items.keys().copied().collect();
    let known = feed.documents(&state, &ids).await?;
    let mut report = TouchReport::default();
    let mut seen = Vec::new();
    let mut reported: HashMap<&str, ()> = HashMap::with_capacity(items.len());
    for item in &touch.items {
        if reported.insert(&item.id, ()).is_some() {
            continue;
        }
        match known.get(&item.id).filter(|row| !row.is_mark()) {
            None => report.missing.push(item.id.clone()),
            Some(row) if row.hash != items[item.id.as_str()] => {
                report.changed.push(item.id.clone());
            }
            Some(row) => {
                report.touched += 1;
                newly_seen(&mut seen, row, run.number);
            }
        }
    }
    feed.mark_seen(state.id, run.number, &seen).await?;
    let newly = i64::try_from(seen.len()).unwrap_or(i64::MAX);
    feed.use_run(&run, state.id, newly, service.clock.now())
        .await?;
    feed.commit().await?;
    Ok(report)
}

fn newly_seen(seen: &mut Vec<i64>, row: &DocumentRow, run: i64) {
    if row.seen_run != run {
        seen.push(row.ordinal);
    }
}
