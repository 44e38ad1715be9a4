//! The feed: the operations of a store's connector, on documents, indexing runs, indices and public keys.
//!
//! May import `indexing`, `snapshots`, `access` and `runtime`.

mod age;
pub mod blocks;
pub mod clear;
mod client;
mod clip;
pub mod connect;
mod decide;
pub mod declare;
pub mod import;
pub mod indices;
mod oversize;
pub mod plan;
mod prepare;
mod pressure;
pub mod public_key;
pub mod rejections;
pub mod releases;
pub mod runs;
pub mod sources;
pub(crate) mod state;
pub(crate) mod sweeper;
pub(crate) mod upsert;

pub(crate) use pressure::Pressure;

use crate::message;
use crate::{OperationError, Service};
use domain::access::Feed;
use domain::feed::FeedScope;
use domain::store::{Store, StoreStatus};
use domain::{Caller, Message, Permit, RunId, access, error_codes};
use serde_json::json;
use storage::{FeedWrite, IndexState, RunRow, RunState};

/// Caller of a feed operation: the owner of a connector key and its client header.
#[derive(Clone, Debug)]
pub struct FeedCaller {
    /// The owner of the key.
    pub caller: Caller,
    /// Text of the header `X-Svc-Client`; a missing or malformed one is never an error.
    pub client: Option<String>,
}

impl FeedCaller {
    /// Returns the permit of the caller, and stores its client header.
    pub(crate) async fn permit(&self, service: &Service) -> Result<Permit<Feed>, OperationError> {
        let permit = access::feed(&self.caller)?;
        if let Some(client) = &self.client {
            client::note(service, &permit, client).await;
        }
        Ok(permit)
    }
}

/// Returns the store, for operations that only read.
///
/// Errors: `Forbidden` if it is suspended.
pub(crate) async fn readable_store(
    service: &Service,
    permit: &Permit<Feed>,
) -> Result<Store, OperationError> {
    let store = service.store(permit).await?;
    match store.status {
        StoreStatus::Suspended => Err(suspended(message::access::store_suspended())),
        StoreStatus::Active | StoreStatus::Paused => Ok(store),
    }
}

/// Returns the store, for operations that write.
///
/// Errors: `Forbidden` if it is suspended or paused.
pub(crate) async fn writable_store(feed: &mut FeedWrite) -> Result<Store, OperationError> {
    let store = existing_store(feed).await?;
    match store.status {
        StoreStatus::Active => Ok(store),
        StoreStatus::Paused => Err(suspended(message::access::store_paused())),
        StoreStatus::Suspended => Err(suspended(message::access::store_suspended())),
    }
}

/// Returns the store, whatever its status.
pub(crate) async fn existing_store(feed: &mut FeedWrite) -> Result<Store, OperationError> {
    let store = feed.store().await?;
    store.ok_or(OperationError::NotFound {
        what: message::noun::store,
    })
}

pub(crate) fn suspended(message: Message) -> OperationError {
    OperationError::forbidden(error_codes::STORE_SUSPENDED, message)
}

/// Returns the state of the index of `scope`, which is locked until the transaction ends.
pub(crate) async fn index(
    feed: &mut FeedWrite,
    scope: &FeedScope,
) -> Result<IndexState, OperationError> {
    feed.index(scope).await?.ok_or_else(|| index_missing(scope))
}

fn index_missing(scope: &FeedScope) -> OperationError {
    OperationError::Conflict {
        code: error_codes::INDEX_MISSING,
        message: message::feed::no_index(scope.doc_type.as_str(), scope.language.as_str()),
        details: json!({"type": scope.doc_type, "language": scope.language}),
    }
}

/// Returns whether a text may be an id or a hash: those that are stored have no control characters.
///
/// What is not is not looked up: there are databases that accept no NUL, not even to find nothing.
fn may_be_stored(text: &str) -> bool {
    !text.chars().any(char::is_control)
}

/// Returns the open run that a body names.
///
/// Errors: `Gone` for one that does not accept documents any more, or never existed.
async fn open_run(
    service: &Service,
    feed: &mut FeedWrite,
    id: &RunId,
) -> Result<RunRow, OperationError> {
    let run = match may_be_stored(id.as_str()) {
        true => feed.run(id).await?,
        false => None,
    };
    require_open(service, run)
}

/// Fails with `Gone` for a run that does not accept documents any more.
fn require_open(service: &Service, run: Option<RunRow>) -> Result<RunRow, OperationError> {
    run.filter(|run| run.state == RunState::Open && service.clock.now() < runs::expiry(run))
        .ok_or(OperationError::Gone)
}
