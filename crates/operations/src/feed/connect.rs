//! `GET /feed/connect`: the store of a connector key, and the limits of the feed.

use super::{FeedCaller, readable_store};
use crate::{OperationError, Service};
use domain::feed::{Connected, FeedLimits};
use domain::limits::{BLOCK_BYTES_MAX, BLOCK_DOCUMENTS_MAX, TOUCH_ITEMS_MAX};

/// Feed operations of this version.
const CAPABILITIES: [&str; 12] = [
    "indices",
    "public-key",
    "plan",
    "runs",
    "touch",
    "bulk",
    "delete",
    "clear",
    "currencies",
    "price-tiers",
    "price-countries",
    "access-groups",
];

/// Returns the store of the caller's key with the capabilities and limits of the feed.
pub async fn connect(service: &Service, caller: &FeedCaller) -> Result<Connected, OperationError> {
    let permit = caller.permit(service).await?;
    let store = readable_store(service, &permit).await?;
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
