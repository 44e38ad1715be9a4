//! Statements on the saved relevance of a store.

use crate::error::{Doing, StorageError};
use crate::json::{json, text};
use crate::{ConfigurationView, ConfigurationWrite, FormerState, Storage};
use domain::access::MayRead;
use domain::relevance::Overrides;
use domain::{Permit, StoreId};
use sqlx::{AnyConnection, Row};

/// The saved relevance of a store, and the revision of its configuration.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SavedRelevance {
    /// The values that differ from the defaults.
    pub overrides: Overrides,
    /// The store's configuration revision.
    pub revision: i64,
}

impl Storage {
    /// Returns the saved relevance of the permitted store; defaults and revision 0 if the store does not exist.
    pub async fn relevance(
        &self,
        permit: &Permit<impl MayRead>,
    ) -> Result<SavedRelevance, StorageError> {
        let doing = "reading the relevance of a store";
        let sql = "SELECT s.config_revision, COALESCE(r.overrides, '{}') AS overrides \
                   FROM stores s LEFT JOIN relevance r ON r.store_id = s.id WHERE s.id = $1";
        let row = sqlx::query(sql)
            .bind(permit.store().as_str())
            .fetch_optional(&self.read)
            .await
            .doing(doing)?;
        let Some(row) = row else {
            return Ok(SavedRelevance::default());
        };
        Ok(SavedRelevance {
            overrides: json(&row, "overrides").doing(doing)?,
            revision: row.try_get("config_revision").doing(doing)?,
        })
    }
}

async fn overrides(
    connection: &mut AnyConnection,
    store: &StoreId,
) -> Result<Overrides, StorageError> {
    let doing = "reading the overrides of a store";
    let row = sqlx::query("SELECT overrides FROM relevance WHERE store_id = $1")
        .bind(store.as_str())
        .fetch_optional(connection)
        .await
        .doing(doing)?;
    row.map_or_else(
        || Ok(Overrides::default()),
        |row| json(&row, "overrides").doing(doing),
    )
}

impl ConfigurationView {
    /// Returns the saved overrides.
    pub async fn overrides(&mut self) -> Result<Overrides, StorageError> {
        overrides(&mut self.tx, &self.store).await
    }
}

impl ConfigurationWrite {
    /// Returns the saved overrides as of this transaction.
    pub async fn relevance(&mut self) -> Result<Overrides, StorageError> {
        overrides(&mut self.tx, &self.before.id).await
    }

    /// Replaces the saved overrides.
    pub async fn save_relevance(&mut self, overrides: &Overrides) -> Result<(), StorageError> {
        let doing = "saving the relevance of a store";
        let state = FormerState::Relevance(self.relevance().await?);
        self.keep("relevance", Some(&state)).await?;
        let sql = "INSERT INTO relevance (store_id, overrides) VALUES ($1, $2) \
                   ON CONFLICT (store_id) DO UPDATE SET overrides = excluded.overrides";
        sqlx::query(sql)
            .bind(self.before.id.as_str())
            .bind(text(overrides, doing)?)
            .execute(&mut *self.tx)
            .await
            .doing(doing)?;
        Ok(())
    }
}
