//! `AnalyticsStorage`: the search log in a database file of its own, which may be lost without harm to anything else.
//!
//! A damaged file is set aside and begun anew. Its statements, too, use only what SQLite and PostgreSQL have in common.

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
use crate::error::{Doing, StorageError};
use sqlx::{AnyConnection, AnyPool};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio::sync::RwLock;

/// Name of the file in the data directory.
pub(crate) const FILE_NAME: &str = "analytics.db";
/// Name of the latest file that was set aside.
const SET_ASIDE_NAME: &str = "analytics.db.damaged";

/// Handle of the search log's database, cheap to clone.
#[derive(Clone, Debug)]
pub struct AnalyticsStorage {
    path: Arc<PathBuf>,
    state: Arc<RwLock<PoolState>>,
}

#[derive(Debug)]
enum PoolState {
    Open(Pools),
    /// The file could not be opened, such as on a full disk; the next statement tries again.
    Failed,
    Closed,
}

#[derive(Clone, Debug)]
struct Pools {
    read: AnyPool,
    write: AnyPool,
}

impl Pools {
    async fn open(path: &Path) -> Result<Self, StorageError> {
        connect::probe(path).await?;
        let write = connect::pool(path, PoolAccess::LogWrite).await?;
        sqlx::migrate!("../../migrations-analytics")
            .run(&write)
            .await
            .map_err(|source| StorageError::migration(path, source))?;
        let read = connect::pool(path, PoolAccess::LogRead).await?;
        Ok(Self { read, write })
    }

    /// Opens the file; one that can never be used is set aside first. Returns also why, if one was.
    async fn open_or_replace(path: &Path) -> Result<(Self, Option<StorageError>), StorageError> {
        match Self::open(path).await {
            Ok(pools) => Ok((pools, None)),
            Err(error) if error.is_damage() || path.is_dir() => {
                rename_aside(path).map_err(|source| StorageError::open(path, source))?;
                Ok((Self::open(path).await?, Some(error)))
            }
            Err(error) => Err(error),
        }
    }

    async fn close(self) {
        self.read.close().await;
        self.write.close().await;
    }
}

impl AnalyticsStorage {
    /// Opens `analytics.db` in the directory `dir`; creates it and runs migrations. Returns also what was wrong with the
    /// file: a damaged one was set aside, and whatever else failed, such as a newer version, is tried again with each
    /// statement.
    pub async fn open(dir: &Path) -> (Self, Option<StorageError>) {
        let path = dir.join(FILE_NAME);
        let (state, error) = match Pools::open_or_replace(&path).await {
            Ok((pools, unusable)) => (PoolState::Open(pools), unusable),
            Err(error) => (PoolState::Failed, Some(error)),
        };
        let storage = Self {
            path: Arc::new(path),
            state: Arc::new(RwLock::new(state)),
        };
        (storage, error)
    }

    /// Sets the file aside and begins a new one, for a statement failed because it is damaged.
    ///
    /// Errors: if the file cannot be replaced; the next statement tries again.
    pub async fn begin_anew(&self) -> Result<(), StorageError> {
        let mut state = self.state.write().await;
        match std::mem::replace(&mut *state, PoolState::Failed) {
            PoolState::Closed => {
                *state = PoolState::Closed;
                return Ok(());
            }
            PoolState::Open(pools) => pools.close().await,
            PoolState::Failed => {}
        }
        rename_aside(&self.path).map_err(|source| StorageError::open(&self.path, source))?;
        *state = PoolState::Open(Pools::open(&self.path).await?);
        Ok(())
    }

    /// Waits until all connections are returned and closes them.
    pub async fn close(&self) {
        let mut state = self.state.write().await;
        if let PoolState::Open(pools) = std::mem::replace(&mut *state, PoolState::Closed) {
            pools.close().await;
        }
    }

    /// Writes a copy into the directory `dir`, as [`crate::Storage::back_up`] does with the other database.
    ///
    /// Errors: if the file cannot be read or the copy cannot be written.
    pub async fn back_up(&self, dir: &Path) -> Result<(), StorageError> {
        let pools = self.pools("copying the search log").await?;
        crate::backup::copy(&pools.read, dir, FILE_NAME).await
    }

    async fn pools(&self, doing: &'static str) -> Result<Pools, StorageError> {
        match &*self.state.read().await {
            PoolState::Open(pools) => return Ok(pools.clone()),
            PoolState::Failed => {}
            PoolState::Closed => return Err(sqlx::Error::PoolClosed).doing(doing),
        }
        let mut state = self.state.write().await;
        match &*state {
            PoolState::Open(pools) => Ok(pools.clone()),
            PoolState::Closed => Err(sqlx::Error::PoolClosed).doing(doing),
            PoolState::Failed => {
                let (pools, _) = Pools::open_or_replace(&self.path).await?;
                *state = PoolState::Open(pools.clone());
                Ok(pools)
            }
        }
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

/// Runs `work` in a transaction that takes the write lock at once.
macro_rules! in_transaction {
    ($storage:expr, $doing:expr, |$tx:ident| $work:block) => {{
        let pools = $storage.pools($doing).await?;
        let mut $tx = pools
            .write
            .begin_with("BEGIN IMMEDIATE")
            .await
            .doing($doing)?;
        let done = $work;
        $tx.commit().await.doing($doing)?;
        done
    }};
}

use in_transaction;

/// The connection type of all statements.
type LogConnection = AnyConnection;
