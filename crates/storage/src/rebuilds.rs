//! Statements on the rebuilds that nodes of one database request of each other.

use crate::Storage;
use crate::error::{Doing, StorageError};
use crate::nodes::ms;
use crate::rows::{IDS_MAX, placeholders};
use crate::writer::Party;
use domain::IndexId;
use sqlx::any::AnyRow;
use sqlx::{AssertSqlSafe, Row};
use std::time::Duration;

/// How far the rebuild of an index is on one node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeRebuildState {
    /// The node has not begun.
    Waiting,
    /// It is in progress there.
    Building,
    /// The new index is searched there.
    Done,
    /// It failed there; the former index is searched.
    Failed,
}

impl NodeRebuildState {
    const ALL: [Self; 4] = [Self::Waiting, Self::Building, Self::Done, Self::Failed];

    fn as_str(self) -> &'static str {
        match self {
            Self::Waiting => "waiting",
            Self::Building => "building",
            Self::Done => "done",
            Self::Failed => "failed",
        }
    }
}

/// The rebuild of an index on one node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeRebuild {
    /// The index.
    pub index: IndexId,
    /// How far it is.
    pub state: NodeRebuildState,
    /// Documents that the new index holds.
    pub documents: i64,
    /// Documents that it will hold, as far as known.
    pub total: i64,
}

fn rebuild(row: &AnyRow) -> Result<NodeRebuild, sqlx::Error> {
    let state: String = row.try_get("state")?;
    let state = NodeRebuildState::ALL
        .into_iter()
        .find(|one| one.as_str() == state);
    Ok(NodeRebuild {
        index: IndexId(row.try_get("index_id")?),
        // A newer version may have other states, which are not over as far as this one knows.
        state: state.unwrap_or(NodeRebuildState::Building),
        documents: row.try_get("documents")?,
        total: row.try_get("total")?,
    })
}

impl Storage {
    /// Requests rebuilds of `indexes` of all nodes that were seen within `within`; one that is at it goes on, and indexes that do not
    /// exist are left out. What was requested of other nodes is forgotten.
    pub async fn request_rebuilds(
        &self,
        indexes: &[IndexId],
        within: Duration,
    ) -> Result<(), StorageError> {
        let doing = "requesting rebuilds";
        let mut tx = self.writer.begin(Party::System).await.doing(doing)?;
        let forgets = format!(
            "DELETE FROM rebuilds WHERE node_id NOT IN (SELECT id FROM nodes WHERE seen_at > {} - $1)",
            self.dialect.now()
        );
        let forgotten = sqlx::query(AssertSqlSafe(forgets)).bind(ms(within));
        forgotten.execute(&mut *tx).await.doing(doing)?;
        let mut sorted = indexes.to_vec();
        sorted.sort_unstable_by_key(|index| index.0);
        for portion in sorted.chunks(IDS_MAX) {
            let sql = format!(
                "INSERT INTO rebuilds (index_id, node_id, state, documents, total) \
                 SELECT i.id, n.id, 'waiting', 0, i.documents FROM indices i CROSS JOIN nodes n \
                 WHERE n.seen_at > {now} - $1 AND i.id IN ({list}) ORDER BY i.id, n.id \
                 ON CONFLICT (index_id, node_id) DO UPDATE SET total = excluded.total, \
                 state = CASE WHEN rebuilds.state = 'building' THEN 'building' ELSE 'waiting' END",
                now = self.dialect.now(),
                list = placeholders(portion.len(), 1)
            );
            let query = sqlx::query(AssertSqlSafe(sql)).bind(ms(within));
            let query = portion.iter().fold(query, |query, one| query.bind(one.0));
            query.execute(&mut *tx).await.doing(doing)?;
        }
        tx.commit().await.doing(doing)
    }

    /// Returns at most `limit` rebuilds that `node` has to do, those in progress among them.
    pub async fn rebuilds_to_do(
        &self,
        node: &str,
        limit: u32,
    ) -> Result<Vec<NodeRebuild>, StorageError> {
        let sql = "SELECT index_id, state, documents, total FROM rebuilds \
                   WHERE node_id = $1 AND state IN ('building', 'waiting') ORDER BY state, index_id LIMIT $2";
        sqlx::query(sql)
            .bind(node)
            .bind(i64::from(limit))
            .try_map(|row| rebuild(&row))
            .fetch_all(&self.read)
            .await
            .doing("reading what a node has to rebuild")
    }

    /// Stores how far `node` is with rebuilds that were requested of it.
    pub async fn note_rebuilds(
        &self,
        node: &str,
        rebuilds: &[NodeRebuild],
    ) -> Result<(), StorageError> {
        let doing = "storing how far rebuilds are";
        let sql = "UPDATE rebuilds SET state = $3, documents = $4, total = $5 WHERE index_id = $1 AND node_id = $2";
        let mut tx = self.writer.begin(Party::System).await.doing(doing)?;
        for rebuild in rebuilds {
            sqlx::query(sql)
                .bind(rebuild.index.0)
                .bind(node)
                .bind(rebuild.state.as_str())
                .bind(rebuild.documents)
                .bind(rebuild.total)
                .execute(&mut *tx)
                .await
                .doing(doing)?;
        }
        tx.commit().await.doing(doing)
    }

    /// Returns how far the nodes that were seen within `within` are with the rebuilds of `indexes`.
    pub async fn rebuilds_of(
        &self,
        indexes: &[IndexId],
        within: Duration,
    ) -> Result<Vec<NodeRebuild>, StorageError> {
        let doing = "reading how far rebuilds are";
        let mut rebuilds = Vec::new();
        for portion in indexes.chunks(IDS_MAX) {
            let sql = format!(
                "SELECT r.index_id, r.state, r.documents, r.total FROM rebuilds r JOIN nodes n ON n.id = r.node_id \
                 WHERE n.seen_at > {now} - $1 AND r.index_id IN ({list}) ORDER BY r.index_id, n.id",
                now = self.dialect.now(),
                list = placeholders(portion.len(), 1)
            );
            let query = sqlx::query(AssertSqlSafe(sql)).bind(ms(within));
            let query = portion.iter().fold(query, |query, one| query.bind(one.0));
            let rows = query.try_map(|row| rebuild(&row)).fetch_all(&self.read);
            rebuilds.extend(rows.await.doing(doing)?);
        }
        Ok(rebuilds)
    }
}
