//! `StorageError`: what storage was doing when the database failed.

use crate::database::Database;
use crate::error_class::ErrorClass;
use sqlx::migrate::MigrateError;
use std::fmt;

type StorageCause = Box<dyn std::error::Error + Send + Sync>;

/// An error of storage.
#[derive(Debug, thiserror::Error)]
pub enum StorageError {
    /// The database cannot be opened or brought up to date.
    #[error("cannot open the database {database}")]
    Open {
        /// The file, or server and name.
        database: String,
        /// The error of the database.
        source: StorageCause,
    },
    /// The database was written by a newer version, and stays as it is.
    #[error("the database {database} is of a newer version, which added migration {migration}")]
    Newer {
        /// The file, or server and name.
        database: String,
        /// Number of a migration that this version does not have.
        migration: i64,
    },
    /// The database was written by an older version, and was opened to be read only.
    #[error(
        "the database {database} is of an older version; the next start of a server brings it up to date"
    )]
    Older {
        /// The file, or server and name.
        database: String,
    },
    /// The server or its database is set up so that it cannot be used.
    #[error("the database {database} cannot be used: {reason}")]
    Unsuitable {
        /// The file, or server and name.
        database: String,
        /// What is wrong, and what to do about it.
        reason: String,
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
    #[error("storage failed while {doing} ({class})")]
    Statement {
        /// What was being done.
        doing: &'static str,
        /// What the error means.
        class: ErrorClass,
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
        matches!(self, Self::Statement { class, .. } if class.is_transient())
    }

    /// Returns whether the database file itself, or a value in it, is damaged. One of a newer version is not.
    pub fn is_damage(&self) -> bool {
        let source = match self {
            Self::Damaged { .. } => return true,
            Self::Newer { .. }
            | Self::Older { .. }
            | Self::Unsuitable { .. }
            | Self::Setting { .. } => return false,
            Self::Open { source, .. } | Self::Statement { source, .. } => source,
        };
        match source.downcast_ref::<MigrateError>() {
            Some(MigrateError::Execute(cause) | MigrateError::ExecuteMigration(cause, _)) => {
                shows_damage(cause)
            }
            Some(other) => matches!(
                other,
                MigrateError::VersionMismatch(_) | MigrateError::Dirty(_)
            ),
            None => source.downcast_ref().is_some_and(shows_damage),
        }
    }

    pub(crate) fn open(database: impl fmt::Display, source: impl Into<StorageCause>) -> Self {
        Self::Open {
            database: database.to_string(),
            source: source.into(),
        }
    }

    pub(crate) fn unsuitable(database: &impl fmt::Display, reason: impl Into<String>) -> Self {
        Self::Unsuitable {
            database: database.to_string(),
            reason: reason.into(),
        }
    }

    /// Returns the error for migrations of `database` that cannot be applied.
    pub(crate) fn migration(database: &Database, source: MigrateError) -> Self {
        match source {
            MigrateError::VersionMissing(migration) => Self::Newer {
                database: database.to_string(),
                migration,
            },
            other => Self::open(database, other),
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
                class: ErrorClass::of(&source),
                source: source.into(),
            },
        })
    }
}

fn shows_damage(error: &sqlx::Error) -> bool {
    ErrorClass::of(error) == ErrorClass::Damaged
}
