//! Statements on imports of files, and on when a shop's pages were seen.

use crate::error::{Doing, StorageError};
use crate::writer::Party;
use crate::{FeedWrite, Storage};
use domain::access::MayRead;
use domain::{Permit, StoreId, Timestamp, access};
use sqlx::Row;
use sqlx::any::AnyRow;

/// An import as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportRow {
    /// Its id.
    pub id: String,
    /// Its state.
    pub state: String,
    /// When it was created.
    pub created_at: Timestamp,
    /// The record as JSON.
    pub content: String,
}

const COLUMNS: &str = "id, state, created_at, content";

fn import(row: &AnyRow) -> Result<ImportRow, sqlx::Error> {
    Ok(ImportRow {
        id: row.try_get("id")?,
        state: row.try_get("state")?,
        created_at: Timestamp(row.try_get("created_at")?),
        content: row.try_get("content")?,
    })
}

impl Storage {
    /// Returns the latest `limit` imports of the permitted store, the newest first.
    pub async fn imports(
        &self,
        permit: &Permit<impl MayRead>,
        limit: u32,
    ) -> Result<Vec<ImportRow>, StorageError> {
        let sql = format!(
            "SELECT {COLUMNS} FROM imports WHERE store_id = $1 ORDER BY created_at DESC, id LIMIT $2"
        );
        sqlx::query(sqlx::AssertSqlSafe(sql))
            .bind(permit.store().as_str())
            .bind(i64::from(limit))
            .try_map(|row| import(&row))
            .fetch_all(&self.bulk)
            .await
            .doing("reading the imports of a store")
    }

    /// Returns one import of the permitted store.
    pub async fn import(
        &self,
        permit: &Permit<impl MayRead>,
        id: &str,
    ) -> Result<Option<ImportRow>, StorageError> {
        let sql = format!("SELECT {COLUMNS} FROM imports WHERE store_id = $1 AND id = $2");
        sqlx::query(sqlx::AssertSqlSafe(sql))
            .bind(permit.store().as_str())
            .bind(id)
            .try_map(|row| import(&row))
            .fetch_optional(&self.read)
            .await
            .doing("reading an import")
    }

    /// Returns an import with its store, unless that is closed or gone; for jobs.
    pub async fn import_of_open_store(
        &self,
        id: &str,
    ) -> Result<Option<(StoreId, ImportRow)>, StorageError> {
        let doing = "reading an import of any store";
        let sql = "SELECT i.id, i.state, i.created_at, i.content, i.store_id FROM imports i \
                   JOIN stores s ON s.id = i.store_id WHERE i.id = $1 AND s.closed_at IS NULL";
        sqlx::query(sql)
            .bind(id)
            .try_map(|row: AnyRow| Ok((StoreId(row.try_get("store_id")?), import(&row)?)))
            .fetch_optional(&self.read)
            .await
            .doing(doing)
    }

    /// Replaces the state of an import; for jobs.
    pub async fn end_import(&self, row: &ImportRow) -> Result<(), StorageError> {
        let doing = "ending an import";
        let mut tx = self.writer.begin(Party::System).await.doing(doing)?;
        sqlx::query("UPDATE imports SET state = $2, content = $3 WHERE id = $1")
            .bind(row.id.as_str())
            .bind(row.state.as_str())
            .bind(row.content.as_str())
            .execute(&mut *tx)
            .await
            .doing(doing)?;
        tx.commit().await.doing(doing)
    }

    /// Removes the imports that were created before `before`; returns their number.
    pub async fn remove_imports(&self, before: Timestamp) -> Result<u64, StorageError> {
        let doing = "removing old imports";
        let mut tx = self.writer.begin(Party::System).await.doing(doing)?;
        let removed = sqlx::query("DELETE FROM imports WHERE created_at < $1")
            .bind(before.0)
            .execute(&mut *tx)
            .await
            .doing(doing)?;
        tx.commit().await.doing(doing)?;
        Ok(removed.rows_affected())
    }

    /// Returns when pages of the permitted store were last seen, to about an hour.
    pub async fn pages_seen_at(
        &self,
        permit: &Permit<impl MayRead>,
    ) -> Result<Option<Timestamp>, StorageError> {
        let doing = "reading when pages of a store were seen";
        let row = sqlx::query("SELECT pages_seen_at FROM stores WHERE id = $1")
            .bind(permit.store().as_str())
            .fetch_optional(&self.read)
            .await
            .doing(doing)?;
        let at: i64 = row.map_or(Ok(0), |row| row.try_get(0)).doing(doing)?;
        Ok((at > 0).then_some(Timestamp(at)))
    }

    /// Stores that pages of the permitted store were seen at `at`.
    pub async fn save_pages_seen(
        &self,
        permit: &Permit<access::Search>,
        at: Timestamp,
    ) -> Result<(), StorageError> {
        let doing = "storing when pages of a store were seen";
        let party = Party::Store(permit.store().clone());
        let mut tx = self.writer.begin(party).await.doing(doing)?;
        let sql = "UPDATE stores SET pages_seen_at = $2 WHERE id = $1 AND pages_seen_at < $2";
        sqlx::query(sql)
            .bind(permit.store().as_str())
            .bind(at.0)
            .execute(&mut *tx)
            .await
            .doing(doing)?;
        tx.commit().await.doing(doing)
    }
}

impl FeedWrite {
    /// Stores an import of the store, or its new state.
    pub async fn put_import(&mut self, row: &ImportRow) -> Result<(), StorageError> {
        let sql = "INSERT INTO imports (id, store_id, state, created_at, content) VALUES ($1, $2, $3, $4, $5) \
                   ON CONFLICT (id) DO UPDATE SET state = excluded.state, content = excluded.content \
                   WHERE imports.store_id = excluded.store_id";
        sqlx::query(sql)
            .bind(row.id.as_str())
            .bind(self.store.as_str())
            .bind(row.state.as_str())
            .bind(row.created_at.0)
            .bind(row.content.as_str())
            .execute(&mut *self.tx)
            .await
            .doing("storing an import")?;
        Ok(())
    }
}
