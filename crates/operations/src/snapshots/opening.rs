//! Opens, refreshes and closes stores.

use super::open_store::OpenStore;
use super::stores::Slot;
use crate::OperationError;
use crate::indexing::IndexingState;
use crate::indexing::worker::IndexTask;
use crate::snapshots::compiled::Records;
use crate::snapshots::snapshot::{Configuration, PreparedStore, Saved, StoreSnapshot};
use domain::access::{self, System};
use domain::feed::FeedScope;
use domain::synonym::SynonymQuery;
use domain::{IndexId, Permit, StoreId};
use std::collections::BTreeMap;
use std::sync::Arc;

impl IndexingState {
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

    /// Wakes the task of an index; opens the index if it is new.
    pub async fn wake(
        self: &Arc<Self>,
        store: &StoreId,
        index: IndexId,
    ) -> Result<(), OperationError> {
        let open = self.store(store).await?;
        if let Some(task) = open.index(index) {
            task.wake();
            return Ok(());
        }
        let changing = open.changing.lock().await;
        // Another call may have opened it in the meantime, without the change of this call.
        if let Some(task) = open.index(index) {
            task.wake();
            return Ok(());
        }
        if let Some(row) = self.storage.index(index).await? {
            let partial = open.current().configuration.searches_substrings();
            let task = IndexTask::open(self, &row, partial, false).await?;
            open.published().index(&row.scope, &task.snapshot());
            self.start(&open, task).await;
            self.close_surplus();
        }
        drop(changing);
        // A new index may have brought a new language of the store.
        let save = self.stores.note_save(store);
        self.refresh(store, save).await
    }

    /// Publishes the configuration of a store as of the save with number `save` or a later one. Of many concurrent
    /// calls only the last one reads and compiles it.
    pub async fn refresh(self: &Arc<Self>, id: &StoreId, save: u64) -> Result<(), OperationError> {
        let open = self.store(id).await?;
        let mut published = open.changing.lock().await;
        if *published >= save {
            return Ok(());
        }
        // Later saves have a higher number, whether or not they are read here already.
        let saves = self.stores.used(id).saves();
        let prepared = self.prepared(id, &open).await?;
        open.publish(|current| current.with_prepared(prepared.clone()));
        *published = saves;
        self.rebuild_without_substrings(&open);
        Ok(())
    }

    /// Reads the configuration of an open store and compiles it on a thread that may block.
    async fn prepared(
        &self,
        id: &StoreId,
        open: &OpenStore,
    ) -> Result<PreparedStore, OperationError> {
        let permit = access::system(id);
        let (saved, current) = (self.saved(&permit).await?, open.current());
        let prepare = move || {
            let scopes = current.indexes().map(|(scope, _)| scope);
            PreparedStore::new(saved, scopes, Some(&current))
        };
        let prepared = tokio::task::spawn_blocking(prepare);
        prepared.await.map_err(OperationError::internal)
    }

    async fn records(&self, permit: &Permit<System>) -> Result<Records, OperationError> {
        let reading = self.storage.configuration_view(permit).await?;
        let mut reading = reading.ok_or(OperationError::NotFound { what: "store" })?;
        Ok(Records {
            synonyms: reading.synonyms(&SynonymQuery::default(), None).await?,
            rules: reading.rules(None).await?,
            filters: reading.filters().await?,
            widget: reading.widget().await?,
            code: reading.code_hashes().await?,
        })
    }

    async fn saved(&self, permit: &Permit<System>) -> Result<Saved, OperationError> {
        let store = self
            .storage
            .store(permit)
            .await?
            .ok_or(OperationError::NotFound { what: "store" })?;
        let relevance = self.storage.relevance(permit).await?;
        Ok(Saved {
            store: Arc::new(store),
            configuration: Arc::new(Configuration::new(relevance.overrides)),
            declarations: Arc::new(self.storage.declarations(permit).await?),
            records: Arc::new(self.records(permit).await?),
        })
    }

    async fn open_store(self: &Arc<Self>, id: &StoreId) -> Result<Arc<OpenStore>, OperationError> {
        let permit = access::system(id);
        let saved = self.saved(&permit).await?;
        let partial = saved.configuration.searches_substrings();
        // No task starts before all indexes are open, so that a failure leaves nothing behind that holds one.
        let mut tasks = Vec::new();
        for row in self.storage.indices_of(&permit).await? {
            tasks.push(IndexTask::open(self, &row, partial, true).await?);
        }
        let indexes: BTreeMap<FeedScope, Arc<dyn engine::Snapshot>> = tasks
            .iter()
            .map(|task| (task.scope().clone(), task.snapshot()))
            .collect();
        let states = Arc::clone(&self.states);
        let first = move || {
            let prepared = PreparedStore::new(saved, indexes.keys(), None);
            StoreSnapshot::new(prepared, indexes, &states)
        };
        let first = tokio::task::spawn_blocking(first);
        let first = first.await.map_err(OperationError::internal)?;
        let open = Arc::new(OpenStore::new(first));
        for task in tasks {
            self.start(&open, task).await;
        }
        self.rebuild_without_substrings(&open);
        Ok(open)
    }

    /// Starts the task of an open index.
    async fn start(self: &Arc<Self>, open: &OpenStore, task: IndexTask) {
        let task = Arc::new(task);
        self.stores.note(&task);
        // Applies changes that arrived while the index was being opened.
        task.wake();
        let inner = Arc::clone(self);
        open.add(task, |task, published, ending| async move {
            task.run(&inner, &published, ending).await;
        })
        .await;
    }

    /// Closes the least recently used stores in the background while too many indexes are open.
    pub fn close_surplus(self: &Arc<Self>) {
        if self.stores.exceeds_limit() {
            let inner = Arc::clone(self);
            tokio::spawn(async move { inner.close_unused().await });
        }
    }

    async fn close_unused(&self) {
        let _closing = self.stores.closing.lock().await;
        for (id, slot) in self.stores.by_use() {
            if !self.stores.exceeds_limit() || *self.closing.borrow() {
                return;
            }
            let Ok(_turning) = slot.transition.try_lock() else {
                continue;
            };
            if let Some(unused) = slot.take_unused(|open| self.is_idle(open)) {
                unused.end().await;
                self.stores.forget(&unused);
                tracing::debug!(store = %id, "an idle store was closed to make room for others");
            }
        }
    }

    /// Returns whether no work of a store is in progress.
    fn is_idle(&self, open: &OpenStore) -> bool {
        let rebuilt = |index| match self.rebuilds.last(index) {
            Some(last) => last.borrow().is_over(),
            None => true,
        };
        let idle = |task: &IndexTask| {
            task.is_idle() && !self.lags.is_behind(task.id()) && rebuilt(task.id())
        };
        open.tasks().iter().all(|task| idle(task))
    }

    /// Closes one store, even if it is used, and waits for the writers of its indexes.
    pub async fn close_one(&self, id: &StoreId) {
        let slot = self.stores.used(id);
        let _turning = slot.transition.lock().await;
        if let Some(open) = slot.take() {
            open.end().await;
            self.stores.forget(&open);
            for task in open.tasks() {
                self.lags.forget(task.id());
            }
        }
    }

    /// Closes all stores and waits for the writers of their indexes.
    pub async fn close_all(&self) {
        let _closing = self.stores.closing.lock().await;
        for (_, slot) in self.stores.by_use() {
            if let Some(open) = slot.take() {
                open.end().await;
            }
        }
    }
}
