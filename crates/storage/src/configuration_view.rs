//! `ConfigurationView`: a consistent snapshot of the configuration of one store.

use crate::Storage;
use crate::error::{Doing, StorageError};
use crate::store_rows::{columns, store};
use domain::access::MayRead;
use domain::store::Store;
use domain::{Permit, StoreId};
use sqlx::{Any, Row, Transaction};

/// A snapshot of one store's configuration. It holds a connection, so a caller that has one reads everything through it.
pub struct ConfigurationView {
    pub(crate) tx: Transaction<'static, Any>,
    pub(crate) store: StoreId,
    revision: i64,
}

/// The number of records of each kind of a store.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are enough")]
pub struct RecordCounts {
    pub synonyms: i64,
    pub rules: i64,
    pub filters: i64,
}

/// The kinds of records of a configuration.
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
    /// Returns the name of the kind.
    pub fn name(self) -> &'static str {
        match self {
            Self::Synonym => "synonym group",
            Self::Rule => "rule",
            Self::Filter => "filter",
        }
    }
}

impl Storage {
    /// Opens a snapshot of the configuration of the permitted store; `None` if the store does not exist.
    pub async fn configuration_view(
        &self,
        permit: &Permit<impl MayRead>,
    ) -> Result<Option<ConfigurationView>, StorageError> {
        let store = permit.store();
        let doing = "opening a view of a configuration";
        let mut tx = self.snapshot().await.doing(doing)?;
        let row =
            sqlx::query("SELECT config_revision FROM stores WHERE id = $1 AND closed_at IS NULL")
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

    /// Returns whether the permitted store has the record `id`.
    pub async fn has_record(
        &self,
        permit: &Permit<impl MayRead>,
        kind: RecordKind,
        id: &str,
    ) -> Result<bool, StorageError> {
        let sql = match kind {
            RecordKind::Synonym => "SELECT 1 FROM synonyms WHERE store_id = $1 AND id = $2",
            RecordKind::Rule => "SELECT 1 FROM rules WHERE store_id = $1 AND id = $2",
            RecordKind::Filter => "SELECT 1 FROM filters WHERE store_id = $1 AND id = $2",
        };
        let row = sqlx::query(sql)
            .bind(permit.store().as_str())
            .bind(id)
            .fetch_optional(&self.read)
            .await
            .doing("looking for a record")?;
        Ok(row.is_some())
    }
}

impl ConfigurationView {
    /// Returns the revision of the snapshot.
    pub fn revision(&self) -> i64 {
        self.revision
    }

    /// Returns the store.
    pub async fn store(&mut self) -> Result<Store, StorageError> {
        let sql = concat!("SELECT ", columns!(), " FROM stores WHERE id = $1");
        sqlx::query(sql)
            .bind(self.store.as_str())
            .try_map(|row| store(&row))
            .fetch_one(&mut *self.tx)
            .await
            .doing("reading the store of a configuration")
    }

    /// Returns the sum of the sequence numbers of all indexes, which grows with each change of the catalogue.
    pub async fn catalogue_change(&mut self) -> Result<i64, StorageError> {
        let doing = "reading the changes of a catalogue";
        let sql =
            "SELECT CAST(COALESCE(SUM(sequence), 0) AS BIGINT) FROM indices WHERE store_id = $1";
        sqlx::query(sql)
            .bind(self.store.as_str())
            .fetch_one(&mut *self.tx)
            .await
            .and_then(|row| row.try_get(0))
            .doing(doing)
    }

    /// Returns the number of records of each kind.
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
