//! Statements on proposals: what keys proposed, and what people decided about it.

use crate::error::{Doing, StorageError};
use crate::writer::Party;
use crate::{ConfigurationView, ConfigurationWrite, Storage};
use domain::access::MayRead;
use domain::limits::ENDED_PROPOSALS_MAX;
use domain::proposal::{ProposalKind, ProposalState, kept_since};
use domain::{KeyId, Permit, ProposalId, StoreId, Timestamp};
use sqlx::any::{AnyArguments, AnyRow};
use sqlx::query::Query;
use sqlx::{Any, AnyConnection, AssertSqlSafe, Row};

/// A proposal as it is stored.
#[derive(Clone, Debug, PartialEq)]
pub struct ProposalRow {
    /// Its id.
    pub id: ProposalId,
    /// The key that proposed it.
    pub key: KeyId,
    /// Name of the key when it did.
    pub key_name: String,
    /// What it is about.
    pub kind: ProposalKind,
    /// Its state; of an open one, its end says whether it has expired.
    pub state: ProposalState,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last added to or decided.
    pub updated_at: Timestamp,
    /// When it was decided; while it is open, until when it can be.
    pub ends_at: Timestamp,
    /// The latest revision when it was created or last added to.
    pub base_revision: i64,
    /// Digest of what it does.
    pub digest: String,
    /// What lists show, as JSON.
    pub outline: String,
    /// What it does, as JSON; empty in lists.
    pub content: String,
    /// What was found out about it when it was created or last added to, as JSON; `None` in lists.
    pub findings: Option<String>,
}

/// Which proposals of a store are listed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProposalSelection {
    /// Only those in this state.
    pub state: Option<ProposalState>,
    /// Only those of this key.
    pub key: Option<KeyId>,
}

/// The columns of a list.
const LISTED: &str = "id, key_id, key_name, kind, state, created_at, updated_at, ends_at, base_revision, digest, outline";

fn row(row: &AnyRow) -> Result<ProposalRow, sqlx::Error> {
    let unknown = |name: String| sqlx::Error::Decode(format!("unknown name {name}").into());
    let (kind, state): (String, String) = (row.try_get("kind")?, row.try_get("state")?);
    Ok(ProposalRow {
        id: ProposalId(row.try_get("id")?),
        key: KeyId(row.try_get("key_id")?),
        key_name: row.try_get("key_name")?,
        kind: ProposalKind::parse(&kind).ok_or_else(|| unknown(kind))?,
        state: ProposalState::parse(&state).ok_or_else(|| unknown(state))?,
        created_at: Timestamp(row.try_get("created_at")?),
        updated_at: Timestamp(row.try_get("updated_at")?),
        ends_at: Timestamp(row.try_get("ends_at")?),
        base_revision: row.try_get("base_revision")?,
        digest: row.try_get("digest")?,
        outline: row.try_get("outline")?,
        content: String::new(),
        findings: None,
    })
}

fn whole(of: &AnyRow) -> Result<ProposalRow, sqlx::Error> {
    Ok(ProposalRow {
        content: of.try_get("content")?,
        findings: of.try_get("findings")?,
        ..row(of)?
    })
}

/// Returns the proposal `id` if it is kept at `now`.
async fn one(
    connection: &mut AnyConnection,
    (store, id): (&StoreId, &ProposalId),
    now: Timestamp,
) -> Result<Option<ProposalRow>, StorageError> {
    let sql = format!(
        "SELECT {LISTED}, content, findings FROM proposals WHERE store_id = $1 AND id = $2 AND ends_at > $3"
    );
    sqlx::query(AssertSqlSafe(sql))
        .bind(store.as_str())
        .bind(id.as_str())
        .bind(kept_since(now).0)
        .try_map(|row| whole(&row))
        .fetch_optional(connection)
        .await
        .doing("reading a proposal")
}

impl ProposalSelection {
    /// Returns what is selected of those that are kept, with the parameters `$2` (state), `$3` (key), `$4` (now) and `$5`
    /// (since when they are kept).
    fn condition(&self) -> &'static str {
        match self.state {
            Some(ProposalState::Open) => "state = $2 AND ends_at > $4",
            Some(ProposalState::Expired) => "state = 'open' AND $2 <> '' AND ends_at <= $4",
            Some(_) => "state = $2 AND $4 > 0",
            None => "$2 = '' AND $4 > 0",
        }
    }

    async fn count(
        &self,
        connection: &mut AnyConnection,
        store: &StoreId,
        now: Timestamp,
    ) -> Result<u64, StorageError> {
        let sql = format!(
            "SELECT COUNT(*) FROM proposals WHERE store_id = $1 AND {} AND ($3 = '' OR key_id = $3) AND ends_at > $5",
            self.condition()
        );
        let count = self.bound(sqlx::query(AssertSqlSafe(sql)), store, now);
        let row = count.fetch_one(connection).await;
        let number = row.and_then(|row| row.try_get::<i64, _>(0));
        Ok(number.doing("counting proposals")?.unsigned_abs())
    }

    fn bound<'q>(
        &self,
        query: Query<'q, Any, AnyArguments>,
        store: &StoreId,
        now: Timestamp,
    ) -> Query<'q, Any, AnyArguments> {
        let state = self.state.map_or("", ProposalState::as_str);
        let key = self.key.as_ref().map_or("", KeyId::as_str);
        query
            .bind(store.as_str().to_owned())
            .bind(state)
            .bind(key.to_owned())
            .bind(now.0)
            .bind(kept_since(now).0)
    }
}

impl ConfigurationView {
    /// Returns a page of the proposals that `selection` selects at `now`, the newest first, and their total.
    pub async fn proposals(
        &mut self,
        selection: &ProposalSelection,
        (page, limit): (u32, u32),
        now: Timestamp,
    ) -> Result<(Vec<ProposalRow>, u64), StorageError> {
        let total = selection.count(&mut self.tx, &self.store, now).await?;
        let sql = format!(
            "SELECT {LISTED} FROM proposals WHERE store_id = $1 AND {} AND ($3 = '' OR key_id = $3) AND ends_at > $5 \
             ORDER BY created_at DESC, id DESC LIMIT $6 OFFSET $7",
            selection.condition()
        );
        let rows = selection
            .bound(sqlx::query(AssertSqlSafe(sql)), &self.store, now)
            .bind(i64::from(limit))
            .bind(i64::from(page.saturating_sub(1)) * i64::from(limit))
            .try_map(|of| row(&of))
            .fetch_all(&mut *self.tx)
            .await
            .doing("reading the proposals of a store")?;
        Ok((rows, total))
    }

    /// Returns the number of proposals that are open at `now`.
    pub async fn open_proposals(&mut self, now: Timestamp) -> Result<u64, StorageError> {
        let open = ProposalSelection {
            state: Some(ProposalState::Open),
            key: None,
        };
        open.count(&mut self.tx, &self.store, now).await
    }

    /// Returns the proposal `id` if it is kept at `now`.
    pub async fn proposal(
        &mut self,
        id: &ProposalId,
        now: Timestamp,
    ) -> Result<Option<ProposalRow>, StorageError> {
        one(&mut self.tx, (&self.store, id), now).await
    }
}

impl ConfigurationWrite {
    /// Returns the proposal `id` if it is kept at `now`.
    pub async fn proposal(
        &mut self,
        id: &ProposalId,
        now: Timestamp,
    ) -> Result<Option<ProposalRow>, StorageError> {
        one(&mut self.tx, (&self.before.id, id), now).await
    }

    /// Returns the number of proposals that are open at `now`.
    pub async fn open_proposals(&mut self, now: Timestamp) -> Result<u64, StorageError> {
        let open = ProposalSelection {
            state: Some(ProposalState::Open),
            key: None,
        };
        open.count(&mut self.tx, &self.before.id, now).await
    }

    /// Returns the open proposal of `key` with this digest.
    pub async fn open_proposal_like(
        &mut self,
        key: &KeyId,
        digest: &str,
        now: Timestamp,
    ) -> Result<Option<ProposalRow>, StorageError> {
        let sql = format!(
            "SELECT {LISTED}, content, findings FROM proposals WHERE store_id = $1 AND state = 'open' AND ends_at > $2 \
             AND key_id = $3 AND digest = $4 ORDER BY created_at LIMIT 1"
        );
        sqlx::query(AssertSqlSafe(sql))
            .bind(self.before.id.as_str())
            .bind(now.0)
            .bind(key.as_str())
            .bind(digest)
            .try_map(|row| whole(&row))
            .fetch_optional(&mut *self.tx)
            .await
            .doing("looking for an equal proposal")
    }

    /// Returns the proposal with this digest that was rejected last, if one is kept at `now`.
    pub async fn rejected_proposal_like(
        &mut self,
        digest: &str,
        now: Timestamp,
    ) -> Result<Option<ProposalRow>, StorageError> {
        let sql = format!(
            "SELECT {LISTED} FROM proposals WHERE store_id = $1 AND state = 'rejected' AND ends_at > $2 \
             AND digest = $3 ORDER BY ends_at DESC LIMIT 1"
        );
        sqlx::query(AssertSqlSafe(sql))
            .bind(self.before.id.as_str())
            .bind(kept_since(now).0)
            .bind(digest)
            .try_map(|of| row(&of))
            .fetch_optional(&mut *self.tx)
            .await
            .doing("looking for an equal proposal that was rejected")
    }

    /// Stores a proposal, or its new state, and removes those that are not kept any more. Its bytes count among the changes
    /// of the day.
    pub async fn put_proposal(
        &mut self,
        row: &ProposalRow,
        now: Timestamp,
    ) -> Result<(), StorageError> {
        let sql = "INSERT INTO proposals (id, store_id, key_id, key_name, kind, state, created_at, updated_at, ends_at, \
                   base_revision, digest, outline, content) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) \
                   ON CONFLICT (id) DO UPDATE SET state = excluded.state, updated_at = excluded.updated_at, \
                   ends_at = excluded.ends_at, base_revision = excluded.base_revision, digest = excluded.digest, \
                   outline = excluded.outline, content = excluded.content WHERE proposals.store_id = excluded.store_id";
        sqlx::query(sql)
            .bind(row.id.as_str())
            .bind(self.before.id.as_str())
            .bind(row.key.as_str())
            .bind(row.key_name.as_str())
            .bind(row.kind.as_str())
            .bind(row.state.as_str())
            .bind(row.created_at.0)
            .bind(row.updated_at.0)
            .bind(row.ends_at.0)
            .bind(row.base_revision)
            .bind(row.digest.as_str())
            .bind(row.outline.as_str())
            .bind(row.content.as_str())
            .execute(&mut *self.tx)
            .await
            .doing("storing a proposal")?;
        self.kept_bytes += (row.outline.len() + row.content.len()) as u64;
        self.remove_old_proposals(now).await
    }

    async fn remove_old_proposals(&mut self, now: Timestamp) -> Result<(), StorageError> {
        let doing = "removing old proposals";
        let sql = "DELETE FROM proposals WHERE store_id = $1 AND ends_at <= $2";
        sqlx::query(sql)
            .bind(self.before.id.as_str())
            .bind(kept_since(now).0)
            .execute(&mut *self.tx)
            .await
            .doing(doing)?;
        let sql = "DELETE FROM proposals WHERE store_id = $1 AND id IN \
                   (SELECT id FROM proposals WHERE store_id = $1 AND (state <> 'open' OR ends_at <= $2) \
                   ORDER BY ends_at DESC, id DESC LIMIT 1000000 OFFSET $3)";
        sqlx::query(sql)
            .bind(self.before.id.as_str())
            .bind(now.0)
            .bind(ENDED_PROPOSALS_MAX as i64)
            .execute(&mut *self.tx)
            .await
            .doing(doing)?;
        Ok(())
    }
}

impl Storage {
    /// Stores what was found out about a proposal of the permitted store.
    pub async fn save_proposal_findings(
        &self,
        permit: &Permit<impl MayRead>,
        id: &ProposalId,
        findings: &str,
    ) -> Result<(), StorageError> {
        let doing = "storing what was found out about a proposal";
        let party = Party::Store(permit.store().clone());
        let mut tx = self.writer.begin(party).await.doing(doing)?;
        sqlx::query("UPDATE proposals SET findings = $3 WHERE store_id = $1 AND id = $2")
            .bind(permit.store().as_str())
            .bind(id.as_str())
            .bind(findings)
            .execute(&mut *tx)
            .await
            .doing(doing)?;
        tx.commit().await.doing(doing)
    }

    /// Returns the number of proposals of each of these stores that are open at `now`; stores without any are left out.
    pub async fn open_proposals_of(
        &self,
        stores: &[StoreId],
        now: Timestamp,
    ) -> Result<Vec<(StoreId, u64)>, StorageError> {
        if stores.is_empty() {
            return Ok(Vec::new());
        }
        let places: Vec<String> = (2..stores.len() + 2).map(|at| format!("${at}")).collect();
        let sql = format!(
            "SELECT store_id, COUNT(*) FROM proposals WHERE state = 'open' AND ends_at > $1 AND store_id IN ({}) \
             GROUP BY store_id",
            places.join(", ")
        );
        let mut query = sqlx::query(AssertSqlSafe(sql)).bind(now.0);
        for store in stores {
            query = query.bind(store.as_str());
        }
        query
            .try_map(|row: AnyRow| {
                let count: i64 = row.try_get(1)?;
                Ok((StoreId(row.try_get(0)?), count.unsigned_abs()))
            })
            .fetch_all(&self.read)
            .await
            .doing("counting the open proposals of stores")
    }

    /// Returns the number of kept proposals of all stores by state at `now`, for metrics.
    pub async fn proposal_counts(
        &self,
        now: Timestamp,
    ) -> Result<Vec<(ProposalState, u64)>, StorageError> {
        let doing = "counting all proposals";
        let sql = "SELECT CASE WHEN state = 'open' AND ends_at <= $1 THEN 'expired' ELSE state END AS name, COUNT(*) \
                   FROM proposals WHERE ends_at > $2 GROUP BY 1";
        let rows = sqlx::query(sql)
            .bind(now.0)
            .bind(kept_since(now).0)
            .fetch_all(&self.read)
            .await
            .doing(doing)?;
        let mut counts = Vec::new();
        for row in rows {
            let name: String = row.try_get(0).doing(doing)?;
            let count: i64 = row.try_get(1).doing(doing)?;
            counts.extend(ProposalState::parse(&name).map(|state| (state, count.unsigned_abs())));
        }
        Ok(counts)
    }
}
