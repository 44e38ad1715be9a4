//! Statements on filters.

use crate::error::{Doing, StorageError};
use crate::json::{json, text};
use crate::{ConfigurationView, ConfigurationWrite};
use domain::filter::Filter;
use domain::{FilterId, StoreId, Timestamp};
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row};

fn filter(row: &AnyRow) -> Result<Filter, sqlx::Error> {
    Ok(Filter {
        id: FilterId(row.try_get("id")?),
        content: json(row, "content")?,
        created_at: Timestamp(row.try_get("created_at")?),
        updated_at: Timestamp(row.try_get("updated_at")?),
    })
}

/// Returns all filters of `store`, in display order.
async fn all(connection: &mut AnyConnection, store: &StoreId) -> Result<Vec<Filter>, StorageError> {
    let doing = "reading the filters of a store";
    let sql = "SELECT id, content, created_at, updated_at FROM filters WHERE store_id = $1 \
               ORDER BY created_at, id";
    let rows = sqlx::query(sql)
        .bind(store.as_str())
        .fetch_all(connection)
        .await
        .doing(doing)?;
    let read = rows.iter().map(|row| filter(row).doing(doing));
    let mut filters: Vec<Filter> = read.collect::<Result<_, _>>()?;
    filters.sort_by_key(|filter| filter.content.position);
    Ok(filters)
}

impl ConfigurationView {
    /// Returns all filters of the store, in display order.
    pub async fn filters(&mut self) -> Result<Vec<Filter>, StorageError> {
        all(&mut self.tx, &self.store).await
    }
}

impl ConfigurationWrite {
    /// Returns all filters as of this transaction, in display order.
    pub async fn filters(&mut self) -> Result<Vec<Filter>, StorageError> {
        all(&mut self.tx, &self.before.id).await
    }

    /// Inserts or updates a filter.
    pub async fn save_filter(&mut self, filter: &Filter) -> Result<(), StorageError> {
        let doing = "saving a filter";
        self.keep_filter(&filter.id).await?;
        let sql = "INSERT INTO filters (id, store_id, field, content, created_at, updated_at) \
                   VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (id) DO UPDATE SET \
                   content = excluded.content, updated_at = excluded.updated_at \
                   WHERE filters.store_id = excluded.store_id";
        sqlx::query(sql)
            .bind(filter.id.as_str())
            .bind(self.before.id.as_str())
            .bind(filter.content.field.to_string())
            .bind(text(&filter.content, doing)?)
            .bind(filter.created_at.0)
            .bind(filter.updated_at.0)
            .execute(&mut *self.tx)
            .await
            .doing(doing)?;
        Ok(())
    }

    /// Deletes the filter `id`.
    pub async fn remove_filter(&mut self, id: &FilterId) -> Result<(), StorageError> {
        self.keep_filter(id).await?;
        sqlx::query("DELETE FROM filters WHERE store_id = $1 AND id = $2")
            .bind(self.before.id.as_str())
            .bind(id.as_str())
            .execute(&mut *self.tx)
            .await
            .doing("deleting a filter")?;
        Ok(())
    }
}
