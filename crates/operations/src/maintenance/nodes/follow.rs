//! Follows what other servers have committed: reads versions of open stores and positions of their indexes every two seconds,
//! and at once for a store that another server names.

use super::Nodes;
use super::timeline::follow_timeline;
use crate::indexing::requested::rebuild_as_requested;
use crate::{OperationError, Service};
use domain::{IndexId, StoreId};
use std::collections::HashMap;
use std::time::Duration;
use storage::NodeProgress;
use tokio::time::{Instant, MissedTickBehavior, interval};

/// How often the database is read.
const EVERY: Duration = Duration::from_secs(2);
/// How often files are looked for whose index is gone.
const CLEAN_EVERY: Duration = Duration::from_secs(300);
/// A server that was not seen for this long holds up nobody.
const SEEN_WITHIN: Duration = Duration::from_secs(10);

/// What was last written of the progress of each index.
type ProgressRows = HashMap<IndexId, NodeProgress>;

/// Follows the database until it is aborted.
pub(crate) async fn run_always(service: Service) {
    if !service.storage.is_on_server() {
        return;
    }
    let mut ticks = interval(EVERY);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut hints = service.storage.change_hints();
    let (mut written, mut cleaned) = (ProgressRows::new(), None::<Instant>);
    loop {
        tokio::select! {
            store = hints.next() => {
                log(follow_hint(&service, &store).await);
                continue;
            }
            _ = ticks.tick() => {}
        }
        log(follow_all(&service, &mut written).await);
        if cleaned.is_none_or(|at| at.elapsed() >= CLEAN_EVERY) {
            cleaned = Some(Instant::now());
            log(service.indexing.discard_unknown().await.map(drop));
            if service.nodes.leads() {
                log(service.indexing.discard_earlier().await);
            }
        }
    }
}

/// Follows one store that a server names.
async fn follow_hint(service: &Service, store: &StoreId) -> Result<(), OperationError> {
    let stores = std::slice::from_ref(store);
    if service.snapshots.version_of(store).is_some() {
        return follow_stores(service, stores).await;
    }
    // It may be one whose last rows were removed.
    if service.storage.store_versions(stores).await?.is_empty() {
        service.indexing.discard_unknown().await?;
    }
    Ok(())
}

fn log(followed: Result<(), OperationError>) {
    if let Err(error) = followed {
        tracing::warn!(error = ?error, "changes of other servers could not be followed; it will be tried again");
    }
}

/// Reads all that others have committed and lets them know how far this server has come.
pub(crate) async fn follow_once(service: &Service) -> Result<(), OperationError> {
    if !service.storage.is_on_server() {
        return Ok(());
    }
    follow_all(service, &mut ProgressRows::new()).await
}

async fn follow_all(service: &Service, written: &mut ProgressRows) -> Result<(), OperationError> {
    let (storage, nodes) = (&service.storage, &service.nodes);
    follow_timeline(service).await?;
    let open = service.snapshots.open_stores();
    let followed = follow_stores(service, &open).await;
    tell(service, nodes, written).await?;
    let lags = storage.lags_of_others(&nodes.name, SEEN_WITHIN).await?;
    service.indexing.heard_lags(lags);
    nodes.try_to_lead(storage).await?;
    rebuild_as_requested(service).await?;
    followed
}

/// Writes what changed of the progress of this server.
async fn tell(
    service: &Service,
    nodes: &Nodes,
    written: &mut ProgressRows,
) -> Result<(), OperationError> {
    let all = service.indexing.progress_of_indexes();
    let is_new = |row: &&NodeProgress| written.get(&row.index) != Some(*row);
    let new: Vec<NodeProgress> = all.iter().filter(is_new).copied().collect();
    let format = service.indexing.shared_format();
    service.storage.note_node(&nodes.name, format, &new).await?;
    *written = all.into_iter().map(|row| (row.index, row)).collect();
    service.indexing.forget_closed();
    Ok(())
}

/// Publishes what others have saved of open stores, applies the changes of their indexes, and closes those that are gone.
async fn follow_stores(service: &Service, open: &[StoreId]) -> Result<(), OperationError> {
    let versions = service.storage.store_versions(open).await?;
    let versions: HashMap<StoreId, i64> = versions.into_iter().collect();
    let mut followed = Ok(());
    for store in open {
        match versions.get(store) {
            None => service.indexing.close_store(store).await,
            Some(version) if is_other(service, store, *version) => {
                service.search_log.popular().forget(store);
                followed = followed.and(service.snapshots.refreshed(store).await);
            }
            Some(_) => {}
        }
    }
    for position in service.storage.index_positions(open).await? {
        if versions.contains_key(&position.store) {
            service.indexing.follow(&position);
        }
    }
    followed
}

fn is_other(service: &Service, store: &StoreId, version: i64) -> bool {
    let own = service.snapshots.version_of(store);
    own.is_some_and(|own| own != version)
}
