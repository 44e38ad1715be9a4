//! Opens stores and their indexes.

use super::open_index::OpenIndex;
use super::open_store::OpenStore;
use super::serving::Serving;
use super::snapshot::{PreparedStore, StoreSnapshot};
use super::stores::Slot;
use super::unopened::Unopened;
use crate::OperationError;
use domain::feed::FeedScope;
use domain::{IndexId, StoreId, access};
use std::collections::BTreeMap;
use std::sync::Arc;

impl Serving {
    /// Returns an open store; opens it if necessary. It stays open as long as the caller owns it.
    pub async fn store(self: &Arc<Self>, id: &StoreId) -> Result<Arc<OpenStore>, OperationError> {
        let slot = self.stores.used(id);
        if let Some(open) = slot.opened() {
            return Ok(open);
        }
        // Opening continues if the caller is cancelled; otherwise a large store might never open.
        let (inner, id) = (Arc::clone(self), id.clone());
        tokio::spawn(async move { inner.open_in(&slot, &id).await })
            .await
            .map_err(OperationError::internal)?
    }

    async fn open_in(
        self: &Arc<Self>,
        slot: &Slot,
        id: &StoreId,
    ) -> Result<Arc<OpenStore>, OperationError> {
        let _turning = slot.transition.lock().await;
        if let Some(open) = slot.opened() {
            return Ok(open);
        }
        let mut saves = slot.saves();
        let open = self.open_store(id).await?;
        self.catch_up(slot, id, &open, &mut saves).await?;
        slot.keep(&open);
        // A save just before the store was put into its slot notified nobody.
        self.catch_up(slot, id, &open, &mut saves).await?;
        self.close_surplus();
        Ok(open)
    }

    /// Publishes configurations that were saved while a store was being opened, so that the first search sees them.
    async fn catch_up(
        &self,
        slot: &Slot,
        id: &StoreId,
        open: &OpenStore,
        saves: &mut u64,
    ) -> Result<(), OperationError> {
        while *saves != slot.saves() {
            let mut published = open.changing.lock().await;
            *saves = slot.saves();
            let prepared = self.prepared(id, open).await?;
            open.publish(|current| current.with_prepared(prepared.clone()));
            *published = *saves;
        }
        Ok(())
    }

    /// Returns an open store; opens it, and its index with this number, if necessary.
    pub async fn open_index(
        self: &Arc<Self>,
        store: &StoreId,
        index: IndexId,
    ) -> Result<Arc<OpenStore>, OperationError> {
        let open = self.store(store).await?;
        if open.has(index) {
            return Ok(open);
        }
        let changing = open.changing.lock().await;
        // Another call may have opened it in the meantime.
        if open.has(index) {
            drop(changing);
            return Ok(open);
        }
        if let Some(row) = self.storage.index(index).await? {
            let partial = open.current().configuration.searches_substrings();
            let opened = self.indexer()?.open(&row, partial, false).await;
            let opened = opened.inspect_err(|error| {
                // Without it, searches would take the index for one of a type that the shop does not have. It stays while
                // opening is tried again: each new state of a store costs what was remembered of searches.
                let scope = &row.scope;
                if (open.current().index(scope.doc_type, &scope.language)).is_none() {
                    let unopened: Arc<dyn engine::Snapshot> = Arc::new(Unopened::new(error));
                    open.published().index(scope, &unopened);
                }
            })?;
            open.published().index(&row.scope, &opened.snapshot());
            self.start(&open, opened).await;
            self.close_surplus();
        }
        drop(changing);
        // A new index may have brought a new language of the store.
        let save = self.stores.note_save(store);
        self.refresh(store, (save, false)).await?;
        Ok(open)
    }

    async fn open_store(self: &Arc<Self>, id: &StoreId) -> Result<Arc<OpenStore>, OperationError> {
        let permit = access::system(id);
        let saved = self.saved(&permit).await?;
        let partial = saved.configuration.searches_substrings();
        // None runs before all indexes are open, so that a failure leaves nothing behind that holds one.
        let mut opened = Vec::new();
        for row in self.storage.indices_of(&permit).await? {
            opened.push(self.indexer()?.open(&row, partial, true).await?);
        }
        let indexes: BTreeMap<FeedScope, Arc<dyn engine::Snapshot>> = opened
            .iter()
            .map(|index| (index.scope().clone(), index.snapshot()))
            .collect();
        let states = Arc::clone(&self.states);
        let first = move || {
            let prepared = PreparedStore::new(saved, indexes.keys(), None);
            StoreSnapshot::new(prepared, indexes, &states)
        };
        let open = Arc::new(OpenStore::new(self.compiling.run(first).await?));
        for index in opened {
            self.start(&open, index).await;
        }
        self.indexer()?.configured(&open);
        Ok(open)
    }

    async fn start(&self, open: &OpenStore, index: Arc<dyn OpenIndex>) {
        self.stores.note(index.id());
        open.add(index).await;
    }
}
