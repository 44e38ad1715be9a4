//! Opens the index of a row, and finds out whether it belongs to what storage has.

use super::follower::blocking;
use super::shared::Shared;
use crate::OperationError;
use engine::{Index, IndexSpec};
use std::sync::Arc;
use storage::IndexRow;

/// Opens the index of `row`, or creates it; `renewed` says whether it is empty in any case.
///
/// Errors: if it cannot be opened now.
pub(super) async fn opened(
    shared: &Arc<Shared>,
    row: &IndexRow,
    spec: IndexSpec,
    renewed: bool,
) -> Result<Arc<dyn Index>, OperationError> {
    let (engine, own) = (Arc::clone(&shared.engine), spec.clone());
    let index = blocking(move || match renewed {
        true => engine.renew(&own),
        false => engine.open(&own),
    })
    .await?;
    let watermark = index.watermark();
    if watermark <= row.sequence {
        return Ok(index);
    }
    // Another server may have applied later changes to an index that it shares.
    let now = shared.storage.index(row.id).await?;
    if index.local().is_none() && now.is_some_and(|now| watermark <= now.sequence) {
        return Ok(index);
    }
    // An index ahead of storage belongs to a state that storage has lost.
    let engine = Arc::clone(&shared.engine);
    blocking(move || engine.renew(&spec)).await
}
