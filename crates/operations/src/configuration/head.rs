//! What open pages of the control panel ask for every few seconds: whether anything changed.

use crate::configuration::records;
use crate::{OperationError, Service};
use domain::{Caller, StoreId, access};
use schemars::JsonSchema;
use serde::Serialize;

/// The latest changes of a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Head {
    /// Number of the latest revision of the configuration.
    pub config_revision: i64,
    /// Sum of the changes of all indexes; it grows with each change of the catalogue.
    pub catalogue_change: i64,
    /// Runs whose purge waits for the owner.
    pub held_purges: usize,
    /// Proposals that wait for a decision.
    pub open_proposals: u64,
}

/// Returns the latest changes of `store`.
pub async fn get(
    service: &Service,
    caller: &Caller,
    store: &StoreId,
) -> Result<Head, OperationError> {
    let permit = access::read(caller, store)?;
    let mut reading = records::view(service, &permit).await?;
    Ok(Head {
        config_revision: reading.revision(),
        catalogue_change: reading.catalogue_change().await?,
        held_purges: reading.held_runs().await?.len(),
        open_proposals: reading.open_proposals(service.clock.now()).await?,
    })
}
