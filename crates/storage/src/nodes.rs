//! Statements by which several servers on one database hear of each other's changes, and share what one of them does.
//!
//! Instants in these tables are of the database's clock, so that those of the nodes may differ.

use crate::Storage;
use crate::error::{Doing, StorageError};
use crate::rows::{IDS_MAX, ROWS_MAX, placeholders};
use crate::writer::Party;
use domain::access::MayRead;
use domain::{IndexId, Permit, StoreId};
use sqlx::any::AnyRow;
use sqlx::{AssertSqlSafe, Row};
use std::time::Duration;

/// How far the changes of an index have come in the database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexPosition {
    /// The index.
    pub index: IndexId,
    /// Its store.
    pub store: StoreId,
    /// Number of the last change.
    pub sequence: i64,
    /// How many runs have purged it.
    pub completed_runs: i64,
}

/// How far the index of a node has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeProgress {
    /// The index.
    pub index: IndexId,
    /// Number of the last change that is searchable there.
    pub applied: i64,
    /// How long the oldest change has been waiting there.
    pub lag: Duration,
}

fn position(row: &AnyRow) -> Result<IndexPosition, sqlx::Error> {
    Ok(IndexPosition {
        index: IndexId(row.try_get("id")?),
        store: StoreId(row.try_get("store_id")?),
        sequence: row.try_get("sequence")?,
        completed_runs: row.try_get("completed_runs")?,
    })
}

/// Returns a time in the milliseconds of the tables of nodes.
pub(crate) fn ms(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}

impl Storage {
    /// Returns the version of the permitted store, which rises with every change of its configuration, declarations,
    /// languages and indices; `None` if it does not exist.
    pub async fn store_version(
        &self,
        permit: &Permit<impl MayRead>,
    ) -> Result<Option<i64>, StorageError> {
        let sql = "SELECT version FROM stores WHERE id = $1 AND closed_at IS NULL";
        sqlx::query(sql)
            .bind(permit.store().as_str())
            .try_map(|row: AnyRow| row.try_get(0))
            .fetch_optional(&self.read)
            .await
            .doing("reading the version of a store")
    }

    /// Returns the versions of those of `stores` that are open.
    pub async fn store_versions(
        &self,
        stores: &[StoreId],
    ) -> Result<Vec<(StoreId, i64)>, StorageError> {
        let doing = "reading the versions of stores";
        let mut versions = Vec::with_capacity(stores.len());
        for portion in stores.chunks(IDS_MAX) {
            let list = placeholders(portion.len(), 0);
            let sql = format!(
                "SELECT id, version FROM stores WHERE closed_at IS NULL AND id IN ({list})"
            );
            let query = sqlx::query(AssertSqlSafe(sql));
            let query = portion
                .iter()
                .fold(query, |query, one| query.bind(one.as_str()));
            let rows = query.fetch_all(&self.read).await.doing(doing)?;
            for row in rows {
                let version = || Ok((StoreId(row.try_get(0)?), row.try_get(1)?));
                versions.push(version().doing(doing)?);
            }
        }
        Ok(versions)
    }

    /// Returns what tells this database from a former state of it that was restored, and from one that a standby goes on with;
    /// `None` for a file, and while the server is a standby.
    pub async fn timeline(&self) -> Result<Option<String>, StorageError> {
        let Some(sql) = self.dialect.timeline() else {
            return Ok(None);
        };
        sqlx::query(sql)
            .try_map(|row: AnyRow| row.try_get(0))
            .fetch_one(&self.read)
            .await
            .doing("reading the timeline of the database")
    }

    /// Returns how far the indices of `stores` have come, in order of creation for each portion of stores.
    pub async fn index_positions(
        &self,
        stores: &[StoreId],
    ) -> Result<Vec<IndexPosition>, StorageError> {
        let doing = "reading how far indices have come";
        let mut positions = Vec::new();
        for portion in stores.chunks(IDS_MAX) {
            let list = placeholders(portion.len(), 0);
            let sql = format!(
                "SELECT id, store_id, sequence, completed_runs FROM indices WHERE store_id IN ({list}) ORDER BY id"
            );
            let query = sqlx::query(AssertSqlSafe(sql));
            let query = portion
                .iter()
                .fold(query, |query, one| query.bind(one.as_str()));
            let rows = query.try_map(|row| position(&row)).fetch_all(&self.read);
            positions.extend(rows.await.doing(doing)?);
        }
        Ok(positions)
    }

    /// Stores that `node` runs, with the version of the form of the indexes that it shares with others, if it shares any, and
    /// how far its indexes have come; those of indices that were removed are left out.
    pub async fn note_node(
        &self,
        node: &str,
        search_format: Option<u32>,
        rows: &[NodeProgress],
    ) -> Result<(), StorageError> {
        let doing = "storing the progress of a node";
        let mut tx = self.writer.begin(Party::System).await.doing(doing)?;
        let sql = format!(
            "INSERT INTO nodes (id, seen_at, search_format) VALUES ($1, {now}, $2) ON CONFLICT (id) \
             DO UPDATE SET seen_at = excluded.seen_at, search_format = excluded.search_format",
            now = self.dialect.now()
        );
        sqlx::query(AssertSqlSafe(sql))
            .bind(node)
            .bind(search_format.map(i64::from))
            .execute(&mut *tx)
            .await
            .doing(doing)?;
        for portion in rows.chunks(ROWS_MAX) {
            let sql = format!(
                "INSERT INTO progress (node_id, index_id, applied, lag) \
                 SELECT own.node_id, own.index_id, own.applied, own.lag \
                 FROM ({}) AS own JOIN indices i ON i.id = own.index_id WHERE 1 = 1 \
                 ON CONFLICT (index_id, node_id) DO UPDATE SET applied = excluded.applied, lag = excluded.lag",
                united(portion.len())
            );
            let query = sqlx::query(AssertSqlSafe(sql)).bind(node);
            let query = portion.iter().fold(query, |query, row| {
                query.bind(row.index.0).bind(row.applied).bind(ms(row.lag))
            });
            query.execute(&mut *tx).await.doing(doing)?;
        }
        tx.commit().await.doing(doing)
    }

    /// Returns by how much the nodes other than `node` that were seen within `within` lag behind, the longest lag of each
    /// index that has one.
    pub async fn lags_of_others(
        &self,
        node: &str,
        within: Duration,
    ) -> Result<Vec<(IndexId, Duration)>, StorageError> {
        let doing = "reading the lags of other nodes";
        let sql = format!(
            "SELECT p.index_id, MAX(p.lag) FROM progress p JOIN nodes n ON n.id = p.node_id \
             WHERE n.id <> $1 AND n.seen_at > {now} - $2 AND p.lag > 0 GROUP BY p.index_id",
            now = self.dialect.now()
        );
        let rows = sqlx::query(AssertSqlSafe(sql))
            .bind(node)
            .bind(ms(within))
            .fetch_all(&self.read)
            .await
            .doing(doing)?;
        let lag = |row: &AnyRow| {
            let lag: i64 = row.try_get(1)?;
            let lag = Duration::from_millis(lag.unsigned_abs());
            Ok((IndexId(row.try_get(0)?), lag))
        };
        rows.iter().map(|row| lag(row).doing(doing)).collect()
    }

    /// Returns the number of the last change that all nodes seen within `within` have applied to an index, of those that
    /// ever opened it; `None` if there is none.
    pub async fn applied_everywhere(
        &self,
        index: IndexId,
        within: Duration,
    ) -> Result<Option<i64>, StorageError> {
        let sql = format!(
            "SELECT MIN(p.applied) FROM progress p JOIN nodes n ON n.id = p.node_id \
             WHERE p.index_id = $1 AND n.seen_at > {now} - $2",
            now = self.dialect.now()
        );
        sqlx::query(AssertSqlSafe(sql))
            .bind(index.0)
            .bind(ms(within))
            .fetch_one(&self.read)
            .await
            .and_then(|row| row.try_get(0))
            .doing("reading what all nodes have applied")
    }

    /// Returns the nodes that were seen within `within`.
    pub async fn nodes_seen(&self, within: Duration) -> Result<Vec<String>, StorageError> {
        let now = self.dialect.now();
        let sql = format!("SELECT id FROM nodes WHERE seen_at > {now} - $1");
        sqlx::query(AssertSqlSafe(sql))
            .bind(ms(within))
            .try_map(|row: AnyRow| row.try_get(0))
            .fetch_all(&self.read)
            .await
            .doing("looking for other nodes")
    }

    /// Returns the versions of the form of shared indexes that nodes seen within `within` use.
    pub async fn search_formats(&self, within: Duration) -> Result<Vec<u32>, StorageError> {
        let doing = "looking for the versions of other nodes";
        let sql = format!(
            "SELECT DISTINCT search_format FROM nodes WHERE search_format IS NOT NULL AND seen_at > {now} - $1",
            now = self.dialect.now()
        );
        let formats: Vec<i64> = sqlx::query(AssertSqlSafe(sql))
            .bind(ms(within))
            .try_map(|row: AnyRow| row.try_get(0))
            .fetch_all(&self.read)
            .await
            .doing(doing)?;
        // No version that was stored is another number.
        Ok(formats
            .into_iter()
            .filter_map(|format| u32::try_from(format).ok())
            .collect())
    }

    /// Takes the lease `name` for `holder`, or renews it, for a time from now on; returns whether the holder has it.
    pub async fn take_lease(
        &self,
        name: &str,
        holder: &str,
        lasts: Duration,
    ) -> Result<bool, StorageError> {
        let doing = "taking a lease";
        let sql = format!(
            "INSERT INTO leases (name, holder, until) VALUES ($1, $2, {now} + $3) \
             ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = excluded.until \
             WHERE leases.holder = excluded.holder OR leases.until < {now}",
            now = self.dialect.now()
        );
        let mut tx = self.writer.begin(Party::System).await.doing(doing)?;
        let done = sqlx::query(AssertSqlSafe(sql))
            .bind(name)
            .bind(holder)
            .bind(ms(lasts))
            .execute(&mut *tx)
            .await
            .doing(doing)?;
        tx.commit().await.doing(doing)?;
        Ok(done.rows_affected() > 0)
    }

    /// Gives a lease back, if `holder` has it.
    pub async fn give_lease_back(&self, name: &str, holder: &str) -> Result<(), StorageError> {
        let doing = "giving a lease back";
        let mut tx = self.writer.begin(Party::System).await.doing(doing)?;
        sqlx::query("DELETE FROM leases WHERE name = $1 AND holder = $2")
            .bind(name)
            .bind(holder)
            .execute(&mut *tx)
            .await
            .doing(doing)?;
        tx.commit().await.doing(doing)
    }
}

/// Returns a table of `rows` rows of a node (`$1`): SQLite names no columns of `VALUES`.
fn united(rows: usize) -> String {
    let row = |at: usize| {
        let first = 2 + 3 * at;
        format!(
            "SELECT CAST($1 AS TEXT) AS node_id, CAST(${first} AS BIGINT) AS index_id, \
             CAST(${} AS BIGINT) AS applied, CAST(${} AS BIGINT) AS lag",
            first + 1,
            first + 2
        )
    };
    (0..rows).map(row).collect::<Vec<_>>().join(" UNION ALL ")
}
