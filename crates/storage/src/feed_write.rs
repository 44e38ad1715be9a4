//! `FeedWrite`: one transaction of the feed, which reaches documents, indices and runs of one store only.

use crate::Storage;
use crate::error::{Doing, StorageError};
use crate::writer::{Party, Transaction};
use domain::access::Feed;
use domain::{Permit, StoreId};

/// An open transaction of the feed. Dropped without [`FeedWrite::commit`], it never happened.
pub struct FeedWrite {
    pub(crate) tx: Transaction,
    pub(crate) store: StoreId,
}

impl Storage {
    /// Opens a transaction on the documents of the store that `permit` names.
    pub async fn begin_feed(&self, permit: &Permit<Feed>) -> Result<FeedWrite, StorageError> {
        let tx = self
            .writer
            .begin(Party::Store(permit.store().clone()))
            .await
            .doing("opening a transaction of the feed")?;
        Ok(FeedWrite {
            tx,
            store: permit.store().clone(),
        })
    }
}

impl FeedWrite {
    /// Makes everything of the transaction last; once this answers, no crash takes it back.
    pub async fn commit(self) -> Result<(), StorageError> {
        self.tx
            .commit()
            .await
            .doing("committing a transaction of the feed")
    }
}
