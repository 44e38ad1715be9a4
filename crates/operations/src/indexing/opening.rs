//! Opens the index of a row, and finds out whether it belongs to what storage has. One that several servers share is filled by
//! one of them before any of them searches it.

use super::follower::{Follower, blocking};
use super::shared::Shared;
use crate::OperationError;
use engine::{Index, IndexSpec};
use std::sync::Arc;
use std::time::Duration;
use storage::IndexRow;
use tokio::time::sleep;

/// Pause before it is looked again whether another server has filled an index.
const LOOK_AGAIN: Duration = Duration::from_millis(500);

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

/// Waits until there is an index with the documents of `row` that several servers share, or fills it. Until then nobody opens
/// it: a server of a new version would find nothing while those of the former one go on.
///
/// Errors: if it cannot be filled now.
pub(super) async fn filled(
    shared: &Arc<Shared>,
    row: &IndexRow,
    spec: &IndexSpec,
) -> Result<(), OperationError> {
    if row.documents == 0 || shared.writers.format().is_none() {
        return Ok(());
    }
    loop {
        let (engine, own) = (Arc::clone(&shared.engine), spec.clone());
        let exists = move || {
            let shared = engine.shared();
            shared.map_or(Ok(true), |shared| shared.exists(&own))
        };
        if blocking(exists).await? {
            return Ok(());
        }
        shared.closing.ensure_open()?;
        if shared.writers.take(row.id).await? {
            let filled = fill(shared, row, spec.clone()).await;
            shared.writers.give_back(row.id).await;
            return filled;
        }
        sleep(LOOK_AGAIN).await;
    }
}

/// Fills an index beside those that are searched, and lets it be searched.
async fn fill(shared: &Arc<Shared>, row: &IndexRow, spec: IndexSpec) -> Result<(), OperationError> {
    let documents = row.documents;
    tracing::info!(index = %row.id, documents, "the stored documents have no index of this version, building it");
    let engine = Arc::clone(&shared.engine);
    let index = blocking(move || engine.rebuild(&spec)).await?;
    let follower = Follower::new(row, Arc::clone(&index));
    let filled = applied(shared, row, &follower).await;
    let is_full = filled.is_ok();
    blocking(move || match is_full {
        true => index.complete(),
        false => {
            index.retire();
            Ok(())
        }
    })
    .await?;
    filled
}

/// Applies all changes of storage, as long as no other server does.
async fn applied(
    shared: &Arc<Shared>,
    row: &IndexRow,
    follower: &Follower,
) -> Result<(), OperationError> {
    loop {
        shared.closing.ensure_open()?;
        let _turn = shared.turn(&row.store).await;
        if !follower.catch_up(shared, None).await?.more {
            return Ok(());
        }
        if !shared.writers.take(row.id).await? {
            return Err(OperationError::internal(
                "another server fills the index meanwhile",
            ));
        }
    }
}
