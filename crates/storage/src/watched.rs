//! Statements on the watched queries of stores.

use crate::error::{Doing, StorageError};
use crate::json::{json, text};
use crate::{ConfigurationView, ConfigurationWrite, Storage};
use domain::watched::{WatchedQueries, WatchedQuery};
use domain::{Permit, StoreId, access};
use sqlx::AnyConnection;

async fn list(
    connection: &mut AnyConnection,
    store: &StoreId,
) -> Result<Vec<WatchedQuery>, StorageError> {
    let doing = "reading the watched queries of a store";
    let row = sqlx::query("SELECT content FROM watched_queries WHERE store_id = $1")
        .bind(store.as_str())
        .fetch_optional(connection)
        .await
        .doing(doing)?;
    row.map_or_else(|| Ok(Vec::new()), |row| json(&row, "content").doing(doing))
}

impl Storage {
    /// Returns the watched queries of the permitted store.
    pub async fn watched_queries(
        &self,
        permit: &Permit<impl access::MayRead>,
    ) -> Result<Vec<WatchedQuery>, StorageError> {
        let doing = "reading the watched queries of a store";
        let mut connection = self.read.acquire().await.doing(doing)?;
        list(&mut connection, permit.store()).await
    }
}

impl ConfigurationView {
    /// Returns the watched queries of the store.
    pub async fn watched_queries(&mut self) -> Result<Vec<WatchedQuery>, StorageError> {
        list(&mut self.tx, &self.store).await
    }
}

impl ConfigurationWrite {
    /// Returns the watched queries as of this transaction.
    pub async fn watched_queries(&mut self) -> Result<Vec<WatchedQuery>, StorageError> {
        list(&mut self.tx, &self.before.id).await
    }

    /// Replaces the watched queries.
    pub async fn save_watched_queries(
        &mut self,
        watched: &WatchedQueries,
    ) -> Result<(), StorageError> {
        let doing = "saving the watched queries of a store";
        let sql = "INSERT INTO watched_queries (store_id, content) VALUES ($1, $2) \
                   ON CONFLICT (store_id) DO UPDATE SET content = excluded.content";
        sqlx::query(sql)
            .bind(self.before.id.as_str())
            .bind(text(&watched.queries, doing)?)
            .execute(&mut *self.tx)
            .await
            .doing(doing)?;
        Ok(())
    }
}
