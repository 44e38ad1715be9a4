//! Statements that read and write documents in batches.

use crate::error::{Doing, StorageError};
use crate::purges::BEFORE_ALL;
use crate::rows::{IDS_MAX, placeholders, values};
use crate::{FeedWrite, IndexState};
use domain::{IndexId, Timestamp};
use sqlx::any::AnyRow;
use sqlx::{AssertSqlSafe, Row};
use std::collections::HashMap;

/// The row of a document, without its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DocumentRow {
    /// Its number in the index, assigned once; negative for a deletion mark of an id without a document.
    pub ordinal: i64,
    /// When it was built by the shop, in milliseconds.
    pub rev: i64,
    /// The shop's hash of it.
    pub hash: String,
    /// Hash of the stored text.
    pub body_hash: i64,
    /// Hash of the analysed text.
    pub text_hash: i64,
    /// The index's sequence at the last change.
    pub seq: i64,
    /// The index's sequence at the last change of its analysed text.
    pub text_seq: i64,
    /// The index's number of writes at its last write of any kind, or at the purge during whose sweep a run saw it.
    pub written: i64,
    /// Number of the last run that sent or touched it; 0 if none did.
    pub seen_run: i64,
    /// When it was deleted, if it is.
    pub deleted_at: Option<Timestamp>,
    /// When its content was last received; `None` if that was before this was stored.
    pub received_at: Option<Timestamp>,
    /// Whether something of it was cut off because it was too long.
    pub clipped: bool,
}

impl DocumentRow {
    /// Returns whether the row is a deletion mark.
    pub fn is_mark(&self) -> bool {
        self.deleted_at.is_some()
    }

    /// Returns whether it is a deletion mark of an id without a document.
    pub fn is_of_no_document(&self) -> bool {
        self.ordinal < 0
    }

    /// Returns the row as it is after the sweep of the last clear and purge of the index.
    fn followed(mut self, state: &IndexState) -> Self {
        if self.written <= state.cleared_writes {
            self.deleted_at = self.deleted_at.or(Some(Timestamp(0)));
            self.rev = BEFORE_ALL;
            return self;
        }
        if let Some(purging) = state.purging
            && !self.is_mark()
            && self.seen_run != purging.run
            && self.written <= purging.opened_writes
        {
            self.deleted_at = Some(Timestamp(0));
            self.written = purging.written;
            // A sequence number of the purge, so that the row counts as purged.
            self.seq = purging.last;
        }
        if self.is_mark() && self.written <= state.forgiven_writes {
            self.rev = BEFORE_ALL;
        }
        self
    }
}

fn document(row: &AnyRow) -> Result<(String, DocumentRow), sqlx::Error> {
    Ok((
        row.try_get("id")?,
        DocumentRow {
            ordinal: row.try_get("ordinal")?,
            rev: row.try_get("rev")?,
            hash: row.try_get("hash")?,
            body_hash: row.try_get("body_hash")?,
            text_hash: row.try_get("text_hash")?,
            seq: row.try_get("seq")?,
            text_seq: row.try_get("text_seq")?,
            written: row.try_get("written")?,
            seen_run: row.try_get("seen_run")?,
            deleted_at: row.try_get::<Option<i64>, _>("deleted_at")?.map(Timestamp),
            received_at: row.try_get::<Option<i64>, _>("received_at")?.map(Timestamp),
            clipped: row.try_get::<i64, _>("clipped")? != 0,
        },
    ))
}

impl FeedWrite {
    /// Returns the rows of `ids`, including deletion marks, by id. A row that was cleared or purged but not swept yet
    /// is returned as the deletion mark it will become.
    pub async fn documents(
        &mut self,
        state: &IndexState,
        ids: &[&str],
    ) -> Result<HashMap<String, DocumentRow>, StorageError> {
        let doing = "reading the documents of a block";
        let mut found = HashMap::with_capacity(ids.len());
        for part in ids.chunks(IDS_MAX) {
            let sql = format!(
                "SELECT id, ordinal, rev, hash, body_hash, text_hash, seq, text_seq, written, seen_run, deleted_at, \
                 received_at, clipped FROM documents WHERE index_id = $1 AND id IN ({})",
                placeholders(part.len(), 1)
            );
            let sql = AssertSqlSafe(self.tx.in_order(sql));
            let mut query = sqlx::query(sql).bind(state.id.0);
            for id in part {
                query = query.bind(*id);
            }
            for row in query.fetch_all(&mut *self.tx).await.doing(doing)? {
                let (id, row) = document(&row).doing(doing)?;
                found.insert(id, row.followed(state));
            }
        }
        Ok(found)
    }

    /// Assigns an ordinal to the deletion mark of `id`, which had no document until now.
    pub async fn number_mark(
        &mut self,
        index: IndexId,
        id: &str,
        ordinal: i64,
    ) -> Result<(), StorageError> {
        sqlx::query("UPDATE documents SET ordinal = $3 WHERE index_id = $1 AND id = $2")
            .bind(index.0)
            .bind(id)
            .bind(ordinal)
            .execute(&mut *self.tx)
            .await
            .doing("giving a document its number")?;
        Ok(())
    }

    /// Inserts or updates rows; the ordinal of an existing row does not change.
    pub async fn put_documents(
        &mut self,
        index: IndexId,
        rows: &[(&str, &DocumentRow)],
    ) -> Result<(), StorageError> {
        for part in rows.chunks(self.tx.rows_max()) {
            let sql = format!(
                "INSERT INTO documents (index_id, id, ordinal, rev, hash, body_hash, text_hash, seq, text_seq, \
                 written, seen_run, deleted, deleted_at, received_at, clipped) VALUES {} ON CONFLICT (index_id, id) DO UPDATE SET \
                 rev = excluded.rev, hash = excluded.hash, body_hash = excluded.body_hash, \
                 text_hash = excluded.text_hash, seq = excluded.seq, text_seq = excluded.text_seq, \
                 written = excluded.written, seen_run = excluded.seen_run, deleted = excluded.deleted, \
                 deleted_at = excluded.deleted_at, received_at = excluded.received_at, clipped = excluded.clipped",
                values(part.len(), &[], 0, 15)
            );
            let mut query = sqlx::query(AssertSqlSafe(self.tx.in_order(sql)));
            for (id, row) in part {
                query = query
                    .bind(index.0)
                    .bind(*id)
                    .bind(row.ordinal)
                    .bind(row.rev)
                    .bind(row.hash.as_str())
                    .bind(row.body_hash)
                    .bind(row.text_hash)
                    .bind(row.seq)
                    .bind(row.text_seq)
                    .bind(row.written)
                    .bind(row.seen_run)
                    .bind(i64::from(row.is_mark()))
                    .bind(row.deleted_at.map(|t| t.0))
                    .bind(row.received_at.map(|t| t.0))
                    .bind(i64::from(row.clipped));
            }
            query
                .execute(&mut *self.tx)
                .await
                .doing("writing the documents of a block")?;
        }
        Ok(())
    }

    /// Inserts or updates the texts of documents, by ordinal.
    pub async fn put_bodies(
        &mut self,
        index: IndexId,
        bodies: &[(i64, &str)],
    ) -> Result<(), StorageError> {
        for part in bodies.chunks(self.tx.rows_max()) {
            let sql = format!(
                "INSERT INTO document_bodies (index_id, ordinal, body) VALUES {} \
                 ON CONFLICT (index_id, ordinal) DO UPDATE SET body = excluded.body",
                values(part.len(), &[], 0, 3)
            );
            let mut query = sqlx::query(AssertSqlSafe(self.tx.in_order(sql)));
            for (ordinal, body) in part {
                query = query.bind(index.0).bind(*ordinal).bind(*body);
            }
            query
                .execute(&mut *self.tx)
                .await
                .doing("writing the texts of a block")?;
        }
        Ok(())
    }

    /// Deletes the texts of deleted documents, by ordinal.
    pub async fn drop_bodies(
        &mut self,
        index: IndexId,
        ordinals: &[i64],
    ) -> Result<(), StorageError> {
        for part in ordinals.chunks(IDS_MAX) {
            let sql = format!(
                "DELETE FROM document_bodies WHERE index_id = $1 AND ordinal IN ({})",
                placeholders(part.len(), 1)
            );
            let sql = AssertSqlSafe(self.tx.in_order(sql));
            let mut query = sqlx::query(sql).bind(index.0);
            for ordinal in part {
                query = query.bind(*ordinal);
            }
            query
                .execute(&mut *self.tx)
                .await
                .doing("deleting the texts of deleted documents")?;
        }
        Ok(())
    }
}
