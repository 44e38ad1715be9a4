//! The feed: what a store's connector does. Documents come in, runs purge, indices and public keys are made.

mod age;
pub mod blocks;
pub mod clear;
mod client;
mod clip;
pub mod connect;
mod decide;
pub mod declare;
pub mod indices;
mod oversize;
pub mod plan;
mod prepare;
mod pressure;
pub mod public_key;
pub mod runs;
pub(crate) mod upsert;

pub(crate) use pressure::Pressure;

use crate::{OperationError, Service};
use domain::access::Feed;
use domain::feed::FeedScope;
use domain::store::{Store, StoreStatus};
use domain::{Caller, Permit, access};
use serde_json::json;
use storage::{FeedWrite, IndexState, RunRow, RunState};

/// Who feeds: the owner of a connector key, and what its client header says.
#[derive(Clone, Debug)]
pub struct FeedCaller {
    /// The owner of the key.
    pub caller: Caller,
    /// Text of the header `X-Svc-Client`; a missing or odd one is never an error.
    pub client: Option<String>,
}

impl FeedCaller {
    /// The permit of the caller, whose client header is noted on the way.
    pub(crate) async fn permit(&self, service: &Service) -> Result<Permit<Feed>, OperationError> {
        let permit = access::feed(&self.caller)?;
        if let Some(client) = &self.client {
            client::note(service, &permit, client).await;
        }
        Ok(permit)
    }
}

/// The store whose feed is only read.
///
/// Errors: forbidden when it is suspended.
pub(crate) async fn readable_store(
    service: &Service,
    permit: &Permit<Feed>,
) -> Result<Store, OperationError> {
    let store = service.storage.store(permit).await?;
    let store = store.ok_or(OperationError::NotFound { what: "store" })?;
    match store.status {
        StoreStatus::Suspended => Err(suspended("suspended")),
        StoreStatus::Active | StoreStatus::Paused => Ok(store),
    }
}

/// The store that is fed.
///
/// Errors: forbidden when it is suspended, or paused and the feed writes.
pub(crate) async fn writable_store(feed: &mut FeedWrite) -> Result<Store, OperationError> {
    let store = feed
        .store()
        .await?
        .ok_or(OperationError::NotFound { what: "store" })?;
    match store.status {
        StoreStatus::Active => Ok(store),
        StoreStatus::Paused => Err(suspended("paused")),
        StoreStatus::Suspended => Err(suspended("suspended")),
    }
}

pub(crate) fn suspended(state: &str) -> OperationError {
    OperationError::forbidden("store_suspended", format!("the store is {state}"))
}

/// The index of `scope`, held until the transaction ends.
pub(crate) async fn index(
    feed: &mut FeedWrite,
    scope: &FeedScope,
) -> Result<IndexState, OperationError> {
    feed.index(scope).await?.ok_or_else(|| index_missing(scope))
}

fn index_missing(scope: &FeedScope) -> OperationError {
    OperationError::Conflict {
        code: "index_missing",
        message: format!(
            "there is no index of {} in {}; make it with POST /feed/indices",
            scope.doc_type.as_str(),
            scope.language
        ),
        details: json!({"type": scope.doc_type, "language": scope.language}),
    }
}

/// Refuses a run that does not take documents any more.
fn still_open(service: &Service, run: Option<RunRow>) -> Result<RunRow, OperationError> {
    run.filter(|run| run.state == RunState::Open && service.clock.now() < runs::expiry(run))
        .ok_or(OperationError::Gone)
}
