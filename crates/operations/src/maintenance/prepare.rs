//! `prepare`: fills the indexes of this version in a search cluster, before its servers take the place of those of another one.

use crate::boot::engine_of;
use crate::{OperationError, Service, ServiceOptions};
use domain::{Caller, access};

/// How far the preparation is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Prepared {
    /// Indexes that are there.
    pub indexes: usize,
    /// Indexes of all open stores.
    pub of: usize,
}

/// Opens every index of the search cluster of `options` once, by which those are filled that this version does not have yet;
/// `told` hears of each. None if the indexes are in the directories of the servers, which fill them themselves.
///
/// Servers of any version may run meanwhile. What is prepared stays: a repetition goes on with the next index.
/// Errors: as [`Service::open`], or the first index that cannot be filled.
pub async fn run(
    caller: &Caller,
    options: ServiceOptions,
    told: impl Fn(Prepared),
) -> Result<Option<Prepared>, OperationError> {
    access::operator(caller)?;
    let engine = engine_of(&options.data_dir, &options.locations).await?;
    if engine.shared().is_none() {
        return Ok(None);
    }
    let service = Service::without_jobs(options, engine).await?;
    let prepared = open_all(&service, told).await;
    service.close().await;
    prepared.map(Some)
}

async fn open_all(service: &Service, told: impl Fn(Prepared)) -> Result<Prepared, OperationError> {
    let rows = service.storage.open_indices().await?;
    let mut prepared = Prepared {
        indexes: 0,
        of: rows.len(),
    };
    for row in rows {
        match service.indexing.opened(&row.store, row.id).await {
            // A store that was closed meanwhile needs no index.
            Ok(()) | Err(OperationError::NotFound { .. }) => {}
            Err(error) => return Err(error),
        }
        prepared.indexes += 1;
        told(prepared);
    }
    Ok(prepared)
}
