//! `POST /feed/touch`: marks unchanged documents as current.

use super::require_scope;
use crate::feed::blocks::{check_count, language};
use crate::feed::{FeedCaller, index, may_be_stored, open_run, writable_store};
use crate::service::run_to_completion;
use crate::{OperationError, Service};
use domain::Permit;
use domain::access::Feed;
use domain::feed::{FeedScope, Touch, TouchItem, TouchReport};
use domain::limits::TOUCH_ITEMS_MAX;
use std::collections::{HashMap, HashSet};
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

/// Marks documents for who may feed the store.
pub(crate) async fn mark(
    service: &Service,
    permit: &Permit<Feed>,
    scope: &FeedScope,
    touch: &Touch,
) -> Result<TouchReport, OperationError> {
    let mut feed = service.storage.begin_feed(permit).await?;
    writable_store(&mut feed).await?;
    let run = open_run(service, &mut feed, &touch.run_id).await?;
    let state = index(&mut feed, scope).await?;
    require_scope(&mut feed, &run, state.id, scope).await?;
    // Of several items with the same id the last counts, as in a block.
    let items: HashMap<&str, &str> = touch
        .items
        .iter()
        .map(|item| (item.id.as_str(), item.hash.as_str()))
        .collect();
    let pairs = items.iter().map(|(id, hash)| (*id, *hash));
    let (pairs, others): (Vec<_>, Vec<_>) =
        pairs.partition(|(id, hash)| may_be_stored(id) && may_be_stored(hash));
    let marked = feed.mark_unchanged(&state, run.number, &pairs).await?;
    let others = others.into_iter().map(|(id, _)| id);
    let unsure: HashSet<&str> = marked.unsure.iter().copied().chain(others).collect();
    let ids: Vec<&str> = (unsure.iter().copied())
        .filter(|id| may_be_stored(id))
        .collect();
    let known = feed.documents(&state, &ids).await?;
    let others = Others {
        items: &items,
        known: &known,
        unsure,
    };
    let newly = i64::try_from(marked.count).unwrap_or(i64::MAX);
    feed.use_run(&run, state.id, newly, service.clock.now())
        .await?;
    feed.commit().await?;
    Ok(others.report(&touch.items))
}

/// The items that were not marked, with what is stored of them.
struct Others<'a> {
    items: &'a HashMap<&'a str, &'a str>,
    known: &'a HashMap<String, DocumentRow>,
    unsure: HashSet<&'a str>,
}

impl Others<'_> {
    /// Returns the report on `items`, in their order, each id once.
    fn report(mut self, items: &[TouchItem]) -> TouchReport {
        let mut report = TouchReport::default();
        for item in items {
            if self.unsure.remove(item.id.as_str()) {
                self.compare(&item.id, &mut report);
            }
        }
        report.touched = (self.items.len() - report.changed.len() - report.missing.len()) as u64;
        report
    }

    fn compare(&self, id: &str, report: &mut TouchReport) {
        match self.known.get(id).filter(|row| !row.is_mark()) {
            None => report.missing.push(id.to_owned()),
            Some(row) if row.hash != self.items[id] => report.changed.push(id.to_owned()),
            // Marked by this touch or by an earlier one.
            Some(_) => {}
        }
    }
}
