//! Takes the next source whose fetch is due, for as long as its lease lasts.

use super::{read_as, seal_context};
use crate::{OperationError, Service};
use domain::access::{self, Feed};
use domain::feed::FeedScope;
use domain::limits::SOURCE_LEASE_SECONDS;
use domain::source::{
    FetchTrigger, SourceAddress, SourceAuth, SourceSettings, SourceStatus, without_query,
};
use domain::{Caller, Message, Permit, SourceId, StoreId, Timestamp};
use std::collections::HashSet;
use std::sync::Arc;
use storage::{FeedWrite, SourceRow};
use tokio::sync::Notify;

/// Sources that are looked at for one whose host is free.
const LOOKED_AT: u32 = 100;

/// A source that this process fetches.
#[derive(Clone, Debug)]
pub struct DueSource {
    /// Its store.
    pub store: StoreId,
    /// Its id.
    pub id: SourceId,
    /// How often its settings had been written.
    pub version: i64,
    /// Its settings.
    pub settings: SourceSettings,
    /// Its address, or why it is refused by now.
    pub address: Result<SourceAddress, Message>,
    /// Its secret.
    pub secret: Option<String>,
    /// What started the fetch.
    pub trigger: FetchTrigger,
    /// When it began.
    pub at: Timestamp,
    /// `ETag` and `Last-Modified` of the last success, if a file of the same version gives the same documents.
    pub validators: Option<(Option<String>, Option<String>)>,
    /// SHA-256 of the file of the last success, on the same condition.
    pub sha256: Option<String>,
}

impl DueSource {
    /// Returns the host of its address as written, if it has one.
    pub fn host(&self) -> Option<&str> {
        self.address.as_ref().ok().map(SourceAddress::host)
    }

    /// Returns the address without its query, for logs.
    pub fn shown(&self) -> String {
        without_query(&self.settings.url)
    }
}

impl Service {
    /// Returns what is notified when a source may have become due.
    pub fn sources_wake(&self) -> Arc<Notify> {
        Arc::clone(&self.feed.sources.wake)
    }

    /// Returns what the operator says about sources.
    pub fn source_options(&self) -> &super::SourceOptions {
        &self.feed.sources.options
    }
}

/// Returns a permit of the job that fetches.
pub(super) fn job_permit(store: &StoreId) -> Result<Permit<Feed>, OperationError> {
    Ok(access::feed_as_operator(&Caller::operator(), store)?)
}

/// Takes the source that is due longest, of a store and a host that are not busy; `None` if there is none.
pub async fn take_due(
    service: &Service,
    busy_hosts: &HashSet<String>,
    busy_stores: &HashSet<StoreId>,
) -> Result<Option<DueSource>, OperationError> {
    if !service.feed.sources.options.enabled {
        return Ok(None);
    }
    let now = service.clock.now();
    let rows = service.storage.due_sources(now, LOOKED_AT).await?;
    let ended = ended_processes(service, &rows, now).await?;
    for row in rows {
        let address = service.feed.sources.options.rules.check(&row.settings.url);
        let host = address
            .as_ref()
            .map(SourceAddress::host)
            .unwrap_or_default();
        let is_busy = busy_stores.contains(&row.store) || busy_hosts.contains(host);
        if is_busy || is_leased(&row, &ended, now) {
            continue;
        }
        if let Some(taken) = take(service, &row, address, now).await? {
            return Ok(Some(taken));
        }
    }
    Ok(None)
}

/// Returns whether a process that may still run fetches a source.
pub(super) async fn is_fetched(
    service: &Service,
    row: &SourceRow,
    now: Timestamp,
) -> Result<bool, OperationError> {
    let ended = ended_processes(service, std::slice::from_ref(row), now).await?;
    Ok(is_leased(row, &ended, now))
}

fn is_leased(row: &SourceRow, ended: &HashSet<String>, now: Timestamp) -> bool {
    let has_ended = row.leased_by.as_ref().is_some_and(|by| ended.contains(by));
    row.leased_until.is_some_and(|until| until > now) && !has_ended
}

/// Returns the processes that hold leases of `rows` and have ended.
async fn ended_processes(
    service: &Service,
    rows: &[SourceRow],
    now: Timestamp,
) -> Result<HashSet<String>, OperationError> {
    let leased = rows
        .iter()
        .filter(|row| row.leased_until.is_some_and(|until| until > now));
    let holders: HashSet<String> = leased.filter_map(|row| row.leased_by.clone()).collect();
    service.nodes.ended(&service.storage, holders).await
}

/// Takes a source, unless another node was first or it was changed.
async fn take(
    service: &Service,
    seen: &SourceRow,
    address: Result<SourceAddress, Message>,
    now: Timestamp,
) -> Result<Option<DueSource>, OperationError> {
    let permit = job_permit(&seen.store)?;
    let mut feed = service.storage.begin_feed(&permit).await?;
    let row = feed.source(&seen.id).await?;
    let Some(mut row) = row.filter(|row| row == seen) else {
        return Ok(None);
    };
    let secret = row.secret.as_deref();
    let secret = secret.map(|sealed| service.seal.unseal(sealed, &seal_context(&row)));
    if row.settings.auth != SourceAuth::None && !matches!(secret, Some(Ok(_))) {
        // Sealed with another master key: it has to be sent again.
        row.state.secret_missing = true;
        row.next_fetch_at = None;
        feed.save_source(&row).await?;
        feed.commit().await?;
        return Ok(None);
    }
    // A process that did not give it back may have stored a part of another file.
    let was_left = row.leased_until.is_some();
    let is_same = !was_left && is_as_left(&mut feed, &row, now).await?;
    if was_left {
        row.state.read_as = None;
    }
    let trigger = std::mem::take(&mut row.state.next_trigger);
    row.state.last_fetch_at = Some(now);
    row.leased_until = Some(leased_until(now));
    row.leased_by = Some(service.nodes.process().to_owned());
    feed.save_source(&row).await?;
    feed.commit().await?;
    let state = row.state;
    Ok(Some(DueSource {
        store: row.store,
        id: row.id,
        version: row.version,
        settings: row.settings,
        address,
        secret: secret.and_then(Result::ok),
        trigger,
        at: now,
        validators: is_same.then_some((state.etag, state.last_modified)),
        sha256: state.sha256.filter(|_| is_same),
    }))
}

/// Returns whether the same file would give what is stored: it is read as before, its documents are still there, and no
/// sale of it began or ended.
async fn is_as_left(
    feed: &mut FeedWrite,
    row: &SourceRow,
    now: Timestamp,
) -> Result<bool, OperationError> {
    let (settings, state) = (&row.settings, &row.state);
    let is_read_so = state.read_as.as_ref() == Some(&read_as(settings));
    let sale_changed = state.next_sale_change.is_some_and(|at| at <= now);
    let ended_well = state.status == SourceStatus::Ok || state.status == SourceStatus::Failing;
    if !is_read_so || sale_changed || !ended_well {
        return Ok(false);
    }
    let scope = FeedScope {
        doc_type: settings.doc_type,
        language: settings.language.clone(),
    };
    Ok(feed.document_count(&scope).await? == state.documents)
}

fn leased_until(now: Timestamp) -> Timestamp {
    Timestamp(now.0.saturating_add(SOURCE_LEASE_SECONDS * 1_000))
}

/// Extends the lease of a source that is still being fetched.
pub async fn renew(
    service: &Service,
    store: &StoreId,
    id: &SourceId,
) -> Result<(), OperationError> {
    let permit = job_permit(store)?;
    let mut feed = service.storage.begin_feed(&permit).await?;
    if let Some(mut row) = feed.source(id).await? {
        row.leased_until = Some(leased_until(service.clock.now()));
        feed.save_source(&row).await?;
        feed.commit().await?;
    }
    Ok(())
}

/// Gives back a source whose fetch was ended by this process: it is due again, with the same trigger.
pub async fn give_back(service: &Service, due: DueSource) -> Result<(), OperationError> {
    let permit = job_permit(&due.store)?;
    let mut feed = service.storage.begin_feed(&permit).await?;
    if let Some(mut row) = feed.source(&due.id).await? {
        row.leased_until = None;
        row.leased_by = None;
        if row.state.next_trigger == FetchTrigger::Schedule {
            row.state.next_trigger = due.trigger;
        }
        // What was stored of the file is not what the last success left.
        row.state.read_as = None;
        feed.save_source(&row).await?;
        feed.commit().await?;
    }
    Ok(())
}
