//! Pages of documents for the search index: changes after its watermark, all live documents, and purged ones.

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
    /// The index's sequence at the last change of its analysed text.
    pub text_seq: i64,
    /// Whether it is deleted.
    pub deleted: bool,
    /// Its JSON text; empty if it is deleted.
    pub body: String,
}

/// The maximum size of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageSize {
    /// Documents, at least 1.
    pub documents: usize,
    /// Bytes of their texts; a larger document is a page of its own.
    pub bytes: usize,
}

/// A page of documents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// The documents.
    pub documents: Vec<StoredDocument>,
    /// Whether another page may follow.
    pub more: bool,
}

/// The last clear and purge of an index, each of which searches see as a single change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BulkRemovals {
    /// Sequence number of the last clear; 0 if there was none.
    pub cleared: i64,
    /// The last purge, if there was one.
    pub removal: Option<Removal>,
}

/// The sequence numbers of one purge. Until its sweep is done, only [`Storage::removed_ordinals`] returns all purged
/// documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Removal {
    /// First sequence number.
    pub first: i64,
    /// Last sequence number.
    pub last: i64,
}

/// Condition on rows `d` that are live: not deleted, and not removed by a clear or purge that is not swept yet. `i` is
/// the index.
macro_rules! live {
    () => {
        "d.deleted = 0 AND d.written > i.cleared_writes \
         AND (i.purge_run IS NULL OR d.seen_run = i.purge_run OR d.written > i.purge_opened)"
    };
}
pub(crate) use live;

/// Condition on rows `d` that were purged but not swept yet.
macro_rules! doomed {
    () => {
        "d.deleted = 0 AND d.written > i.cleared_writes AND i.purge_run IS NOT NULL \
         AND d.seen_run <> i.purge_run AND d.written <= i.purge_opened"
    };
}
pub(crate) use doomed;

const CHANGES: &str = "FROM documents d \
                       LEFT JOIN document_bodies b ON b.index_id = d.index_id AND b.ordinal = d.ordinal \
                       WHERE d.index_id = $1 AND d.seq > $2";
const LIVE: &str = concat!(
    "FROM documents d JOIN indices i ON i.id = d.index_id \
     JOIN document_bodies b ON b.index_id = d.index_id AND b.ordinal = d.ordinal \
     WHERE d.index_id = $1 AND d.ordinal > $2 AND ",
    live!()
);

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
    /// Returns the next documents of the index that changed after `seq`, including deleted ones, ordered by `seq`.
    pub async fn changes_after(
        &self,
        index: IndexId,
        seq: i64,
        size: PageSize,
    ) -> Result<Page, StorageError> {
        let doing = "reading the changes of an index";
        self.page((CHANGES, "d.seq"), (index, seq), size)
            .await
            .doing(doing)
    }

    /// Returns the next live documents of the index after `after_ordinal`, ordered by ordinal.
    pub async fn live_documents(
        &self,
        index: IndexId,
        after_ordinal: Option<u32>,
        size: PageSize,
    ) -> Result<Page, StorageError> {
        let doing = "reading the documents of an index";
        let after = after_ordinal.map_or(-1, i64::from);
        self.page((LIVE, "d.ordinal"), (index, after), size)
            .await
            .doing(doing)
    }

    /// Returns the rows that `from` selects after `after`, ordered by `key`. Their sizes are read first, because
    /// several texts would already be in memory before reading could stop.
    async fn page(
        &self,
        (from, key): (&'static str, &'static str),
        (index, after): (IndexId, i64),
        size: PageSize,
    ) -> Result<Page, sqlx::Error> {
        let mut tx = self.snapshot().await?;
        let sql = format!(
            "SELECT {key} AS place, COALESCE(OCTET_LENGTH(b.body), 0) AS bytes {from} ORDER BY {key} LIMIT $3"
        );
        let sizes = sqlx::query(sqlx::AssertSqlSafe(sql))
            .bind(index.0)
            .bind(after)
            .bind(i64::try_from(size.documents.max(1)).unwrap_or(i64::MAX))
            .fetch_all(&mut *tx)
            .await?;
        let (mut last, mut bytes, mut taken) = (None, 0_usize, 0);
        for row in &sizes {
            bytes = bytes.saturating_add(row.try_get::<i64, _>("bytes")?.unsigned_abs() as usize);
            if bytes > size.bytes && taken > 0 {
                break;
            }
            last = Some(row.try_get::<i64, _>("place")?);
            taken += 1;
        }
        let Some(last) = last else {
            return Ok(Page {
                documents: Vec::new(),
                more: false,
            });
        };
        let more = taken < sizes.len() || taken >= size.documents.max(1);
        drop(sizes);
        let sql = format!(
            "SELECT d.ordinal, d.id, d.seq, d.text_seq, d.deleted, COALESCE(b.body, '') AS body {from} \
             AND {key} <= $3 ORDER BY {key}"
        );
        let rows = sqlx::query(sqlx::AssertSqlSafe(sql))
            .bind(index.0)
            .bind(after)
            .bind(last)
            .fetch_all(&mut *tx)
            .await?;
        let documents = rows.iter().map(stored).collect::<Result<_, _>>()?;
        Ok(Page { documents, more })
    }

    /// Returns the last clear and purge of the index.
    pub async fn bulk_removals(&self, index: IndexId) -> Result<BulkRemovals, StorageError> {
        let doing = "reading the last clear and purge of an index";
        let sql = "SELECT cleared, purge_first, purge_last FROM indices WHERE id = $1";
        let row = sqlx::query(sql)
            .bind(index.0)
            .fetch_optional(&self.read)
            .await
            .doing(doing)?;
        let Some(row) = row else {
            return Ok(BulkRemovals::default());
        };
        let number = |name: &str| row.try_get::<i64, _>(name).doing(doing);
        let removal = Removal {
            first: number("purge_first")?,
            last: number("purge_last")?,
        };
        Ok(BulkRemovals {
            cleared: number("cleared")?,
            removal: (removal.last > 0).then_some(removal),
        })
    }

    /// Returns the next `limit` ordinals after `after` of the documents that the purge `removal` removed, swept or not.
    /// A document that was added again since is left out: it has a later change.
    pub async fn removed_ordinals(
        &self,
        index: IndexId,
        removal: Removal,
        after: Option<u32>,
        limit: usize,
    ) -> Result<Vec<u32>, StorageError> {
        let doing = "reading the documents of a purge";
        let sql = concat!(
            "SELECT d.ordinal FROM documents d JOIN indices i ON i.id = d.index_id \
             WHERE d.index_id = $1 AND d.ordinal > $2 \
             AND ((d.deleted = 1 AND d.seq >= $3 AND d.seq <= $4) OR (",
            doomed!(),
            ")) ORDER BY d.ordinal LIMIT $5"
        );
        sqlx::query(sql)
            .bind(index.0)
            .bind(after.map_or(-1, i64::from))
            .bind(removal.first)
            .bind(removal.last)
            .bind(i64::try_from(limit).unwrap_or(i64::MAX))
            .fetch_all(&self.bulk)
            .await
            .doing(doing)?
            .iter()
            .map(|row| {
                let ordinal: i64 = row.try_get(0)?;
                u32::try_from(ordinal).map_err(|e| sqlx::Error::Decode(e.into()))
            })
            .collect::<Result<_, _>>()
            .doing(doing)
    }
}
