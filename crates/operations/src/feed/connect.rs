//! `GET /feed/connect`: what a connector needs to know of its store.

use super::{FeedCaller, suspended};
use crate::{OperationError, Service};
use domain::feed::{Connected, FeedLimits};
use domain::limits::{BLOCK_BYTES_MAX, BLOCK_DOCUMENTS_MAX, TOUCH_ITEMS_MAX};
use domain::store::StoreStatus;

/// The feed operations that this version has.
const CAPABILITIES: [&str; 7] = [
    "indices",
    "public-key",
    "runs",
    "touch",
    "bulk",
    "delete",
    "clear",
];

/// The store of the caller's key, what it may be sent and how much at once.
pub async fn connect(service: &Service, caller: &FeedCaller) -> Result<Connected, OperationError> {
    let permit = caller.permit(service).await?;
    let store = service
        .storage
        .store(permit.store())
        .await?
        .ok_or(OperationError::NotFound { what: "store" })?;
    if store.status == StoreStatus::Suspended {
        return Err(suspended("suspended"));
    }
    Ok(Connected {
        store_id: store.id,
        name: store.name,
        platform: store.platform,
        status: store.status,
        api_version: "1.0.0",
        capabilities: CAPABILITIES.to_vec(),
        limits: FeedLimits {
            bulk_documents: BLOCK_DOCUMENTS_MAX,
            bulk_bytes: BLOCK_BYTES_MAX,
            touch_ids: TOUCH_ITEMS_MAX,
        },
        server_time: service.clock.now(),
    })
}
