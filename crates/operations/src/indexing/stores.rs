//! The stores that are open: each with its published state and the tasks of its indexes.

use super::Inner;
use super::worker::IndexTask;
use crate::OperationError;
use crate::snapshot::{Configuration, Saved, StoreSnapshot};
use arc_swap::ArcSwap;
use domain::feed::FeedScope;
use domain::{IndexId, StoreId};
use parking_lot::Mutex;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use tokio::sync::OnceCell;
use tokio::task::JoinSet;

/// All open stores.
#[derive(Default)]
pub(super) struct OpenStores {
    stores: Mutex<HashMap<StoreId, Arc<OnceCell<Arc<OpenStore>>>>>,
    indexes: Mutex<HashMap<IndexId, Arc<IndexTask>>>,
    tasks: tokio::sync::Mutex<JoinSet<()>>,
}

impl OpenStores {
    /// The task of an open index.
    pub fn find(&self, index: IndexId) -> Option<Arc<IndexTask>> {
        self.indexes.lock().get(&index).cloned()
    }

    /// Waits until all tasks have ended.
    pub async fn finished(&self) {
        let mut tasks = self.tasks.lock().await;
        while tasks.join_next().await.is_some() {}
    }

    /// A store, if it is open.
    pub fn opened(&self, store: &StoreId) -> Option<Arc<OpenStore>> {
        self.stores.lock().get(store)?.get().cloned()
    }

    fn cell(&self, store: &StoreId) -> Arc<OnceCell<Arc<OpenStore>>> {
        Arc::clone(self.stores.lock().entry(store.clone()).or_default())
    }
}

/// One open store.
pub(super) struct OpenStore {
    published: ArcSwap<StoreSnapshot>,
    indexes: Mutex<HashMap<IndexId, Arc<IndexTask>>>,
    /// Held while an index is opened or the configuration is read, so that no newer state is overwritten by an older.
    changing: tokio::sync::Mutex<()>,
}

impl OpenStore {
    /// The state that searches see.
    pub fn current(&self) -> Arc<StoreSnapshot> {
        self.published.load_full()
    }

    /// The tasks of all its indexes.
    pub fn tasks(&self) -> Vec<Arc<IndexTask>> {
        self.indexes.lock().values().cloned().collect()
    }

    /// The task of one of its indexes.
    pub fn index(&self, index: IndexId) -> Option<Arc<IndexTask>> {
        self.indexes.lock().get(&index).cloned()
    }

    /// Publishes a newer state of one index.
    pub fn publish_index(&self, scope: &FeedScope, index: &Arc<dyn engine::Snapshot>) {
        self.published
            .rcu(|current| current.with_index(scope, Arc::clone(index)));
    }
}

impl Inner {
    /// An open store; opens it when it is not.
    pub async fn store(self: &Arc<Self>, id: &StoreId) -> Result<Arc<OpenStore>, OperationError> {
        let cell = self.stores.cell(id);
        if let Some(open) = cell.get() {
            return Ok(Arc::clone(open));
        }
        // Opening goes on when the one who asked goes away, else a large store might never open.
        let (inner, id) = (Arc::clone(self), id.clone());
        let opening = async move {
            let open = cell.get_or_try_init(|| inner.open_store(&id)).await;
            open.cloned()
        };
        tokio::spawn(opening)
            .await
            .map_err(OperationError::internal)?
    }

    /// Sets an index to work; opens it when it is new.
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
        // Somebody else may have opened it meanwhile, without the change that this call tells of.
        if let Some(task) = open.index(index) {
            task.wake();
            return Ok(());
        }
        if let Some(row) = self.storage.index(index).await? {
            let partial = open.current().configuration.searches_parts();
            let task = IndexTask::open(self, &row, partial).await?;
            open.publish_index(&row.scope, &task.snapshot());
            self.start(&open, task).await;
        }
        drop(changing);
        // A new index may have brought a new language of the store.
        self.refresh(store).await
    }

    /// Publishes what storage holds of a store and its configuration.
    pub async fn refresh(self: &Arc<Self>, id: &StoreId) -> Result<(), OperationError> {
        let open = self.store(id).await?;
        let _changing = open.changing.lock().await;
        let saved = self.saved(id).await?;
        open.published
            .rcu(|current| current.with_saved(saved.clone()));
        self.rebuild_lacking(&open);
        Ok(())
    }

    async fn saved(&self, id: &StoreId) -> Result<Saved, OperationError> {
        let store = self
            .storage
            .store(id)
            .await?
            .ok_or(OperationError::NotFound { what: "store" })?;
        let relevance = self.storage.relevance(id).await?;
        Ok(Saved {
            store: Arc::new(store),
            configuration: Arc::new(Configuration::new(relevance.overrides)),
            declarations: Arc::new(self.storage.declarations(id).await?),
        })
    }

    async fn open_store(self: &Arc<Self>, id: &StoreId) -> Result<Arc<OpenStore>, OperationError> {
        let saved = self.saved(id).await?;
        let partial = saved.configuration.searches_parts();
        // No task starts before all indexes are open, so that a failure leaves nothing behind that holds one.
        let mut tasks = Vec::new();
        for row in self.storage.indices_of(id).await? {
            tasks.push(IndexTask::open(self, &row, partial).await?);
        }
        let indexes: BTreeMap<FeedScope, Arc<dyn engine::Snapshot>> = tasks
            .iter()
            .map(|task| (task.scope().clone(), task.snapshot()))
            .collect();
        let first = StoreSnapshot::new(saved, indexes);
        let open = Arc::new(OpenStore {
            published: ArcSwap::from_pointee(first),
            indexes: Mutex::default(),
            changing: tokio::sync::Mutex::default(),
        });
        for task in tasks {
            self.start(&open, task).await;
        }
        self.rebuild_lacking(&open);
        Ok(open)
    }

    /// Starts the task of an open index.
    async fn start(self: &Arc<Self>, open: &Arc<OpenStore>, task: IndexTask) {
        let task = Arc::new(task);
        open.indexes.lock().insert(task.id(), Arc::clone(&task));
        self.stores
            .indexes
            .lock()
            .insert(task.id(), Arc::clone(&task));
        let (inner, open) = (Arc::clone(self), Arc::clone(open));
        let mut tasks = self.stores.tasks.lock().await;
        // What came while the index was being opened waits for no other call.
        task.wake();
        tasks.spawn(async move { task.run(&inner, &open).await });
    }
}
