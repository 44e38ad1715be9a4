//! `StorageError`: what storage was doing when the database failed.

use sqlx::migrate::MigrateError;
use std::path::{Path, PathBuf};

type StorageCause = Box<dyn std::error::Error + Send + Sync>;

/// An error of storage.
#[derive(Debug, thiserror::Error)]
pub enum StorageError {
    /// The database file cannot be opened or brought up to date.
    #[error("cannot open the database {}", path.display())]
    Open {
        /// The file.
        path: PathBuf,
        /// The error of the database.
        source: StorageCause,
    },
    /// A connection does not have a setting that durability depends on.
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
        /// Whether a retry may succeed: busy, full, no free connection.
        transient: bool,
        /// The error of the database.
        source: StorageCause,
    },
    /// A stored value cannot be parsed by this version.
    #[error("damaged row while {doing}: {reason}")]
    Damaged {
        /// What was being done.
        doing: &'static str,
        /// What is wrong with the value.
        reason: String,
    },
}

impl StorageError {
    /// Returns whether a retry may succeed.
    pub fn is_transient(&self) -> bool {
        matches!(
            self,
            Self::Statement {
                transient: true,
                ..
            }
        )
    }

    /// Returns whether the database file itself, or a value in it, is damaged or of another version.
    pub fn is_damage(&self) -> bool {
        let source = match self {
            Self::Damaged { .. } => return true,
            Self::Setting { .. } => return false,
            Self::Open { source, .. } | Self::Statement { source, .. } => source,
        };
        match source.downcast_ref::<MigrateError>() {
            Some(MigrateError::Execute(cause) | MigrateError::ExecuteMigration(cause, _)) => {
                shows_damage(cause)
            }
            Some(other) => matches!(
                other,
                MigrateError::VersionMissing(_)
                    | MigrateError::VersionMismatch(_)
                    | MigrateError::Dirty(_)
            ),
            None => source.downcast_ref().is_some_and(shows_damage),
        }
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

/// Adds what was being done to the error of a statement.
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

/// Returns whether the error has one of SQLite's codes for damage: 11 corrupt, 26 not a database.
fn shows_damage(error: &sqlx::Error) -> bool {
    let code = error.as_database_error().and_then(|inner| inner.code());
    let code = code.and_then(|code| code.parse::<u32>().ok());
    code.is_some_and(|code| matches!(code & 0xff, 11 | 26))
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
