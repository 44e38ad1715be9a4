//! Which server writes an index that several servers share: the one that has its lease.
//!
//! That two write at once changes nothing, because what is written has versions; it would only be done twice.

use crate::OperationError;
use domain::IndexId;
use std::time::Duration;
use storage::Storage;

/// How long a lease lasts; it is renewed with every batch.
const LEASE: Duration = Duration::from_secs(15);

/// The leases of shared indexes, as this server takes them.
pub(super) struct Writers {
    storage: Storage,
    /// The name of this server.
    server: String,
    /// Version of the form of its indexes: each has indexes and leases of its own.
    format: Option<u32>,
}

impl Writers {
    /// Returns the leases as the server of this name takes them.
    pub fn new(storage: Storage, server: String, format: Option<u32>) -> Self {
        Self {
            storage,
            server,
            format,
        }
    }

    /// Returns the version of the form of the indexes that this server shares, if it shares any.
    pub fn format(&self) -> Option<u32> {
        self.format
    }

    /// Takes or renews the lease of an index; returns whether this server has it.
    pub async fn take(&self, index: IndexId) -> Result<bool, OperationError> {
        let name = self.name(index);
        let taken = self.storage.take_lease(&name, &self.server, LEASE);
        Ok(taken.await?)
    }

    /// Lets another server write an index at once.
    pub async fn give_back(&self, index: IndexId) {
        if let Err(error) = (self.storage)
            .give_lease_back(&self.name(index), &self.server)
            .await
        {
            tracing::debug!(%error, %index, "the lease of an index ends by itself");
        }
    }

    fn name(&self, index: IndexId) -> String {
        let format = self.format.map(|format| format!("/f{format}"));
        format!("index/{index}{}", format.unwrap_or_default())
    }
}
