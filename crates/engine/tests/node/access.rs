//! How the node of OpenSearch for tests is reached.

use engine::{ClusterAccess, SEARCH_FORMAT};
use std::time::Duration;

/// Machines of tests are slow at times.
const PATIENCE: Duration = Duration::from_secs(60);

/// Returns the access to the node at `address`, for indexes of so many shards with names that begin with `prefix`.
pub fn access(address: String, prefix: String, shards: u16) -> ClusterAccess {
    ClusterAccess {
        hosts: vec![address],
        credentials: None,
        authorities: None,
        prefix,
        shards,
        format: SEARCH_FORMAT,
        patience: PATIENCE,
    }
}
