//! Statements on the lists of hidden queries.

use crate::error::{Doing, StorageError};
use crate::json::{json, text};
use crate::{ConfigurationView, ConfigurationWrite, Storage};
use domain::analytics::HiddenQueries;
use domain::{Permit, StoreId, access};
use sqlx::{AnyConnection, Row};

async fn list(
    connection: &mut AnyConnection,
    store: &StoreId,
) -> Result<HiddenQueries, StorageError> {
    let doing = "reading the hidden queries of a store";
    let row = sqlx::query("SELECT queries FROM hidden_queries WHERE store_id = $1")
        .bind(store.as_str())
        .fetch_optional(connection)
        .await
        .doing(doing)?;
    let queries = row.map_or_else(|| Ok(Vec::new()), |row| json(&row, "queries").doing(doing))?;
    Ok(HiddenQueries { queries })
}

impl Storage {
    /// Returns the hidden queries of the permitted store; `None` if the store does not exist.
    pub async fn hidden_queries(
        &self,
        permit: &Permit<impl access::MayRead>,
    ) -> Result<Option<HiddenQueries>, StorageError> {
        let doing = "reading the hidden queries of a store";
        let mut connection = self.read.acquire().await.doing(doing)?;
        let known = sqlx::query("SELECT COUNT(*) FROM stores WHERE id = $1 AND closed_at IS NULL")
            .bind(permit.store().as_str())
            .fetch_one(&mut *connection)
            .await
            .and_then(|row| row.try_get::<i64, _>(0))
            .doing(doing)?;
        if known == 0 {
            return Ok(None);
        }
        list(&mut connection, permit.store()).await.map(Some)
    }
}

impl ConfigurationView {
    /// Returns the queries that the store never suggests.
    pub async fn hidden_queries(&mut self) -> Result<HiddenQueries, StorageError> {
        list(&mut self.tx, &self.store).await
    }
}

impl ConfigurationWrite {
    /// Returns the hidden queries as of this transaction.
    pub async fn hidden_queries(&mut self) -> Result<HiddenQueries, StorageError> {
        list(&mut self.tx, &self.before.id).await
    }

    /// Replaces the hidden queries.
    pub async fn save_hidden_queries(
        &mut self,
        hidden: &HiddenQueries,
    ) -> Result<(), StorageError> {
        let doing = "saving the hidden queries of a store";
        let sql = "INSERT INTO hidden_queries (store_id, queries) VALUES ($1, $2) \
                   ON CONFLICT (store_id) DO UPDATE SET queries = excluded.queries";
        sqlx::query(sql)
            .bind(self.before.id.as_str())
            .bind(text(&hidden.queries, doing)?)
            .execute(&mut *self.tx)
            .await
            .doing(doing)?;
        Ok(())
    }
}
