//! Statements on indexing runs and their scopes.

use crate::error::{Doing, StorageError};
use crate::indices::scope;
use crate::json::{json, optional_json, text};
use crate::{ConfigurationView, FeedWrite, IndexState, Storage, counters};
use domain::access::{Feed, MayRead};
use domain::audit::Actor;
use domain::feed::{FeedScope, RunClosed, RunMode, RunOrigin, UnknownFields};
use domain::{IndexId, Permit, RunId, StoreId, Timestamp};
use sqlx::any::{AnyArguments, AnyRow};
use sqlx::query::Query;
use sqlx::{Any, AnyConnection, Row};

/// The state of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunState {
    /// It accepts documents.
    Open,
    /// It was closed; its result is stored.
    Closed,
    /// It expired, without purge.
    Expired,
    /// The connector ended it, without purge.
    Aborted,
}

impl RunState {
    fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Closed => "closed",
            Self::Expired => "expired",
            Self::Aborted => "aborted",
        }
    }

    fn parse(text: &str) -> Option<Self> {
        [Self::Open, Self::Closed, Self::Expired, Self::Aborted]
            .into_iter()
            .find(|state| state.as_str() == text)
    }
}

/// One run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunRow {
    /// Its id.
    pub id: RunId,
    /// The number by which documents refer to it.
    pub number: i64,
    /// The connector's own id of it.
    pub client_run_id: String,
    /// Whether it sends all documents or only changed ones.
    pub mode: RunMode,
    /// Its state.
    pub state: RunState,
    /// When it was opened.
    pub opened_at: Timestamp,
    /// When it was last used.
    pub last_used_at: Timestamp,
    /// When it ended.
    pub ended_at: Option<Timestamp>,
    /// The result of its last close; an open run has one while the purge of a scope is held back.
    pub result: Option<RunClosed>,
    /// What opened it.
    pub origin: RunOrigin,
    /// Who opened it.
    pub by: Option<Actor>,
    /// The process that it belongs to; none for a connector's.
    pub process: Option<String>,
}

/// A run to open.
#[derive(Clone, Debug)]
pub struct NewRunRow {
    /// Its id.
    pub id: RunId,
    /// The connector's own id of it.
    pub client_run_id: String,
    /// Whether it sends all documents or only changed ones.
    pub mode: RunMode,
    /// When it is opened.
    pub at: Timestamp,
    /// What opens it.
    pub origin: RunOrigin,
    /// Who opens it.
    pub by: Option<Actor>,
    /// The process that it belongs to; none for a connector's.
    pub process: Option<String>,
}

/// One scope of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunScopeRow {
    /// Type and language.
    pub scope: FeedScope,
    /// Its index.
    pub index: IndexId,
    /// The index's number of writes when the run was opened.
    pub opened_writes: i64,
    /// Distinct documents that the run sent or touched.
    pub seen: i64,
    /// Current documents of the index.
    pub documents: i64,
    /// Fields of the documents sent that the service does not know.
    pub unknown_fields: UnknownFields,
}

macro_rules! columns {
    () => {
        "id, number, client_run_id, mode, state, opened_at, last_used_at, ended_at, result, origin, opened_by, process"
    };
}

fn run(row: &AnyRow) -> Result<RunRow, sqlx::Error> {
    let mode: String = row.try_get("mode")?;
    let state: String = row.try_get("state")?;
    let unknown =
        |what: &str, text: &str| sqlx::Error::Decode(format!("unknown {what} {text}").into());
    let result: Option<String> = row.try_get("result")?;
    let origin: String = row.try_get("origin")?;
    Ok(RunRow {
        id: RunId(row.try_get("id")?),
        number: row.try_get("number")?,
        client_run_id: row.try_get("client_run_id")?,
        mode: serde_json::from_value(mode.clone().into()).map_err(|_| unknown("mode", &mode))?,
        state: RunState::parse(&state).ok_or_else(|| unknown("state", &state))?,
        opened_at: Timestamp(row.try_get("opened_at")?),
        last_used_at: Timestamp(row.try_get("last_used_at")?),
        ended_at: row.try_get::<Option<i64>, _>("ended_at")?.map(Timestamp),
        result: result.map(|_| json(row, "result")).transpose()?,
        origin: RunOrigin::parse(&origin).ok_or_else(|| unknown("origin", &origin))?,
        by: optional_json(row, "opened_by")?,
        process: row.try_get("process")?,
    })
}

fn run_scope(row: &AnyRow) -> Result<RunScopeRow, sqlx::Error> {
    Ok(RunScopeRow {
        scope: scope(row)?,
        index: IndexId(row.try_get("index_id")?),
        opened_writes: row.try_get("opened_writes")?,
        seen: row.try_get("seen")?,
        documents: row.try_get("documents")?,
        unknown_fields: optional_json(row, "unknown_fields")?.unwrap_or_default(),
    })
}

async fn read_run(
    connection: &mut AnyConnection,
    store: &StoreId,
    id: &RunId,
) -> Result<Option<RunRow>, StorageError> {
    let doing = "reading a run";
    let sql = concat!(
        "SELECT ",
        columns!(),
        " FROM runs WHERE store_id = $1 AND id = $2"
    );
    sqlx::query(sql)
        .bind(store.as_str())
        .bind(id.as_str())
        .try_map(|row| run(&row))
        .fetch_optional(connection)
        .await
        .doing(doing)
}

async fn read_scopes(
    connection: &mut AnyConnection,
    number: i64,
) -> Result<Vec<RunScopeRow>, StorageError> {
    let doing = "reading the scopes of a run";
    let sql = "SELECT i.type, i.language, i.documents, s.index_id, s.opened_writes, s.seen, s.unknown_fields \
               FROM run_scopes s JOIN indices i ON i.id = s.index_id WHERE s.run_number = $1 ORDER BY s.position";
    sqlx::query(sql)
        .bind(number)
        .try_map(|row| run_scope(&row))
        .fetch_all(connection)
        .await
        .doing(doing)
}

impl Storage {
    /// Returns the run `id` of the permitted store, with its scopes.
    pub async fn run(
        &self,
        permit: &Permit<Feed>,
        id: &RunId,
    ) -> Result<Option<(RunRow, Vec<RunScopeRow>)>, StorageError> {
        let mut connection = self.read.acquire().await.doing("reading a run")?;
        match read_run(&mut connection, permit.store(), id).await? {
            None => Ok(None),
            Some(run) => {
                let scopes = read_scopes(&mut connection, run.number).await?;
                Ok(Some((run, scopes)))
            }
        }
    }

    /// Returns the latest `limit` runs of the permitted store with their scopes, the newest first.
    pub async fn runs_of(
        &self,
        permit: &Permit<impl MayRead>,
        limit: u32,
    ) -> Result<Vec<(RunRow, Vec<RunScopeRow>)>, StorageError> {
        let sql = concat!(
            "SELECT ",
            columns!(),
            " FROM runs WHERE store_id = $1 ORDER BY number DESC LIMIT $2"
        );
        let query = sqlx::query(sql)
            .bind(permit.store().as_str())
            .bind(i64::from(limit));
        let mut connection = self.bulk.acquire().await.doing(OF_STORE)?;
        with_scopes(&mut connection, query).await
    }

    /// Returns the open runs of the permitted store with a purge that is held back, the oldest first.
    pub async fn held_runs(
        &self,
        permit: &Permit<impl MayRead>,
    ) -> Result<Vec<RunRow>, StorageError> {
        let mut connection = self.read.acquire().await.doing(OF_STORE)?;
        held(&mut connection, permit.store()).await
    }
}

impl ConfigurationView {
    /// Returns the open runs of the store with a purge that is held back, the oldest first.
    pub async fn held_runs(&mut self) -> Result<Vec<RunRow>, StorageError> {
        held(&mut self.tx, &self.store).await
    }
}

const OF_STORE: &str = "reading the runs of a store";

async fn held(
    connection: &mut AnyConnection,
    store: &StoreId,
) -> Result<Vec<RunRow>, StorageError> {
    let sql = concat!(
        "SELECT ",
        columns!(),
        " FROM runs WHERE store_id = $1 AND state = 'open' AND result IS NOT NULL ORDER BY number"
    );
    sqlx::query(sql)
        .bind(store.as_str())
        .try_map(|row| run(&row))
        .fetch_all(connection)
        .await
        .doing(OF_STORE)
}

async fn with_scopes(
    connection: &mut AnyConnection,
    query: Query<'_, Any, AnyArguments>,
) -> Result<Vec<(RunRow, Vec<RunScopeRow>)>, StorageError> {
    let rows = query.fetch_all(&mut *connection).await.doing(OF_STORE)?;
    let mut runs = Vec::with_capacity(rows.len());
    for row in &rows {
        let run = run(row).doing(OF_STORE)?;
        let scopes = read_scopes(connection, run.number).await?;
        runs.push((run, scopes));
    }
    Ok(runs)
}

impl FeedWrite {
    /// Returns the run `id` of the store.
    pub async fn run(&mut self, id: &RunId) -> Result<Option<RunRow>, StorageError> {
        read_run(&mut self.tx, &self.store, id).await
    }

    /// Returns the run of the store with the connector's id `client_run_id`.
    pub async fn run_of_client(
        &mut self,
        client_run_id: &str,
    ) -> Result<Option<RunRow>, StorageError> {
        let doing = "reading a run by the connector's id";
        let sql = concat!(
            "SELECT ",
            columns!(),
            " FROM runs WHERE store_id = $1 AND client_run_id = $2"
        );
        sqlx::query(sql)
            .bind(self.store.as_str())
            .bind(client_run_id)
            .try_map(|row| run(&row))
            .fetch_optional(&mut *self.tx)
            .await
            .doing(doing)
    }

    /// Returns the scopes of a run of the store, in the order of its request.
    pub async fn run_scopes(&mut self, run: &RunRow) -> Result<Vec<RunScopeRow>, StorageError> {
        read_scopes(&mut self.tx, run.number).await
    }

    /// Returns the open runs that cover `index`, the oldest first.
    pub async fn open_runs_on(&mut self, index: IndexId) -> Result<Vec<RunRow>, StorageError> {
        let doing = "looking for an open run";
        let sql = concat!(
            "SELECT ",
            columns!(),
            " FROM runs WHERE store_id = $1 AND state = 'open' AND number IN ",
            "(SELECT run_number FROM run_scopes WHERE index_id = $2) ORDER BY number"
        );
        sqlx::query(sql)
            .bind(self.store.as_str())
            .bind(index.0)
            .try_map(|row| run(&row))
            .fetch_all(&mut *self.tx)
            .await
            .doing(doing)
    }

    /// Opens a run on the indices, in this order.
    pub async fn open_run(
        &mut self,
        new: &NewRunRow,
        indices: &[IndexState],
    ) -> Result<(), StorageError> {
        let doing = "opening a run";
        self.note_run(new.at).await?;
        let number = counters::next(&mut self.tx, "run").await?;
        let mode = match new.mode {
            RunMode::Incremental => "incremental",
            RunMode::Full => "full",
            RunMode::Fresh => "fresh",
        };
        let by = new.by.as_ref().map(|by| text(by, doing)).transpose()?;
        let sql = "INSERT INTO runs (id, number, store_id, client_run_id, mode, state, opened_at, last_used_at, origin, \
                   opened_by, process) VALUES ($1, $2, $3, $4, $5, 'open', $6, $6, $7, $8, $9)";
        sqlx::query(sql)
            .bind(new.id.as_str())
            .bind(number)
            .bind(self.store.as_str())
            .bind(new.client_run_id.as_str())
            .bind(mode)
            .bind(new.at.0)
            .bind(new.origin.as_str())
            .bind(by)
            .bind(new.process.as_deref())
            .execute(&mut *self.tx)
            .await
            .doing(doing)?;
        for (position, index) in indices.iter().enumerate() {
            let sql = "INSERT INTO run_scopes (run_number, position, index_id, opened_writes, seen) \
                       VALUES ($1, $2, $3, $4, 0)";
            sqlx::query(sql)
                .bind(number)
                .bind(i64::try_from(position).unwrap_or(i64::MAX))
                .bind(index.id.0)
                .bind(index.writes)
                .execute(&mut *self.tx)
                .await
                .doing(doing)?;
        }
        Ok(())
    }

    /// Stores that a run of the store was used, and that it saw `seen` more documents of `index`.
    pub async fn use_run(
        &mut self,
        run: &RunRow,
        index: IndexId,
        seen: i64,
        at: Timestamp,
    ) -> Result<(), StorageError> {
        let doing = "storing the use of a run";
        sqlx::query("UPDATE runs SET last_used_at = $3 WHERE number = $1 AND store_id = $2")
            .bind(run.number)
            .bind(self.store.as_str())
            .bind(at.0)
            .execute(&mut *self.tx)
            .await
            .doing(doing)?;
        let sql = "UPDATE run_scopes SET seen = seen + $3 WHERE run_number = $1 AND index_id = $2";
        sqlx::query(sql)
            .bind(run.number)
            .bind(index.0)
            .bind(seen)
            .execute(&mut *self.tx)
            .await
            .doing(doing)?;
        Ok(())
    }

    /// Stores which fields the documents that a run sent to `index` have and the service does not know.
    pub async fn save_unknown_fields(
        &mut self,
        run: &RunRow,
        index: IndexId,
        fields: &UnknownFields,
    ) -> Result<(), StorageError> {
        let doing = "storing unknown fields of a run";
        let sql =
            "UPDATE run_scopes SET unknown_fields = $3 WHERE run_number = $1 AND index_id = $2";
        sqlx::query(sql)
            .bind(run.number)
            .bind(index.0)
            .bind(text(fields, doing)?)
            .execute(&mut *self.tx)
            .await
            .doing(doing)?;
        Ok(())
    }

    /// Stores the result of a close that leaves the run open, and its use.
    pub async fn hold_run(
        &mut self,
        run: &RunRow,
        result: &RunClosed,
        at: Timestamp,
    ) -> Result<(), StorageError> {
        let doing = "storing the result of a held run";
        sqlx::query(
            "UPDATE runs SET result = $3, last_used_at = $4 WHERE number = $1 AND store_id = $2",
        )
        .bind(run.number)
        .bind(self.store.as_str())
        .bind(text(result, doing)?)
        .bind(at.0)
        .execute(&mut *self.tx)
        .await
        .doing(doing)?;
        Ok(())
    }

    /// Ends a run of the store in `state`, with the result of its close.
    pub async fn end_run(
        &mut self,
        run: &RunRow,
        state: RunState,
        result: Option<&RunClosed>,
        at: Timestamp,
    ) -> Result<(), StorageError> {
        let doing = "ending a run";
        let result = result.map(|result| text(result, doing)).transpose()?;
        let sql = "UPDATE runs SET state = $3, result = $4, ended_at = $5 WHERE number = $1 AND store_id = $2";
        sqlx::query(sql)
            .bind(run.number)
            .bind(self.store.as_str())
            .bind(state.as_str())
            .bind(result)
            .bind(at.0)
            .execute(&mut *self.tx)
            .await
            .doing(doing)?;
        Ok(())
    }
}
