//! What the search index reads, in pages: changes after its watermark, all live documents, and what a purge took out.

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

/// How much a page holds at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageSize {
    /// Documents, at least 1.
    pub documents: usize,
    /// Bytes of their texts; a document that has more alone is a page of its own.
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

/// Changes of an index that are one step for who searches it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BulkRemovals {
    /// Number of the change that emptied the index last; 0 when it never was.
    pub cleared: i64,
    /// The last purge; none when there never was one.
    pub removal: Option<Removal>,
}

/// The changes of one purge. Until the rows have followed, [`Storage::removed_ordinals`] alone tells of all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Removal {
    /// Number of the first change.
    pub first: i64,
    /// Number of the last one.
    pub last: i64,
}

/// The rows of `d` that are documents: neither deleted, nor taken out by a clear or purge that they have yet to follow.
/// `i` is the index.
macro_rules! live {
    () => {
        "d.deleted = 0 AND d.written > i.cleared_writes \
         AND (i.purge_run IS NULL OR d.seen_run = i.purge_run OR d.written > i.purge_opened)"
    };
}
pub(crate) use live;

/// The rows of `d` that a purge took out and that have yet to follow it.
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
    /// The next documents of the index that changed after `seq`, deleted ones included, by `seq`.
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

    /// The next documents of the index that are live, by ordinal, after `after_ordinal`.
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

    /// The rows that `from` selects, by `key` after `after`. Their sizes are asked for first, because whoever reads the
    /// texts has several in memory before it can stop.
    async fn page(
        &self,
        (from, key): (&'static str, &'static str),
        (index, after): (IndexId, i64),
        size: PageSize,
    ) -> Result<Page, sqlx::Error> {
        let mut tx = self.bulk.begin().await?;
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

    /// The changes of the index that are one step for who searches it.
    pub async fn bulk_removals(&self, index: IndexId) -> Result<BulkRemovals, StorageError> {
        let doing = "asking when an index was emptied or purged";
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

    /// The next `limit` ordinals of the documents that the purge `removal` took out, after `after`, whether or not their
    /// rows have followed it. One that came back since is left out: its own change is a later one.
    pub async fn removed_ordinals(
        &self,
        index: IndexId,
        removal: Removal,
        after: Option<u32>,
        limit: usize,
    ) -> Result<Vec<u32>, StorageError> {
        let doing = "reading what a purge took out";
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
