//! Statements on indices, one per store, type and language.

use crate::error::{Doing, StorageError};
use crate::{ConfigurationView, FeedWrite, Storage, counters};
use domain::access::MayRead;
use domain::feed::FeedScope;
use domain::{DocType, IndexId, Language, Permit, StoreId, Timestamp};
use sqlx::any::AnyRow;
use sqlx::{AnyConnection, Row};

/// One index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IndexRow {
    /// Its number.
    pub id: IndexId,
    /// Its store.
    pub store: StoreId,
    /// Type and language of its documents.
    pub scope: FeedScope,
    /// Sequence number of the last change, which the search index must reach.
    pub sequence: i64,
    /// Documents that are not deleted.
    pub documents: i64,
    /// When it was created.
    pub created_at: Timestamp,
    /// When a document was last written.
    pub updated_at: Timestamp,
}

/// The counters of an index, locked by the transaction that advances them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IndexState {
    /// Its number.
    pub id: IndexId,
    /// Sequence number of the last change, which the search index must reach.
    pub sequence: i64,
    /// Number of the last write of any kind.
    pub writes: i64,
    /// The ordinal of the next new document.
    pub next_ordinal: i64,
    /// Documents that are not deleted.
    pub documents: i64,
    /// The number of writes at which the shop announced a rebuild that keeps serving, until a run has completed it.
    pub rebuild: Option<i64>,
    /// The ordinal of the next deletion mark of an id without a document; negative.
    pub next_mark: i64,
    /// The number of writes at the last clear: documents written up to then are deleted.
    pub cleared_writes: i64,
    /// The number of writes up to which deletion marks block no upsert.
    pub forgiven_writes: i64,
    /// The purge that is not swept yet.
    pub purging: Option<Purging>,
}

/// A purge that is not swept yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Purging {
    /// Number of the closed run: documents that it did not see are deleted.
    pub run: i64,
    /// The index's number of writes when that run was opened: documents written later are not deleted.
    pub opened_writes: i64,
    /// The index's number of writes at the purge.
    pub written: i64,
    /// The last sequence number that the purge reserved.
    pub last: i64,
}

macro_rules! columns {
    () => {
        "id, store_id, type, language, sequence, documents, created_at, updated_at"
    };
}

macro_rules! counters {
    () => {
        "id, sequence, writes, next_ordinal, documents, rebuild, next_mark, cleared_writes, forgiven_writes, purge_run, \
         purge_opened, purge_written, purge_last"
    };
}

fn doc_type(row: &AnyRow) -> Result<DocType, sqlx::Error> {
    let name: String = row.try_get("type")?;
    DocType::parse(&name).ok_or_else(|| sqlx::Error::Decode(format!("unknown type {name}").into()))
}

/// Reads the scope from the columns `type` and `language`.
pub(crate) fn scope(row: &AnyRow) -> Result<FeedScope, sqlx::Error> {
    let language: String = row.try_get("language")?;
    Ok(FeedScope {
        doc_type: doc_type(row)?,
        language: Language::parse(&language).map_err(|e| sqlx::Error::Decode(e.into()))?,
    })
}

fn index(row: &AnyRow) -> Result<IndexRow, sqlx::Error> {
    Ok(IndexRow {
        id: IndexId(row.try_get("id")?),
        store: StoreId(row.try_get("store_id")?),
        scope: scope(row)?,
        sequence: row.try_get("sequence")?,
        documents: row.try_get("documents")?,
        created_at: Timestamp(row.try_get("created_at")?),
        updated_at: Timestamp(row.try_get("updated_at")?),
    })
}

fn purging(row: &AnyRow) -> Result<Option<Purging>, sqlx::Error> {
    let Some(run) = row.try_get("purge_run")? else {
        return Ok(None);
    };
    Ok(Some(Purging {
        run,
        opened_writes: row.try_get("purge_opened")?,
        written: row.try_get("purge_written")?,
        last: row.try_get("purge_last")?,
    }))
}

fn state(row: &AnyRow) -> Result<IndexState, sqlx::Error> {
    Ok(IndexState {
        id: IndexId(row.try_get("id")?),
        sequence: row.try_get("sequence")?,
        writes: row.try_get("writes")?,
        next_ordinal: row.try_get("next_ordinal")?,
        documents: row.try_get("documents")?,
        rebuild: row.try_get("rebuild")?,
        next_mark: row.try_get("next_mark")?,
        cleared_writes: row.try_get("cleared_writes")?,
        forgiven_writes: row.try_get("forgiven_writes")?,
        purging: purging(row)?,
    })
}

/// The indices and documents of one type, of all stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TypeCounts {
    /// The type.
    pub doc_type: DocType,
    /// Indices of all stores and languages.
    pub indexes: i64,
    /// Documents in them.
    pub documents: i64,
}

fn holding(row: &AnyRow) -> Result<TypeCounts, sqlx::Error> {
    Ok(TypeCounts {
        doc_type: doc_type(row)?,
        indexes: row.try_get("indexes")?,
        documents: row.try_get("documents")?,
    })
}

/// Selects the indices of stores that are not closed.
macro_rules! open {
    () => {
        "store_id NOT IN (SELECT id FROM stores WHERE closed_at IS NOT NULL)"
    };
}
pub(crate) use open;

const OF_STORE: &str = "reading the indices of a store";

async fn of_store(
    connection: &mut AnyConnection,
    store: &StoreId,
) -> Result<Vec<IndexRow>, StorageError> {
    let sql = concat!(
        "SELECT ",
        columns!(),
        " FROM indices WHERE store_id = $1 ORDER BY id"
    );
    sqlx::query(sql)
        .bind(store.as_str())
        .try_map(|row| index(&row))
        .fetch_all(connection)
        .await
        .doing(OF_STORE)
}

impl ConfigurationView {
    /// Returns the indices of the store, in order of creation.
    pub async fn indices(&mut self) -> Result<Vec<IndexRow>, StorageError> {
        of_store(&mut self.tx, &self.store).await
    }
}

impl Storage {
    /// Returns the indices of the permitted store, in order of creation.
    pub async fn indices_of(
        &self,
        permit: &Permit<impl MayRead>,
    ) -> Result<Vec<IndexRow>, StorageError> {
        let mut connection = self.read.acquire().await.doing(OF_STORE)?;
        of_store(&mut connection, permit.store()).await
    }

    /// Returns the number of indices and documents of each type, without those of closed stores.
    pub async fn type_counts(&self) -> Result<Vec<TypeCounts>, StorageError> {
        let doing = "counting the documents";
        let sql = concat!(
            "SELECT type, COUNT(*) AS indexes, CAST(SUM(documents) AS BIGINT) AS documents FROM indices WHERE ",
            open!(),
            " GROUP BY type ORDER BY type"
        );
        sqlx::query(sql)
            .try_map(|row| holding(&row))
            .fetch_all(&self.read)
            .await
            .doing(doing)
    }

    /// Returns the indices of all stores, also of closed ones, which nobody can open.
    pub async fn all_indices(&self) -> Result<Vec<IndexRow>, StorageError> {
        let doing = "reading the indices";
        sqlx::query(concat!("SELECT ", columns!(), " FROM indices ORDER BY id"))
            .try_map(|row| index(&row))
            .fetch_all(&self.read)
            .await
            .doing(doing)
    }

    /// Returns the indices of the stores that are not closed.
    pub async fn open_indices(&self) -> Result<Vec<IndexRow>, StorageError> {
        let doing = "reading the indices of the open stores";
        let sql = concat!(
            "SELECT ",
            columns!(),
            " FROM indices WHERE ",
            open!(),
            " ORDER BY id"
        );
        sqlx::query(sql)
            .try_map(|row| index(&row))
            .fetch_all(&self.read)
            .await
            .doing(doing)
    }

    /// Returns the index `id`; `None` if it does not exist or its store is closed.
    pub async fn index(&self, id: IndexId) -> Result<Option<IndexRow>, StorageError> {
        let doing = "reading an index";
        sqlx::query(concat!(
            "SELECT ",
            columns!(),
            " FROM indices WHERE id = $1 AND ",
            open!()
        ))
        .bind(id.0)
        .try_map(|row| index(&row))
        .fetch_optional(&self.read)
        .await
        .doing(doing)
    }
}

impl FeedWrite {
    /// Returns the counters of the index of `scope`, locked until the transaction ends; `None` if it does not exist.
    pub async fn index(&mut self, scope: &FeedScope) -> Result<Option<IndexState>, StorageError> {
        let doing = "locking an index";
        let sql = concat!(
            "UPDATE indices SET sequence = sequence WHERE store_id = $1 AND type = $2 AND language = $3 RETURNING ",
            counters!()
        );
        sqlx::query(sql)
            .bind(self.store.as_str())
            .bind(scope.doc_type.as_str())
            .bind(scope.language.as_str())
            .try_map(|row| state(&row))
            .fetch_optional(&mut *self.tx)
            .await
            .doing(doing)
    }

    /// Returns the scopes of the store that have an index, in order of creation.
    pub async fn scopes(&mut self) -> Result<Vec<FeedScope>, StorageError> {
        let doing = "reading the scopes of a store";
        sqlx::query("SELECT type, language FROM indices WHERE store_id = $1 ORDER BY id")
            .bind(self.store.as_str())
            .try_map(|row| scope(&row))
            .fetch_all(&mut *self.tx)
            .await
            .doing(doing)
    }

    /// Creates the index of `scope`, which must not exist yet.
    pub async fn create_index(
        &mut self,
        scope: &FeedScope,
        at: Timestamp,
    ) -> Result<IndexState, StorageError> {
        let doing = "creating an index";
        let id = counters::next(&mut self.tx, "index").await?;
        let sql = concat!(
            "INSERT INTO indices (id, store_id, type, language, sequence, writes, next_ordinal, documents, ",
            "created_at, updated_at) VALUES ($1, $2, $3, $4, 0, 0, 0, 0, $5, $5) RETURNING ",
            counters!()
        );
        let created = sqlx::query(sql)
            .bind(id)
            .bind(self.store.as_str())
            .bind(scope.doc_type.as_str())
            .bind(scope.language.as_str())
            .bind(at.0)
            .fetch_one(&mut *self.tx)
            .await
            .and_then(|row| state(&row))
            .doing(doing)?;
        self.raise_version().await?;
        Ok(created)
    }

    /// Counts a run that has ended on the index of `scope`, after which nodes compute its average lengths anew.
    pub async fn complete_run(&mut self, scope: &FeedScope) -> Result<(), StorageError> {
        let sql = "UPDATE indices SET completed_runs = completed_runs + 1 \
                   WHERE store_id = $1 AND type = $2 AND language = $3";
        sqlx::query(sql)
            .bind(self.store.as_str())
            .bind(scope.doc_type.as_str())
            .bind(scope.language.as_str())
            .execute(&mut *self.tx)
            .await
            .doing("counting a run of an index")?;
        Ok(())
    }

    /// Saves the counters of an index of the store, except those of clears and purges, which save them themselves.
    pub async fn save_index(
        &mut self,
        state: &IndexState,
        at: Timestamp,
    ) -> Result<(), StorageError> {
        let sql = "UPDATE indices SET sequence = $3, writes = $4, next_ordinal = $5, documents = $6, \
                   rebuild = $7, updated_at = $8, next_mark = $9 WHERE id = $1 AND store_id = $2";
        sqlx::query(sql)
            .bind(state.id.0)
            .bind(self.store.as_str())
            .bind(state.sequence)
            .bind(state.writes)
            .bind(state.next_ordinal)
            .bind(state.documents)
            .bind(state.rebuild)
            .bind(at.0)
            .bind(state.next_mark)
            .execute(&mut *self.tx)
            .await
            .doing("saving the counters of an index")?;
        Ok(())
    }
}
