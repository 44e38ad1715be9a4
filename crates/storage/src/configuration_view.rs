//! `ConfigurationView`: the configuration of one store as it is at one moment.

use crate::Storage;
use crate::error::{Doing, StorageError};
use domain::StoreId;
use sqlx::{Any, Row, Transaction};

/// A view of one store's configuration in which nothing changes. Whoever has one asks it for all that it knows: it holds
/// a connection of its own.
pub struct ConfigurationView {
    pub(crate) tx: Transaction<'static, Any>,
    pub(crate) store: StoreId,
    revision: i64,
}

/// How many records of each kind a store has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub struct RecordCounts {
    pub synonyms: i64,
    pub rules: i64,
    pub filters: i64,
}

/// A kind of record of which a store has several.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordKind {
    /// Synonym groups.
    Synonym,
    /// Rules.
    Rule,
    /// Filters.
    Filter,
}

impl RecordKind {
    /// What one is called.
    pub fn name(self) -> &'static str {
        match self {
            Self::Synonym => "synonym group",
            Self::Rule => "rule",
            Self::Filter => "filter",
        }
    }
}

impl Storage {
    /// The configuration of `store` as it is now; none when there is no such store.
    pub async fn configuration_view(
        &self,
        store: &StoreId,
    ) -> Result<Option<ConfigurationView>, StorageError> {
        let doing = "opening a view of a configuration";
        let mut tx = self.bulk.begin().await.doing(doing)?;
        let row = sqlx::query("SELECT config_revision FROM stores WHERE id = $1")
            .bind(store.as_str())
            .fetch_optional(&mut *tx)
            .await
            .doing(doing)?;
        row.map(|row| {
            Ok(ConfigurationView {
                tx,
                store: store.clone(),
                revision: row.try_get(0).doing(doing)?,
            })
        })
        .transpose()
    }

    /// Whether `store` has the record `id`.
    pub async fn has_record(
        &self,
        store: &StoreId,
        kind: RecordKind,
        id: &str,
    ) -> Result<bool, StorageError> {
        let sql = match kind {
            RecordKind::Synonym => "SELECT 1 FROM synonyms WHERE store_id = $1 AND id = $2",
            RecordKind::Rule => "SELECT 1 FROM rules WHERE store_id = $1 AND id = $2",
            RecordKind::Filter => "SELECT 1 FROM filters WHERE store_id = $1 AND id = $2",
        };
        let row = sqlx::query(sql)
            .bind(store.as_str())
            .bind(id)
            .fetch_optional(&self.read)
            .await
            .doing("looking for a record")?;
        Ok(row.is_some())
    }
}

impl ConfigurationView {
    /// The revision of the configuration at this moment.
    pub fn revision(&self) -> i64 {
        self.revision
    }

    /// How many records of each kind the store has.
    pub async fn record_counts(&mut self) -> Result<RecordCounts, StorageError> {
        let doing = "counting the records of a store";
        let sql = "SELECT (SELECT COUNT(*) FROM synonyms WHERE store_id = $1), \
                   (SELECT COUNT(*) FROM rules WHERE store_id = $1), \
                   (SELECT COUNT(*) FROM filters WHERE store_id = $1)";
        let row = sqlx::query(sql)
            .bind(self.store.as_str())
            .fetch_one(&mut *self.tx)
            .await
            .doing(doing)?;
        Ok(RecordCounts {
            synonyms: row.try_get(0).doing(doing)?,
            rules: row.try_get(1).doing(doing)?,
            filters: row.try_get(2).doing(doing)?,
        })
    }
}
