//! The states of stores that searches read: opened when first needed, published anew with each change of an index or of
//! the configuration, closed when many others are open.
//!
//! What writes the indexes is behind the trait `Indexer`. May import `runtime`.

mod closing;
pub(crate) mod compiled;
pub(crate) mod indexer;
pub(crate) mod open_index;
pub(crate) mod open_store;
mod opening;
pub(crate) mod published;
mod publishing;
mod serving;
pub mod snapshot;
pub(crate) mod states;
mod stores;
mod unopened;
mod warming;

pub use warming::Warming;

use crate::OperationError;
use crate::message;
use crate::runtime::closing::Closing;
use domain::relevance::field::FieldId;
use domain::store::StoreStatus;
use domain::{IndexId, StoreId, access, error_codes};
use engine::Facts;
use indexer::Indexer;
use open_store::OpenStore;
use serving::Serving;
use snapshot::StoreSnapshot;
use states::States;
use std::sync::{Arc, Weak};
use storage::Storage;

/// Handle of the open stores; clones share it.
#[derive(Clone)]
pub struct Snapshots {
    serving: Arc<Serving>,
}

impl Snapshots {
    /// Returns the stores of `storage`, none of which is open; `indexer` opens their indexes and owns the result. At
    /// most `indexes_max` idle indexes stay open.
    pub(crate) fn new(
        storage: Storage,
        indexes_max: usize,
        states: Arc<States>,
        indexer: Weak<dyn Indexer>,
        closing: Closing,
    ) -> Self {
        Self {
            serving: Arc::new(Serving::new(storage, indexes_max, states, indexer, closing)),
        }
    }

    /// Returns the current searchable state of a store; opens the store if necessary.
    ///
    /// Errors: `NotFound` for an unknown store, `Unavailable` if an index cannot be opened.
    pub async fn of(&self, store: &StoreId) -> Result<Arc<StoreSnapshot>, OperationError> {
        Ok(self.serving.store(store).await?.current())
    }

    /// Returns the current searchable state of a store that may be searched.
    ///
    /// Errors: `Forbidden` for a suspended store, and those of [`Snapshots::of`].
    pub(crate) async fn searchable(
        &self,
        store: &StoreId,
    ) -> Result<Arc<StoreSnapshot>, OperationError> {
        let snapshot = self.of(store).await?;
        if snapshot.store.status == StoreStatus::Suspended {
            return Err(OperationError::forbidden(
                error_codes::STORE_SUSPENDED,
                message::access::store_suspended(),
            ));
        }
        Ok(snapshot)
    }

    /// Returns an open store; opens it if necessary. It stays open as long as the caller owns it.
    ///
    /// Errors: those of [`Snapshots::of`].
    pub(crate) async fn open(&self, store: &StoreId) -> Result<Arc<OpenStore>, OperationError> {
        self.serving.store(store).await
    }

    /// As [`Snapshots::open`], with one of its indexes, which may be new.
    ///
    /// Errors: those of [`Snapshots::of`].
    pub(crate) async fn open_index(
        &self,
        store: &StoreId,
        index: IndexId,
    ) -> Result<Arc<OpenStore>, OperationError> {
        self.serving.open_index(store, index).await
    }

    /// Returns a store if it is open.
    pub(crate) fn opened(&self, store: &StoreId) -> Option<Arc<OpenStore>> {
        self.serving.stores.opened(store)
    }

    /// Publishes a store's saved configuration, its name and its languages anew, with no remembered answers.
    ///
    /// Does not wait for a store that is not open: it reads the configuration when it opens.
    pub async fn configuration_changed(&self, store: &StoreId) {
        let save = self.serving.stores.note_save(store);
        if self.opened(store).is_some() && self.serving.refresh(store, (save, false)).await.is_ok()
        {
            return;
        }
        let failing = "a saved configuration could not be published";
        let serving = Arc::clone(&self.serving);
        (self.serving.closing).retry_until_done(store, failing, move |store| {
            let serving = Arc::clone(&serving);
            async move { serving.refresh(&store, (save, false)).await }
        });
    }

    /// Returns the current searchable state of a store, with every configuration that any server had committed before this
    /// call; opens the store if necessary. For those who look at what they have just saved.
    ///
    /// Errors: those of [`Snapshots::of`].
    pub(crate) async fn latest(
        &self,
        store: &StoreId,
    ) -> Result<Arc<StoreSnapshot>, OperationError> {
        let storage = &self.serving.storage;
        if storage.is_on_server()
            && let Some(own) = self.version_of(store)
            && storage.store_version(&access::system(store)).await? != Some(own)
        {
            self.refreshed(store).await?;
        }
        self.of(store).await
    }

    /// Publishes what any server has saved of a store; opens the store if necessary.
    ///
    /// Errors: those of [`Snapshots::of`].
    pub(crate) async fn refreshed(&self, store: &StoreId) -> Result<(), OperationError> {
        let save = self.serving.stores.note_save(store);
        self.serving.refresh(store, (save, false)).await
    }

    /// Publishes what is saved of a store, whatever its version; opens the store if necessary.
    ///
    /// Errors: those of [`Snapshots::of`].
    pub(crate) async fn reread(&self, store: &StoreId) -> Result<(), OperationError> {
        let save = self.serving.stores.note_save(store);
        self.serving.refresh(store, (save, true)).await
    }

    /// Returns the ids of the open stores.
    pub(crate) fn open_stores(&self) -> Vec<StoreId> {
        self.serving.stores.all_opened()
    }

    /// Returns the version of a store that searches see; `None` while it is not open.
    pub(crate) fn version_of(&self, store: &StoreId) -> Option<i64> {
        Some(self.opened(store)?.current().version())
    }

    /// Returns a predicate for fields that any document of the store fills; `None` while the store is not open.
    pub fn filled_fields(&self, store: &StoreId) -> Option<impl Fn(FieldId) -> bool + use<>> {
        let snapshot = self.opened(store)?.current();
        let facts: Vec<Arc<Facts>> = snapshot.indexes().map(|(_, index)| index.facts()).collect();
        Some(move |field| facts.iter().any(|of_index| of_index.has_values(field)))
    }

    /// Returns the bytes of the compiled regular expressions of a store's rules; 0 while the store is not open.
    pub(crate) fn pattern_bytes(&self, store: &StoreId) -> usize {
        let open = self.opened(store);
        open.map_or(0, |open| open.current().pattern_bytes())
    }

    /// Returns the number of open indexes.
    pub fn open_indexes(&self) -> usize {
        self.serving.stores.open_indexes()
    }

    /// Closes the least recently used stores in the background while too many indexes are open.
    pub(crate) fn close_surplus(&self) {
        self.serving.close_surplus();
    }

    /// Closes a store that does not exist any more for anybody; returns the numbers of its indexes that were open.
    pub(crate) async fn close_store(&self, store: &StoreId) -> Vec<IndexId> {
        self.serving.close_one(store).await
    }

    /// Closes all stores and waits for their indexes.
    pub(crate) async fn close(&self) {
        self.serving.close_all().await;
    }
}

impl std::fmt::Debug for Snapshots {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Snapshots").finish_non_exhaustive()
    }
}
