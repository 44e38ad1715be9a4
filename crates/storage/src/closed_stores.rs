//! Statements on stores that were closed: for some days they can be reopened, then they are removed in portions.

use crate::error::{Doing, StorageError};
use crate::write::TELLING;
use crate::writer::{Party, Transaction};
use crate::{Administration, Storage};
use domain::access::AccountPermit;
use domain::{AccountId, IndexId, StoreId, Timestamp};
use sqlx::Row;

/// A store that was closed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClosedStoreRow {
    /// Its id.
    pub id: StoreId,
    /// Its account.
    pub account: AccountId,
    /// Its name.
    pub name: String,
    /// When it was closed.
    pub closed_at: Timestamp,
    /// How much of it is removed in percent, once its removal has begun.
    pub removed_percent: Option<u8>,
}

/// Number of rows of documents of the store `$1`.
macro_rules! document_rows {
    ($store:literal) => {
        concat!(
            "(SELECT COUNT(*) FROM documents d JOIN indices i ON i.id = d.index_id WHERE i.store_id = ",
            $store,
            ") + (SELECT COUNT(*) FROM document_bodies b JOIN indices i ON i.id = b.index_id WHERE i.store_id = ",
            $store,
            ")"
        )
    };
}

/// Marks the store `$1` as being removed, with the rows that it has at the beginning.
macro_rules! begin_removal {
    () => {
        concat!(
            "UPDATE stores SET removing = CASE WHEN removing > 0 THEN removing ELSE 1 + ",
            document_rows!("$1"),
            " END"
        )
    };
}

/// The columns that [`closed`] reads.
macro_rules! columns {
    () => {
        concat!(
            "id, account_id, name, closed_at, removing, CASE WHEN removing > 0 THEN ",
            document_rows!("stores.id"),
            " ELSE 0 END AS rows_left"
        )
    };
}

/// Statements that remove rows of the store `$1` from a table with very many, at most `$2` at once, with that number.
const LARGE: &[(&str, i64)] = &[
    (
        "DELETE FROM document_bodies WHERE (index_id, ordinal) IN (SELECT b.index_id, b.ordinal FROM document_bodies b \
         JOIN indices i ON i.id = b.index_id WHERE i.store_id = $1 LIMIT $2)",
        64,
    ),
    (
        "DELETE FROM documents WHERE (index_id, ordinal) IN (SELECT d.index_id, d.ordinal FROM documents d \
         JOIN indices i ON i.id = d.index_id WHERE i.store_id = $1 LIMIT $2)",
        500,
    ),
    (
        "DELETE FROM run_scopes WHERE run_number IN (SELECT s.run_number FROM run_scopes s \
         JOIN runs r ON r.number = s.run_number WHERE r.store_id = $1 LIMIT $2)",
        500,
    ),
    (
        "DELETE FROM runs WHERE number IN (SELECT number FROM runs WHERE store_id = $1 LIMIT $2)",
        500,
    ),
    (
        "DELETE FROM former_states WHERE (store_id, resource, revision) IN \
         (SELECT store_id, resource, revision FROM former_states WHERE store_id = $1 LIMIT $2)",
        50,
    ),
    (
        "DELETE FROM synonyms WHERE id IN (SELECT id FROM synonyms WHERE store_id = $1 LIMIT $2)",
        500,
    ),
    (
        "DELETE FROM rules WHERE id IN (SELECT id FROM rules WHERE store_id = $1 LIMIT $2)",
        100,
    ),
    (
        "DELETE FROM filters WHERE id IN (SELECT id FROM filters WHERE store_id = $1 LIMIT $2)",
        100,
    ),
];

/// Statements that remove the rows of a store from tables with few, each before those that it refers to.
const SMALL: &[&str] = &[
    "DELETE FROM progress WHERE index_id IN (SELECT id FROM indices WHERE store_id = $1)",
    "DELETE FROM rebuilds WHERE index_id IN (SELECT id FROM indices WHERE store_id = $1)",
    "DELETE FROM rejections WHERE index_id IN (SELECT id FROM indices WHERE store_id = $1)",
    "DELETE FROM former_installation_keys WHERE store_id = $1",
    "DELETE FROM installations WHERE store_id = $1",
    "DELETE FROM connectors WHERE store_id = $1",
    "DELETE FROM relevance WHERE store_id = $1",
    "DELETE FROM declarations WHERE store_id = $1",
    "DELETE FROM widgets WHERE store_id = $1",
    "DELETE FROM custom_code WHERE store_id = $1",
    "DELETE FROM hidden_queries WHERE store_id = $1",
    "DELETE FROM watched_queries WHERE store_id = $1",
    "DELETE FROM impact_samples WHERE store_id = $1",
    "DELETE FROM proposals WHERE store_id = $1",
    "DELETE FROM source_fetches WHERE source_id IN (SELECT id FROM sources WHERE store_id = $1)",
    "DELETE FROM sources WHERE store_id = $1",
    "DELETE FROM imports WHERE store_id = $1",
    "DELETE FROM keys WHERE store_id = $1",
    "DELETE FROM indices WHERE store_id = $1",
    "DELETE FROM stores WHERE id = $1",
];

/// Revisions that are removed at once.
const REVISIONS: i64 = 50;

impl Administration {
    /// Closes a store of an account that has this name; returns whether it was open.
    pub async fn close_store(
        &mut self,
        permit: &AccountPermit,
        store: &StoreId,
        name: &str,
        at: Timestamp,
    ) -> Result<bool, StorageError> {
        let sql = "UPDATE stores SET closed_at = $4, version = version + 1 \
                   WHERE id = $1 AND account_id = $2 AND name = $3 AND closed_at IS NULL";
        let closed = sqlx::query(sql)
            .bind(store.as_str())
            .bind(permit.account().as_str())
            .bind(name)
            .bind(at.0)
            .execute(&mut *self.tx)
            .await
            .doing("closing a store")?;
        self.tx.tell(store).await.doing(TELLING)?;
        Ok(closed.rows_affected() > 0)
    }

    /// Opens a store again that was closed after `closed_after`, and whose removal has not begun; returns it as it was.
    pub async fn reopen_store(
        &mut self,
        store: &StoreId,
        closed_after: Timestamp,
    ) -> Result<Option<ClosedStoreRow>, StorageError> {
        let doing = "opening a closed store";
        // The row is locked first: what is returned is what is changed, and no removal begins in between.
        let lock =
            "UPDATE stores SET name = name WHERE id = $1 AND closed_at > $2 AND removing = 0";
        let locked = sqlx::query(lock)
            .bind(store.as_str())
            .bind(closed_after.0)
            .execute(&mut *self.tx)
            .await
            .doing(doing)?;
        if locked.rows_affected() == 0 {
            return Ok(None);
        }
        let sql = concat!("SELECT ", columns!(), " FROM stores WHERE id = $1");
        let row = sqlx::query(sql).bind(store.as_str());
        let row = row.fetch_one(&mut *self.tx).await.doing(doing)?;
        let row = closed(&row).doing(doing)?;
        sqlx::query("UPDATE stores SET closed_at = NULL, version = version + 1 WHERE id = $1")
            .bind(store.as_str())
            .execute(&mut *self.tx)
            .await
            .doing(doing)?;
        Ok(Some(row))
    }
}

impl Administration {
    /// Begins to remove a closed store with this name, whatever the time; returns whether there is one. It cannot be
    /// opened again.
    pub async fn begin_removal(
        &mut self,
        store: &StoreId,
        name: &str,
    ) -> Result<bool, StorageError> {
        let sql = concat!(
            begin_removal!(),
            " WHERE id = $1 AND name = $2 AND closed_at IS NOT NULL"
        );
        let begun = sqlx::query(sql)
            .bind(store.as_str())
            .bind(name)
            .execute(&mut *self.tx)
            .await
            .doing("beginning to remove a closed store")?;
        Ok(begun.rows_affected() > 0)
    }
}

impl Storage {
    /// Returns all closed stores, or those of one account, the first one to be removed first.
    pub async fn closed_stores(
        &self,
        account: Option<&AccountPermit>,
    ) -> Result<Vec<ClosedStoreRow>, StorageError> {
        let doing = "reading the closed stores";
        let sql = concat!(
            "SELECT ",
            columns!(),
            " FROM stores WHERE closed_at IS NOT NULL AND ($1 = '' OR account_id = $1) ORDER BY closed_at, id"
        );
        let account = account.map_or("", |permit| permit.account().as_str());
        let rows = sqlx::query(sql).bind(account).fetch_all(&self.bulk);
        let rows = rows.await.doing(doing)?;
        rows.iter().map(|row| closed(row).doing(doing)).collect()
    }

    /// Returns the ids of all stores, also of closed ones.
    pub async fn all_store_ids(&self) -> Result<Vec<StoreId>, StorageError> {
        let doing = "reading the ids of all stores";
        let rows = sqlx::query("SELECT id FROM stores").fetch_all(&self.read);
        let rows = rows.await.doing(doing)?;
        let ids = rows.iter().map(|row| row.try_get(0).map(StoreId));
        ids.collect::<Result<_, _>>().doing(doing)
    }

    /// Returns the stores that were closed at `closed_before` or earlier, or whose removal has begun.
    pub async fn stores_to_remove(
        &self,
        closed_before: Timestamp,
    ) -> Result<Vec<StoreId>, StorageError> {
        let doing = "looking for stores to remove";
        let sql =
            "SELECT id FROM stores WHERE closed_at <= $1 OR removing > 0 ORDER BY closed_at, id";
        let rows = sqlx::query(sql).bind(closed_before.0).fetch_all(&self.read);
        let rows = rows.await.doing(doing)?;
        let ids = rows.iter().map(|row| row.try_get(0).map(StoreId));
        ids.collect::<Result<_, _>>().doing(doing)
    }

    /// Begins to remove a store, from which on it cannot be opened again; returns its indices, or `None` if it was opened
    /// in the meantime.
    pub async fn begin_removal(
        &self,
        store: &StoreId,
        closed_before: Timestamp,
    ) -> Result<Option<Vec<IndexId>>, StorageError> {
        let doing = "beginning to remove a store";
        let mut tx = self.writer.begin(Party::System).await.doing(doing)?;
        let sql = concat!(
            begin_removal!(),
            " WHERE id = $1 AND (closed_at <= $2 OR removing > 0)"
        );
        let marked = sqlx::query(sql)
            .bind(store.as_str())
            .bind(closed_before.0)
            .execute(&mut *tx)
            .await
            .doing(doing)?;
        if marked.rows_affected() == 0 {
            return Ok(None);
        }
        let rows = sqlx::query("SELECT id FROM indices WHERE store_id = $1 ORDER BY id")
            .bind(store.as_str())
            .fetch_all(&mut *tx)
            .await
            .doing(doing)?;
        let ids = rows.iter().map(|row| row.try_get(0).map(IndexId));
        let ids = ids.collect::<Result<_, _>>().doing(doing)?;
        tx.commit().await.doing(doing)?;
        Ok(Some(ids))
    }

    /// Removes the next portion of a store whose removal has begun, in one short write; returns the number of rows, 0 once
    /// nothing is left but its audit trail.
    pub async fn remove_portion(&self, store: &StoreId) -> Result<u64, StorageError> {
        let doing = "removing a portion of a store";
        let mut tx = self.writer.begin(Party::System).await.doing(doing)?;
        let sql = "SELECT removing FROM stores WHERE id = $1 AND removing > 0";
        let removing = sqlx::query(sql).bind(store.as_str());
        if removing
            .fetch_optional(&mut *tx)
            .await
            .doing(doing)?
            .is_none()
        {
            return Ok(0);
        }
        let rows = portion(&mut tx, store).await.doing(doing)?;
        tx.commit().await.doing(doing)?;
        Ok(rows)
    }
}

/// Removes rows of the first large table that has some, or else all that is left.
async fn portion(tx: &mut Transaction, store: &StoreId) -> Result<u64, sqlx::Error> {
    for (sql, rows) in LARGE {
        let done = sqlx::query(*sql).bind(store.as_str()).bind(*rows);
        let rows = done.execute(&mut **tx).await?.rows_affected();
        if rows > 0 {
            return Ok(rows);
        }
    }
    let revisions = revisions(tx, store).await?;
    if revisions > 0 {
        return Ok(revisions);
    }
    let mut rows = 0;
    for sql in SMALL {
        let done = sqlx::query(*sql).bind(store.as_str());
        rows += done.execute(&mut **tx).await?.rows_affected();
    }
    // Their indexes are gone, too.
    tx.tell(store).await?;
    Ok(rows)
}

/// Removes the oldest revisions of a store. The audit trail stays, and takes over the changes that only they hold.
async fn revisions(tx: &mut Transaction, store: &StoreId) -> Result<u64, sqlx::Error> {
    let sql = "SELECT MAX(revision) FROM (SELECT revision FROM revisions WHERE store_id = $1 \
               ORDER BY revision LIMIT $2) AS oldest";
    let last = sqlx::query(sql).bind(store.as_str()).bind(REVISIONS);
    let last: Option<i64> = last.fetch_one(&mut **tx).await?.try_get(0)?;
    let Some(last) = last else {
        return Ok(0);
    };
    let keep = "UPDATE audit SET changes = (SELECT r.changes FROM revisions r \
                WHERE r.store_id = audit.store_id AND r.revision = audit.revision) \
                WHERE store_id = $1 AND changes = '' AND revision <= $2 \
                AND revision IN (SELECT revision FROM revisions WHERE store_id = $1 AND revision <= $2)";
    let kept = sqlx::query(keep).bind(store.as_str()).bind(last);
    kept.execute(&mut **tx).await?;
    let sql = "DELETE FROM revisions WHERE store_id = $1 AND revision <= $2";
    let done = sqlx::query(sql).bind(store.as_str()).bind(last);
    Ok(done.execute(&mut **tx).await?.rows_affected())
}

fn closed(row: &sqlx::any::AnyRow) -> Result<ClosedStoreRow, sqlx::Error> {
    Ok(ClosedStoreRow {
        id: StoreId(row.try_get("id")?),
        account: AccountId(row.try_get("account_id")?),
        name: row.try_get("name")?,
        closed_at: Timestamp(row.try_get("closed_at")?),
        removed_percent: percent(row.try_get("removing")?, row.try_get("rows_left")?),
    })
}

/// Returns how much was removed of `removing` rows, of which `left` are left; `None` before it begins.
fn percent(removing: i64, left: i64) -> Option<u8> {
    let total = (removing > 0).then(|| removing.max(left))?;
    u8::try_from((total - left) * 100 / total).ok()
}

#[cfg(test)]
mod tests {
    //! 1. Every table that refers to stores is emptied before a store is removed.
    //! 2. The share that is removed starts at 0, grows to 100, and does not exist before the removal.

    use super::{LARGE, SMALL, percent};
    use std::fs;

    #[test]
    fn no_table_of_a_store_is_forgotten() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../migrations");
        let mut tables = 0;
        for file in fs::read_dir(folder).expect("the migrations") {
            let text = fs::read_to_string(file.expect("a file").path()).expect("text");
            for statement in text.split(';') {
                let Some((_, table)) = statement.split_once("CREATE TABLE ") else {
                    continue;
                };
                let (name, columns) = table.split_once(" (").expect("columns");
                if !columns.contains("REFERENCES stores")
                    && !columns.contains("REFERENCES installations")
                    && !columns.contains("REFERENCES indices")
                {
                    continue;
                }
                if name == "revisions" {
                    continue;
                }
                let delete = format!("DELETE FROM {name} ");
                let large = LARGE.iter().map(|(sql, _)| *sql);
                let deleted = large
                    .chain(SMALL.iter().copied())
                    .any(|sql| sql.starts_with(&delete));
                assert!(deleted, "{name} keeps rows of removed stores");
                tables += 1;
            }
        }
        assert!(tables > 12, "{tables}");
    }

    #[test]
    fn the_share_that_is_removed() {
        assert_eq!(percent(0, 0), None);
        assert_eq!(percent(101, 100), Some(0));
        assert_eq!(percent(101, 38), Some(62));
        assert_eq!(percent(101, 0), Some(100));
        assert_eq!(percent(1, 0), Some(100));
        assert_eq!(percent(11, 20), Some(0), "documents that came in between");
    }
}
