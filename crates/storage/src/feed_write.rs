//! `FeedWrite`: a transaction of the feed, limited to the documents, indices and runs of one store.

use crate::audit::AuditContext;
use crate::error::{Doing, StorageError};
use crate::write::TELLING;
use crate::writer::{Party, Transaction};
use crate::{Storage, audit};
use domain::access::Feed;
use domain::audit::AuditEntry;
use domain::{Permit, StoreId, Timestamp};

/// A transaction of the feed, rolled back if it is dropped without [`FeedWrite::commit`].
pub struct FeedWrite {
    pub(crate) tx: Transaction,
    pub(crate) store: StoreId,
}

impl Storage {
    /// Begins a transaction on the documents of the permitted store.
    ///
    /// It is the only one on its store from here to its end: the lock comes first, before anything is read or any index
    /// is locked. What a transaction decides on has to be read in it, and never before. SQLite has one lock for all
    /// writers, which `Writer::begin` takes; a database with a lock for each row takes one for the store here.
    pub async fn begin_feed(&self, permit: &Permit<Feed>) -> Result<FeedWrite, StorageError> {
        let doing = "opening a transaction of the feed";
        let party = Party::Store(permit.store().clone());
        let mut tx = self.writer.begin(party).await.doing(doing)?;
        let name = format!("feed {}", permit.store().as_str());
        tx.lock(&name).await.doing(doing)?;
        Ok(FeedWrite {
            tx,
            store: permit.store().clone(),
        })
    }
}

impl FeedWrite {
    /// Adds a record to the audit trail, which is committed with the change.
    pub async fn record(&mut self, entry: &AuditEntry, at: Timestamp) -> Result<(), StorageError> {
        let context = AuditContext::of_store(&self.store, at);
        audit::record(&mut self.tx, entry, &context).await
    }

    /// Counts a change of what searches see of the store other than documents.
    pub(crate) async fn raise_version(&mut self) -> Result<(), StorageError> {
        let doing = "raising the version of a store";
        sqlx::query("UPDATE stores SET version = version + 1 WHERE id = $1")
            .bind(self.store.as_str())
            .execute(&mut *self.tx)
            .await
            .doing(doing)?;
        self.tx.tell(&self.store).await.doing(TELLING)
    }

    /// Commits the transaction; after this returns, no crash can undo it.
    pub async fn commit(self) -> Result<(), StorageError> {
        self.tx
            .commit()
            .await
            .doing("committing a transaction of the feed")
    }
}
