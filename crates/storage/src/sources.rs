//! Statements on sources and the history of their fetches.

use crate::error::{Doing, StorageError};
use crate::json::{json, text};
use crate::{FeedWrite, Storage};
use domain::access::MayRead;
use domain::feed::FeedScope;
use domain::source::{FETCHES_KEPT, SourceFetch, SourceSettings, SourceState, SourceStatus};
use domain::{Permit, SourceId, StoreId, Timestamp};
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row};

/// One source.
#[derive(Clone, Debug, PartialEq)]
pub struct SourceRow {
    /// Its id.
    pub id: SourceId,
    /// Its store.
    pub store: StoreId,
    /// When it was created.
    pub created_at: Timestamp,
    /// When its settings were written last.
    pub updated_at: Timestamp,
    /// How often its settings were written.
    pub version: i64,
    /// Its settings.
    pub settings: SourceSettings,
    /// Its secret, sealed.
    pub secret: Option<String>,
    /// What became of its last fetches.
    pub state: SourceState,
    /// When the next fetch is due.
    pub next_fetch_at: Option<Timestamp>,
    /// Until when a process fetches it.
    pub leased_until: Option<Timestamp>,
    /// That process.
    pub leased_by: Option<String>,
}

impl SourceRow {
    /// Returns how the last fetch ended, or `Inactive` if it is not fetched; whether it is being fetched is its lease.
    pub fn resting_status(&self) -> SourceStatus {
        match self.settings.active && !self.state.secret_missing {
            true => self.state.status,
            false => SourceStatus::Inactive,
        }
    }
}

macro_rules! columns {
    () => {
        "id, store_id, created_at, updated_at, version, settings, secret, state, next_fetch_at, leased_until, leased_by"
    };
}

fn source(row: &AnyRow) -> Result<SourceRow, sqlx::Error> {
    let instant = |column: &str| -> Result<Option<Timestamp>, sqlx::Error> {
        Ok(row.try_get::<Option<i64>, _>(column)?.map(Timestamp))
    };
    Ok(SourceRow {
        id: SourceId(row.try_get("id")?),
        store: StoreId(row.try_get("store_id")?),
        created_at: Timestamp(row.try_get("created_at")?),
        updated_at: Timestamp(row.try_get("updated_at")?),
        version: row.try_get("version")?,
        settings: json(row, "settings")?,
        secret: row.try_get("secret")?,
        state: json(row, "state")?,
        next_fetch_at: instant("next_fetch_at")?,
        leased_until: instant("leased_until")?,
        leased_by: row.try_get("leased_by")?,
    })
}

async fn of_store(
    connection: &mut AnyConnection,
    store: &StoreId,
) -> Result<Vec<SourceRow>, StorageError> {
    let sql = concat!(
        "SELECT ",
        columns!(),
        " FROM sources WHERE store_id = $1 ORDER BY created_at, id"
    );
    sqlx::query(sql)
        .bind(store.as_str())
        .try_map(|row| source(&row))
        .fetch_all(connection)
        .await
        .doing("reading the sources of a store")
}

async fn one_of_store(
    connection: &mut AnyConnection,
    store: &StoreId,
    id: &SourceId,
) -> Result<Option<SourceRow>, StorageError> {
    let sql = concat!(
        "SELECT ",
        columns!(),
        " FROM sources WHERE store_id = $1 AND id = $2"
    );
    sqlx::query(sql)
        .bind(store.as_str())
        .bind(id.as_str())
        .try_map(|row| source(&row))
        .fetch_optional(connection)
        .await
        .doing("reading a source")
}

impl Storage {
    /// Returns the source `id` of the permitted store.
    pub async fn source(
        &self,
        permit: &Permit<impl MayRead>,
        id: &SourceId,
    ) -> Result<Option<SourceRow>, StorageError> {
        let mut connection = self.read.acquire().await.doing("reading a source")?;
        one_of_store(&mut connection, permit.store(), id).await
    }

    /// Returns the store of the source `id`, if it is open.
    pub async fn store_of_source(&self, id: &SourceId) -> Result<Option<StoreId>, StorageError> {
        let sql = "SELECT store_id FROM sources WHERE id = $1 AND store_id IN \
                   (SELECT id FROM stores WHERE closed_at IS NULL)";
        sqlx::query(sql)
            .bind(id.as_str())
            .try_map(|row: AnyRow| row.try_get(0).map(StoreId))
            .fetch_optional(&self.read)
            .await
            .doing("looking for the store of a source")
    }

    /// Returns the sources of the permitted store, the oldest first.
    pub async fn sources(
        &self,
        permit: &Permit<impl MayRead>,
    ) -> Result<Vec<SourceRow>, StorageError> {
        let doing = "reading the sources of a store";
        let mut connection = self.read.acquire().await.doing(doing)?;
        of_store(&mut connection, permit.store()).await
    }

    /// Returns the latest `limit` fetches that are kept of a source of the permitted store, the newest first.
    pub async fn source_fetches(
        &self,
        permit: &Permit<impl MayRead>,
        id: &SourceId,
        limit: u32,
    ) -> Result<Vec<SourceFetch>, StorageError> {
        let sql = "SELECT f.content FROM source_fetches f JOIN sources s ON s.id = f.source_id \
                   WHERE s.store_id = $1 AND s.id = $2 ORDER BY f.number DESC LIMIT $3";
        sqlx::query(sql)
            .bind(permit.store().as_str())
            .bind(id.as_str())
            .bind(i64::from(limit))
            .try_map(|row: AnyRow| json(&row, "content"))
            .fetch_all(&self.bulk)
            .await
            .doing("reading the fetches of a source")
    }

    /// Returns the sources of active stores whose fetch is due at `now`, also those that a process fetches, the longest due
    /// first.
    pub async fn due_sources(
        &self,
        now: Timestamp,
        limit: u32,
    ) -> Result<Vec<SourceRow>, StorageError> {
        let sql = concat!(
            "SELECT ",
            columns!(),
            " FROM sources WHERE next_fetch_at <= $1 AND store_id IN ",
            "(SELECT id FROM stores WHERE closed_at IS NULL AND status = 'active') ORDER BY next_fetch_at, id LIMIT $2"
        );
        sqlx::query(sql)
            .bind(now.0)
            .bind(i64::from(limit))
            .try_map(|row| source(&row))
            .fetch_all(&self.read)
            .await
            .doing("looking for sources to fetch")
    }

    /// Returns how many sources of open stores there are in each state at `now`. What was released meanwhile counts as held.
    pub async fn source_counts(
        &self,
        now: Timestamp,
    ) -> Result<Vec<(SourceStatus, u64)>, StorageError> {
        let doing = "counting sources";
        let sql = "SELECT CASE WHEN status <> 'inactive' AND leased_until > $1 THEN 'fetching' ELSE status END AS name, \
                   COUNT(*) FROM sources WHERE store_id IN (SELECT id FROM stores WHERE closed_at IS NULL) GROUP BY 1";
        let rows = sqlx::query(sql)
            .bind(now.0)
            .fetch_all(&self.read)
            .await
            .doing(doing)?;
        let mut counts = Vec::new();
        for row in rows {
            let name: String = row.try_get(0).doing(doing)?;
            let count: i64 = row.try_get(1).doing(doing)?;
            let state = SourceStatus::ALL
                .into_iter()
                .find(|one| one.as_str() == name);
            counts.extend(state.map(|state| (state, count.unsigned_abs())));
        }
        Ok(counts)
    }
}

impl FeedWrite {
    /// Returns the sources of the store as of this transaction, the oldest first.
    pub async fn sources(&mut self) -> Result<Vec<SourceRow>, StorageError> {
        of_store(&mut self.tx, &self.store).await
    }

    /// Returns the source `id` of the store as of this transaction.
    pub async fn source(&mut self, id: &SourceId) -> Result<Option<SourceRow>, StorageError> {
        one_of_store(&mut self.tx, &self.store, id).await
    }

    /// Adds a source, or replaces the one with its id: everything but its store and when it was created.
    pub async fn save_source(&mut self, row: &SourceRow) -> Result<(), StorageError> {
        let doing = "saving a source";
        let sql = "INSERT INTO sources (id, store_id, created_at, updated_at, version, settings, secret, state, \
                   next_fetch_at, leased_until, leased_by, status) \
                   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) \
                   ON CONFLICT (id) DO UPDATE SET updated_at = excluded.updated_at, version = excluded.version, \
                   settings = excluded.settings, secret = excluded.secret, state = excluded.state, \
                   next_fetch_at = excluded.next_fetch_at, leased_until = excluded.leased_until, \
                   leased_by = excluded.leased_by, status = excluded.status \
                   WHERE sources.store_id = excluded.store_id";
        sqlx::query(sql)
            .bind(row.id.as_str())
            .bind(self.store.as_str())
            .bind(row.created_at.0)
            .bind(row.updated_at.0)
            .bind(row.version)
            .bind(text(&row.settings, doing)?)
            .bind(row.secret.as_deref())
            .bind(text(&row.state, doing)?)
            .bind(row.next_fetch_at.map(|at| at.0))
            .bind(row.leased_until.map(|at| at.0))
            .bind(row.leased_by.as_deref())
            .bind(row.resting_status().as_str())
            .execute(&mut *self.tx)
            .await
            .doing(doing)?;
        Ok(())
    }

    /// Deletes a source of the store with its history.
    pub async fn delete_source(&mut self, id: &SourceId) -> Result<(), StorageError> {
        let doing = "deleting a source";
        for sql in [
            "DELETE FROM source_fetches WHERE source_id IN (SELECT id FROM sources WHERE id = $1 AND store_id = $2)",
            "DELETE FROM sources WHERE id = $1 AND store_id = $2",
        ] {
            sqlx::query(sql)
                .bind(id.as_str())
                .bind(self.store.as_str())
                .execute(&mut *self.tx)
                .await
                .doing(doing)?;
        }
        Ok(())
    }

    /// Adds a fetch to the history of a source of the store, of which the oldest go.
    pub async fn keep_fetch(
        &mut self,
        id: &SourceId,
        fetch: &SourceFetch,
    ) -> Result<(), StorageError> {
        let doing = "storing a fetch";
        let sql = "INSERT INTO source_fetches (source_id, number, content) \
                   SELECT id, (SELECT COALESCE(MAX(number), 0) + 1 FROM source_fetches WHERE source_id = $1), $2 \
                   FROM sources WHERE id = $1 AND store_id = $3";
        sqlx::query(sql)
            .bind(id.as_str())
            .bind(text(fetch, doing)?)
            .bind(self.store.as_str())
            .execute(&mut *self.tx)
            .await
            .doing(doing)?;
        let sql = "DELETE FROM source_fetches WHERE source_id = $1 AND number <= \
                   (SELECT MAX(number) FROM source_fetches WHERE source_id = $1) - $2";
        sqlx::query(sql)
            .bind(id.as_str())
            .bind(i64::from(FETCHES_KEPT))
            .execute(&mut *self.tx)
            .await
            .doing(doing)?;
        Ok(())
    }

    /// Returns whether a connector closed a run on `scope` since `since`.
    pub async fn has_closed_run(
        &mut self,
        scope: &FeedScope,
        since: Timestamp,
    ) -> Result<bool, StorageError> {
        let doing = "looking for runs of a connector";
        let sql = "SELECT COUNT(*) FROM runs r JOIN run_scopes s ON s.run_number = r.number \
                   JOIN indices i ON i.id = s.index_id WHERE r.store_id = $1 AND r.state = 'closed' \
                   AND r.ended_at >= $2 AND i.type = $3 AND i.language = $4 AND r.origin = 'connector'";
        let count: i64 = sqlx::query(sql)
            .bind(self.store.as_str())
            .bind(since.0)
            .bind(scope.doc_type.as_str())
            .bind(scope.language.as_str())
            .fetch_one(&mut *self.tx)
            .await
            .and_then(|row| row.try_get(0))
            .doing(doing)?;
        Ok(count > 0)
    }

    /// Returns how many documents the index of `scope` has; `None` if there is no such index.
    pub async fn document_count(&mut self, scope: &FeedScope) -> Result<Option<u64>, StorageError> {
        let state = self.index(scope).await?;
        Ok(state.map(|state| u64::try_from(state.documents).unwrap_or(0)))
    }

    /// Notes that the store's catalogue was compared with the shop's at `at`, without a run.
    pub async fn note_sign_of_life(&mut self, at: Timestamp) -> Result<(), StorageError> {
        self.note_run(at).await
    }
}
