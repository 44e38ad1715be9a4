//! `StorageError`: names what was being done when the database refused.

use std::path::{Path, PathBuf};

type StorageCause = Box<dyn std::error::Error + Send + Sync>;

/// Why storage could not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum StorageError {
    /// The database file cannot be opened or brought up to date.
    #[error("cannot open the database {}", path.display())]
    Open {
        /// The file.
        path: PathBuf,
        /// What the database said.
        source: StorageCause,
    },
    /// A connection does not have the setting that durability rests on.
    #[error("the database connection has {name} = {found}, which is not what was set")]
    Setting {
        /// Name of the setting.
        name: &'static str,
        /// What the connection reports.
        found: String,
    },
    /// A statement failed.
    #[error("storage failed while {doing}")]
    Statement {
        /// What was being done.
        doing: &'static str,
        /// Whether the same may succeed a little later: busy, full, no free connection.
        transient: bool,
        /// What the database said.
        source: StorageCause,
    },
    /// A stored value is not what this version writes.
    #[error("damaged row while {doing}: {reason}")]
    Damaged {
        /// What was being done.
        doing: &'static str,
        /// What is wrong with the value.
        reason: String,
    },
}

impl StorageError {
    /// Whether the same may succeed a little later.
    pub fn is_passing(&self) -> bool {
        matches!(
            self,
            Self::Statement {
                transient: true,
                ..
            }
        )
    }

    pub(crate) fn open(path: &Path, source: impl Into<StorageCause>) -> Self {
        Self::Open {
            path: path.to_owned(),
            source: source.into(),
        }
    }

    pub(crate) fn damaged(doing: &'static str, reason: impl ToString) -> Self {
        Self::Damaged {
            doing,
            reason: reason.to_string(),
        }
    }
}

/// Says what was being done when a statement failed.
pub(crate) trait Doing<T> {
    fn doing(self, what: &'static str) -> Result<T, StorageError>;
}

impl<T> Doing<T> for Result<T, sqlx::Error> {
    fn doing(self, what: &'static str) -> Result<T, StorageError> {
        self.map_err(|source| match source {
            sqlx::Error::Decode(reason) => StorageError::damaged(what, reason),
            source => StorageError::Statement {
                doing: what,
                transient: is_passing(&source),
                source: source.into(),
            },
        })
    }
}

fn is_passing(error: &sqlx::Error) -> bool {
    // SQLite's codes: 5 busy, 6 locked, 13 full; extended codes keep the first one in their low byte.
    let sqlite = |code: &str| {
        code.parse::<u32>()
            .is_ok_and(|c| matches!(c & 0xff, 5 | 6 | 13))
    };
    match error {
        sqlx::Error::PoolTimedOut | sqlx::Error::Io(_) => true,
        sqlx::Error::Database(inner) => inner.code().is_some_and(|code| sqlite(&code)),
        _ => false,
    }
}
