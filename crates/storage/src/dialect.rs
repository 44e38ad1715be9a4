//! `Dialect`: where SQLite and PostgreSQL need another statement, or other numbers, for the same thing.

use crate::rows::ROWS_MAX;
use domain::limits::BLOCK_DOCUMENTS_MAX;

/// The database that executes the statements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// One file with one writer.
    Sqlite,
    /// A server with a lock for each row.
    Postgres,
}

impl Dialect {
    /// Returns the statement that begins a transaction that writes.
    ///
    /// SQLite's takes the lock of all writers at once, so that it waits for another process instead of failing at its first
    /// write. PostgreSQL's sees with each statement what others committed before it, after it has waited for their locks.
    pub fn begin_writing(self) -> &'static str {
        match self {
            Self::Sqlite => "BEGIN IMMEDIATE",
            Self::Postgres => "BEGIN ISOLATION LEVEL READ COMMITTED",
        }
    }

    /// Returns the statement that begins a transaction whose reads all see the same state.
    pub fn begin_snapshot(self) -> &'static str {
        match self {
            Self::Sqlite => "BEGIN",
            Self::Postgres => "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
        }
    }

    /// Returns how many transactions of one process write at once.
    pub fn writers(self) -> usize {
        match self {
            Self::Sqlite => 1,
            Self::Postgres => crate::postgres::WRITERS,
        }
    }

    /// Returns the maximum rows of a statement that writes documents.
    ///
    /// SQLite runs in the process and gains nothing by more than a few; every statement is a way to the server and back.
    pub fn rows_max(self) -> usize {
        match self {
            Self::Sqlite => ROWS_MAX,
            Self::Postgres => BLOCK_DOCUMENTS_MAX,
        }
    }

    /// Returns the statement that lists the columns of the table `$1`: their names, and 1 for numbers, else 0.
    pub fn columns(self) -> &'static str {
        match self {
            Self::Sqlite => {
                "SELECT name, CASE type WHEN 'BIGINT' THEN 1 ELSE 0 END FROM pragma_table_info($1) ORDER BY cid"
            }
            Self::Postgres => {
                "SELECT CAST(column_name AS TEXT), CAST(CASE data_type WHEN 'bigint' THEN 1 ELSE 0 END AS BIGINT) \
                 FROM information_schema.columns WHERE table_schema = current_schema() \
                 AND CAST(table_name AS TEXT) = $1 ORDER BY ordinal_position"
            }
        }
    }

    /// Returns the expression for the time in milliseconds by the clock of the database.
    pub fn now(self) -> &'static str {
        match self {
            Self::Sqlite => "CAST((julianday('now') - 2440587.5) * 86400000 AS BIGINT)",
            Self::Postgres => "CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)",
        }
    }

    /// Returns the statement that reads what tells the database from a former state of it: the server, the database and its
    /// timeline, or nothing while the server is a standby.
    pub fn timeline(self) -> Option<&'static str> {
        match self {
            Self::Sqlite => None,
            Self::Postgres => Some(
                "SELECT CASE WHEN pg_is_in_recovery() THEN NULL ELSE \
                 (SELECT CAST(system_identifier AS TEXT) FROM pg_control_system()) || '/' \
                 || (SELECT CAST(oid AS TEXT) FROM pg_database WHERE datname = current_database()) || '/' \
                 || SUBSTR(pg_walfile_name(pg_current_wal_lsn()), 1, 8) END",
            ),
        }
    }

    /// Returns the statement by which others hear of the store `$1` when it is committed, if others may listen.
    pub fn notify(self) -> Option<&'static str> {
        match self {
            Self::Sqlite => None,
            Self::Postgres => Some("SELECT CAST(pg_notify('findwell_store', $1) AS TEXT)"),
        }
    }

    /// Returns the statement that takes the lock named `$1` until the transaction ends, if there is more than one lock for
    /// writers. The function returns no value of a type that could be read.
    pub fn named_lock(self) -> Option<&'static str> {
        match self {
            Self::Sqlite => None,
            Self::Postgres => {
                Some("SELECT CAST(pg_advisory_xact_lock(hashtextextended($1, 0)) AS TEXT)")
            }
        }
    }
}
