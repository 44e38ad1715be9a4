//! `Sweep`: updates the rows of documents that a clear or purge removed, in portions; it resumes after a restart.

use crate::Storage;
use crate::changes::doomed;
use crate::error::{Doing, StorageError};
use crate::locks::lock_index;
use crate::purges::BEFORE_ALL;
use crate::rows::{IDS_MAX, placeholders};
use crate::writer::{Party, Transaction};
use domain::{IndexId, StoreId, Timestamp};
use sqlx::{AssertSqlSafe, Row};

/// Maximum bytes of texts that one portion deletes, unless a single document has more: deleting a text takes time in
/// proportion to its database pages.
const PORTION_BYTES: u64 = 16 * 1024 * 1024;

/// The progress through an index whose last clear or purge is not swept yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sweep {
    /// Its store.
    pub store: StoreId,
    /// The index.
    pub index: IndexId,
    /// The number of writes of the clear or purge.
    intent: i64,
    /// The last ordinal that was swept.
    after: i64,
}

impl Storage {
    /// Returns the indexes whose last clear or purge is not swept yet.
    pub async fn unswept(&self) -> Result<Vec<Sweep>, StorageError> {
        let doing = "looking for indexes to sweep";
        let sql = "SELECT id, store_id, unswept FROM indices WHERE unswept > 0 ORDER BY id";
        let rows = sqlx::query(sql).fetch_all(&self.read).await.doing(doing)?;
        rows.iter()
            .map(|row| {
                Ok(Sweep {
                    store: StoreId(row.try_get("store_id")?),
                    index: IndexId(row.try_get("id")?),
                    intent: row.try_get("unswept")?,
                    after: i64::MIN,
                })
            })
            .collect::<Result<_, _>>()
            .doing(doing)
    }

    /// Sweeps at most `rows` rows in one short write and returns their number; `None` if the index is swept, or a newer
    /// clear or purge needs a sweep of its own.
    pub async fn sweep(
        &self,
        sweep: &mut Sweep,
        rows: usize,
        at: Timestamp,
    ) -> Result<Option<u64>, StorageError> {
        let doing = "sweeping an index";
        let ordinals = self.unswept_rows(sweep, rows).await.doing(doing)?;
        let party = Party::Store(sweep.store.clone());
        let mut tx = self.writer.begin(party).await.doing(doing)?;
        lock_index(&mut tx, sweep.index).await.doing(doing)?;
        let Some(last) = ordinals.last() else {
            let sql =
                "UPDATE indices SET unswept = 0, purge_run = NULL WHERE id = $1 AND unswept = $2";
            sqlx::query(sql)
                .bind(sweep.index.0)
                .bind(sweep.intent)
                .execute(&mut *tx)
                .await
                .doing(doing)?;
            tx.commit().await.doing(doing)?;
            return Ok(None);
        };
        follow(&mut tx, sweep.index, &ordinals, at)
            .await
            .doing(doing)?;
        tx.commit().await.doing(doing)?;
        sweep.after = *last;
        Ok(Some(ordinals.len() as u64))
    }

    /// Finds the next rows on a read connection: in a large index this would block the writer for long.
    async fn unswept_rows(&self, sweep: &Sweep, rows: usize) -> Result<Vec<i64>, sqlx::Error> {
        let sql = concat!(
            "SELECT d.ordinal, COALESCE(OCTET_LENGTH(b.body), 0) AS bytes FROM documents d \
             JOIN indices i ON i.id = d.index_id \
             LEFT JOIN document_bodies b ON b.index_id = d.index_id AND b.ordinal = d.ordinal \
             WHERE d.index_id = $1 AND d.ordinal > $2 \
             AND ((d.written <= i.cleared_writes AND (d.deleted = 0 OR d.rev <> $3)) OR (",
            doomed!(),
            ")) ORDER BY d.ordinal LIMIT $4"
        );
        let found = sqlx::query(sql)
            .bind(sweep.index.0)
            .bind(sweep.after)
            .bind(BEFORE_ALL)
            .bind(i64::try_from(rows.clamp(1, IDS_MAX)).unwrap_or(1))
            .fetch_all(&self.bulk)
            .await?;
        let (mut ordinals, mut bytes) = (Vec::with_capacity(found.len()), 0_u64);
        for row in &found {
            bytes += row.try_get::<i64, _>("bytes")?.unsigned_abs();
            if bytes > PORTION_BYTES && !ordinals.is_empty() {
                break;
            }
            ordinals.push(row.try_get("ordinal")?);
        }
        Ok(ordinals)
    }
}

/// Turns those of the rows `ordinals` that are still cleared or purged into deletion marks without a text.
async fn follow(
    tx: &mut Transaction,
    index: IndexId,
    ordinals: &[i64],
    at: Timestamp,
) -> Result<(), sqlx::Error> {
    let cleared = format!(
        "UPDATE documents SET deleted = 1, deleted_at = $2, rev = $3 WHERE index_id = $1 \
         AND written <= (SELECT cleared_writes FROM indices WHERE id = $1) AND ordinal IN ({})",
        placeholders(ordinals.len(), 3)
    );
    let query = sqlx::query(AssertSqlSafe(cleared));
    let query = query.bind(index.0).bind(at.0).bind(BEFORE_ALL);
    let query = ordinals.iter().fold(query, |query, one| query.bind(*one));
    query.execute(&mut **tx).await?;
    // Each purged row gets the next sequence number reserved by the purge.
    let purged = format!(
        concat!(
            "UPDATE documents SET deleted = 1, deleted_at = $2, written = gone.purge_written, seq = gone.seq \
             FROM (SELECT d.ordinal, i.purge_written, \
             i.purge_next - 1 + ROW_NUMBER() OVER (ORDER BY d.ordinal) AS seq \
             FROM documents d JOIN indices i ON i.id = d.index_id WHERE d.index_id = $1 AND d.ordinal IN ({}) AND ",
            doomed!(),
            ") AS gone WHERE documents.index_id = $1 AND documents.ordinal = gone.ordinal"
        ),
        placeholders(ordinals.len(), 2)
    );
    let query = sqlx::query(AssertSqlSafe(purged));
    let query = query.bind(index.0).bind(at.0);
    let query = ordinals.iter().fold(query, |query, one| query.bind(*one));
    let count = query.execute(&mut **tx).await?.rows_affected();
    sqlx::query("UPDATE indices SET purge_next = purge_next + $2 WHERE id = $1")
        .bind(index.0)
        .bind(i64::try_from(count).unwrap_or(i64::MAX))
        .execute(&mut **tx)
        .await?;
    let list = placeholders(ordinals.len(), 1);
    let texts = format!(
        "DELETE FROM document_bodies WHERE index_id = $1 AND ordinal IN \
         (SELECT ordinal FROM documents WHERE index_id = $1 AND deleted = 1 AND ordinal IN ({list}))"
    );
    let query = sqlx::query(AssertSqlSafe(texts)).bind(index.0);
    let query = ordinals.iter().fold(query, |query, one| query.bind(*one));
    query.execute(&mut **tx).await?;
    Ok(())
}
