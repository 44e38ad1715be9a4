//! Reads the configuration of open stores, compiles it and publishes it.

use super::compiled::Records;
use super::open_store::OpenStore;
use super::serving::Serving;
use super::snapshot::{Configuration, PreparedStore, Saved};
use crate::OperationError;
use crate::message;
use domain::access::{self, System};
use domain::synonym::SynonymQuery;
use domain::{Permit, StoreId};
use std::sync::Arc;

impl Serving {
    /// Publishes the configuration of a store as of the save with number `save` or a later one. Of many concurrent
    /// calls only the last one reads and compiles it; so does, unless `anew`, one that finds nothing newer.
    pub async fn refresh(
        self: &Arc<Self>,
        id: &StoreId,
        (save, anew): (u64, bool),
    ) -> Result<(), OperationError> {
        let open = self.store(id).await?;
        let mut published = open.changing.lock().await;
        if *published >= save {
            return Ok(());
        }
        // Later saves have a higher number, whether or not they are read here already.
        let saves = self.stores.used(id).saves();
        if !anew && self.is_latest(id, &open).await? {
            *published = saves;
            return Ok(());
        }
        let prepared = self.prepared(id, &open).await?;
        open.publish(|current| current.with_prepared(prepared.clone()));
        *published = saves;
        self.indexer()?.configured(&open);
        Ok(())
    }

    /// Returns whether searches see the configuration that is saved. Where several servers use the database, each save comes
    /// twice: from who saved it, and as a notification.
    async fn is_latest(&self, id: &StoreId, open: &OpenStore) -> Result<bool, OperationError> {
        if !self.storage.is_on_server() {
            return Ok(false);
        }
        let saved = self.storage.store_version(&access::system(id)).await?;
        Ok(saved == Some(open.current().version()))
    }

    /// Reads the configuration of an open store and compiles it.
    pub async fn prepared(
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
        self.compiling.run(prepare).await
    }

    /// Reads everything of a store but its documents.
    pub async fn saved(&self, permit: &Permit<System>) -> Result<Saved, OperationError> {
        let version = self.storage.store_version(permit).await?;
        let store = self
            .storage
            .store(permit)
            .await?
            .ok_or(OperationError::NotFound {
                what: message::noun::store,
            })?;
        let relevance = self.storage.relevance(permit).await?;
        Ok(Saved {
            version: version.unwrap_or_default(),
            store: Arc::new(store),
            configuration: Arc::new(Configuration::new(relevance.overrides)),
            declarations: Arc::new(self.storage.declarations(permit).await?),
            records: Arc::new(self.records(permit).await?),
        })
    }

    async fn records(&self, permit: &Permit<System>) -> Result<Records, OperationError> {
        let reading = self.storage.configuration_view(permit).await?;
        let mut reading = reading.ok_or(OperationError::NotFound {
            what: message::noun::store,
        })?;
        Ok(Records {
            synonyms: reading.synonyms(&SynonymQuery::default(), None).await?,
            rules: reading.rules(None).await?,
            filters: reading.filters().await?,
            widget: reading.widget().await?,
            code: reading.code_hashes().await?,
        })
    }
}
