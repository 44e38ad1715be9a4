//! `AnalyticsStorage`: the search log in a database of its own, which may be lost without harm to anything else.
//!
//! A damaged file is set aside and begun anew; nothing on a server is ever removed for being unusable. Its statements, too,
//! use only what SQLite and PostgreSQL have in common.

mod batch;
mod cleanup;
mod counts;
mod marks;
mod read;
mod write;

pub use batch::{
    EventMarks, LatestSearch, LogBatch, LogTotalKey, LoggedQueryDelta, LoggedQueryKey,
    LoggedResponse, LoggedVisit, SearchMark, SearchMarks,
};
pub use cleanup::LogRetention;
pub use counts::{LogCount, LogCounts};
pub use marks::StoredMarks;
pub use read::{LoggedDay, LoggedQuery, PopularQuery, QueryPage, SearchSums};

use crate::connect::{self, PoolAccess};
use crate::database::{Database, LOG_FILE_NAME};
use crate::dialect::Dialect;
use crate::error::{Doing, StorageError};
use crate::migrations;
use sqlx::{Any, AnyConnection, AnyPool, Transaction};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::RwLock;
use tokio::time::Instant;

/// How long statements fail at once after a server could not be reached, so that they do not queue up for it.
const RETRY_AFTER: Duration = Duration::from_secs(5);

/// Name of the latest file that was set aside.
const SET_ASIDE_NAME: &str = "analytics.db.damaged";

/// Handle of the search log's database, cheap to clone.
#[derive(Clone, Debug)]
pub struct AnalyticsStorage {
    database: Arc<Database>,
    state: Arc<RwLock<PoolState>>,
}

#[derive(Debug)]
enum PoolState {
    Open(Pools),
    /// The database could not be opened, such as on a full disk; a statement after that instant tries again.
    Failed(Instant),
    Closed,
}

#[derive(Clone, Debug)]
pub(crate) struct Pools {
    pub(crate) read: AnyPool,
    pub(crate) write: AnyPool,
}

impl Pools {
    pub(crate) async fn open(database: &Database) -> Result<Self, StorageError> {
        connect::probe(database).await?;
        let write =
            connect::migrated_pool(database, PoolAccess::LogWrite, &migrations::OF_LOG).await?;
        let read = connect::pool(database, PoolAccess::LogRead).await?;
        Ok(Self { read, write })
    }

    /// Opens the database; a file that can never be used is set aside first. Returns also why, if one was.
    async fn open_or_replace(
        database: &Database,
    ) -> Result<(Self, Option<StorageError>), StorageError> {
        match (Self::open(database).await, database) {
            (Ok(pools), _) => Ok((pools, None)),
            (Err(error), Database::File(path)) if error.is_damage() || path.is_dir() => {
                rename_aside(path).map_err(|source| StorageError::open(database, source))?;
                Ok((Self::open(database).await?, Some(error)))
            }
            (Err(error), _) => Err(error),
        }
    }

    pub(crate) async fn close(self) {
        self.read.close().await;
        self.write.close().await;
    }
}

impl AnalyticsStorage {
    /// Opens `database` and runs migrations; a file is created. Returns also what was wrong with it: a damaged file was set
    /// aside, and whatever else failed, such as a newer version or a server that is down, is tried again by statements.
    pub async fn open(database: Database) -> (Self, Option<StorageError>) {
        let (state, error) = match Pools::open_or_replace(&database).await {
            Ok((pools, unusable)) => (PoolState::Open(pools), unusable),
            Err(error) => (PoolState::Failed(retry_at(&database)), Some(error)),
        };
        let storage = Self {
            database: Arc::new(database),
            state: Arc::new(RwLock::new(state)),
        };
        (storage, error)
    }

    /// Returns whether the log is in a file, which is begun anew if it is damaged.
    pub fn is_file(&self) -> bool {
        !self.database.is_on_server()
    }

    /// Sets a file aside and begins a new one, for a statement failed because it is damaged. Does nothing on a server.
    ///
    /// Errors: if the file cannot be replaced; the next statement tries again.
    pub async fn begin_anew(&self) -> Result<(), StorageError> {
        let Database::File(path) = &*self.database else {
            return Ok(());
        };
        let mut state = self.state.write().await;
        let failed = PoolState::Failed(retry_at(&self.database));
        match std::mem::replace(&mut *state, failed) {
            PoolState::Closed => {
                *state = PoolState::Closed;
                return Ok(());
            }
            PoolState::Open(pools) => pools.close().await,
            PoolState::Failed(_) => {}
        }
        rename_aside(path).map_err(|source| StorageError::open(&self.database, source))?;
        *state = PoolState::Open(Pools::open(&self.database).await?);
        Ok(())
    }

    /// Waits until all connections are returned and closes them.
    pub async fn close(&self) {
        let mut state = self.state.write().await;
        if let PoolState::Open(pools) = std::mem::replace(&mut *state, PoolState::Closed) {
            pools.close().await;
        }
    }

    /// Writes a copy of a file into the directory `dir`, as [`crate::Storage::back_up`] does with the other database.
    ///
    /// Errors: if the file cannot be read or the copy cannot be written.
    pub async fn back_up(&self, dir: &Path) -> Result<(), StorageError> {
        let pools = self.pools("copying the search log").await?;
        crate::backup::copy(&pools.read, dir, LOG_FILE_NAME).await
    }

    async fn pools(&self, doing: &'static str) -> Result<Pools, StorageError> {
        if let Some(pools) = opened(&*self.state.read().await, doing)? {
            return Ok(pools);
        }
        let mut state = self.state.write().await;
        if let Some(pools) = opened(&state, doing)? {
            return Ok(pools);
        }
        match Pools::open_or_replace(&self.database).await {
            Ok((pools, _)) => {
                *state = PoolState::Open(pools.clone());
                Ok(pools)
            }
            Err(error) => {
                *state = PoolState::Failed(retry_at(&self.database));
                Err(error)
            }
        }
    }

    fn dialect(&self) -> Dialect {
        self.database.dialect()
    }

    /// Begins a transaction that writes.
    async fn begin(&self, doing: &'static str) -> Result<Transaction<'static, Any>, StorageError> {
        let pools = self.pools(doing).await?;
        let begun = pools.write.begin_with(self.dialect().begin_writing()).await;
        begun.doing(doing)
    }
}

/// Returns the pools if they are open, or `None` if it is time to open them.
fn opened(state: &PoolState, doing: &'static str) -> Result<Option<Pools>, StorageError> {
    match state {
        PoolState::Open(pools) => Ok(Some(pools.clone())),
        PoolState::Closed => Err(sqlx::Error::PoolClosed).doing(doing),
        PoolState::Failed(until) if Instant::now() < *until => {
            Err(sqlx::Error::PoolTimedOut).doing(doing)
        }
        PoolState::Failed(_) => Ok(None),
    }
}

/// Returns when a statement may try to open the database again: a file at once, because that takes no time.
fn retry_at(database: &Database) -> Instant {
    match database {
        Database::File(_) => Instant::now(),
        Database::Url(_) => Instant::now() + RETRY_AFTER,
    }
}

/// Renames a file and its log, replacing those set aside before; none may exist.
fn rename_aside(path: &Path) -> io::Result<()> {
    let suffixed = |path: &Path, suffix: &str| {
        let mut name = path.as_os_str().to_owned();
        name.push(suffix);
        PathBuf::from(name)
    };
    let aside = path.with_file_name(SET_ASIDE_NAME);
    for suffix in ["", "-wal", "-shm"] {
        let (from, to) = (suffixed(path, suffix), suffixed(&aside, suffix));
        let gone = if to.is_dir() {
            fs::remove_dir_all(&to)
        } else {
            fs::remove_file(&to)
        };
        for outcome in [gone, fs::rename(from, to)] {
            match outcome {
                Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
                _ => {}
            }
        }
    }
    Ok(())
}

/// Runs `work` in a transaction that writes.
macro_rules! in_transaction {
    ($storage:expr, $doing:expr, |$tx:ident| $work:block) => {{
        let mut $tx = $storage.begin($doing).await?;
        let done = $work;
        $tx.commit().await.doing($doing)?;
        done
    }};
}

use in_transaction;

/// The connection type of all statements.
type LogConnection = AnyConnection;
