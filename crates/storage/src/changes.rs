//! What the search index reads: changes after its watermark, and all live documents for a rebuild.

use crate::Storage;
use crate::error::{Doing, StorageError};
use domain::IndexId;
use sqlx::Row;
use sqlx::any::AnyRow;

/// A document as the search index needs it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredDocument {
    /// Its number in the index.
    pub ordinal: u32,
    /// The shop's id.
    pub id: String,
    /// The index's sequence at its last change.
    pub seq: i64,
    /// The index's sequence at the last change of what is analysed.
    pub text_seq: i64,
    /// Whether it is deleted.
    pub deleted: bool,
    /// Its JSON text; empty when it is deleted.
    pub body: String,
}

fn stored(row: &AnyRow) -> Result<StoredDocument, sqlx::Error> {
    let ordinal: i64 = row.try_get("ordinal")?;
    Ok(StoredDocument {
        ordinal: u32::try_from(ordinal).map_err(|e| sqlx::Error::Decode(e.into()))?,
        id: row.try_get("id")?,
        seq: row.try_get("seq")?,
        text_seq: row.try_get("text_seq")?,
        deleted: row.try_get::<i64, _>("deleted")? != 0,
        body: row.try_get("body")?,
    })
}

impl Storage {
    /// The next `limit` documents of the index that changed after `seq`, deleted ones included, by `seq`.
    pub async fn changes_after(
        &self,
        index: IndexId,
        seq: i64,
        limit: usize,
    ) -> Result<Vec<StoredDocument>, StorageError> {
        let doing = "reading the changes of an index";
        let sql = "SELECT d.ordinal, d.id, d.seq, d.text_seq, d.deleted, COALESCE(b.body, '') AS body \
                   FROM documents d LEFT JOIN document_bodies b ON b.index_id = d.index_id AND b.ordinal = d.ordinal \
                   WHERE d.index_id = $1 AND d.seq > $2 ORDER BY d.seq LIMIT $3";
        sqlx::query(sql)
            .bind(index.0)
            .bind(seq)
            .bind(i64::try_from(limit).unwrap_or(i64::MAX))
            .fetch_all(&self.read)
            .await
            .doing(doing)?
            .iter()
            .map(|row| stored(row).doing(doing))
            .collect()
    }

    /// The next `limit` documents of the index that are not deleted, by ordinal, after `after_ordinal`.
    pub async fn live_documents(
        &self,
        index: IndexId,
        after_ordinal: Option<u32>,
        limit: usize,
    ) -> Result<Vec<StoredDocument>, StorageError> {
        let doing = "reading the documents of an index";
        let sql = "SELECT d.ordinal, d.id, d.seq, d.text_seq, d.deleted, b.body \
                   FROM documents d JOIN document_bodies b ON b.index_id = d.index_id AND b.ordinal = d.ordinal \
                   WHERE d.index_id = $1 AND d.deleted = 0 AND d.ordinal > $2 ORDER BY d.ordinal LIMIT $3";
        sqlx::query(sql)
            .bind(index.0)
            .bind(after_ordinal.map_or(-1, i64::from))
            .bind(i64::try_from(limit).unwrap_or(i64::MAX))
            .fetch_all(&self.read)
            .await
            .doing(doing)?
            .iter()
            .map(|row| stored(row).doing(doing))
            .collect()
    }
}
