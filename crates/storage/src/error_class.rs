//! `ErrorClass`: what an error of the database means, in the words of the driver that reported it.

use sqlx::error::{DatabaseError, ErrorKind};
use sqlx::postgres::PgDatabaseError;
use sqlx::sqlite::SqliteError;

/// What an error means for whoever made the call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorClass {
    /// Others are at work: a lock, a turn or a connection did not become free in time.
    Busy,
    /// There is no space left.
    Full,
    /// The database accepts no writes.
    ReadOnly,
    /// The connection is lost or closed.
    Connection,
    /// A constraint of the tables rejected the statement.
    Constraint,
    /// The database or a part of it is damaged, or the file is no database.
    Damaged,
    /// Any other error.
    Other,
}

impl ErrorClass {
    /// Returns the class of an error.
    pub(crate) fn of(error: &sqlx::Error) -> Self {
        match error {
            sqlx::Error::PoolTimedOut => Self::Busy,
            sqlx::Error::PoolClosed
            | sqlx::Error::WorkerCrashed
            | sqlx::Error::Io(_)
            | sqlx::Error::Tls(_)
            // A server that stops may end a connection in the middle of a message.
            | sqlx::Error::Protocol(_) => Self::Connection,
            sqlx::Error::Database(reported) => Self::of_database(&**reported),
            _ => Self::Other,
        }
    }

    /// Asks for the driver first: the same code means something else to each.
    fn of_database(error: &dyn DatabaseError) -> Self {
        if !matches!(error.kind(), ErrorKind::Other) {
            return Self::Constraint;
        }
        if let Some(error) = error.try_downcast_ref::<SqliteError>() {
            return Self::of_sqlite(error);
        }
        match error.try_downcast_ref::<PgDatabaseError>() {
            Some(error) => Self::of_sqlstate(error.code()),
            None => Self::Other,
        }
    }

    /// PostgreSQL's codes have a class in their first two characters.
    fn of_sqlstate(code: &str) -> Self {
        match code {
            // A serialisation failure, a deadlock, a lock or a statement that took too long, too many connections.
            "40001" | "40P01" | "55P03" | "57014" | "53300" => Self::Busy,
            // A transaction in a database that became a standby.
            "25006" => Self::ReadOnly,
            // Idle in a transaction for too long; the server has closed the connection.
            "25P03" | "25P04" => Self::Connection,
            // A NUL, or another byte that no text has; a key that is too long for an index.
            "22021" | "22P05" | "54000" => Self::Constraint,
            "XX001" | "XX002" => Self::Damaged,
            _ => match code.get(..2) {
                Some("53") => Self::Full,
                Some("08") => Self::Connection,
                Some("23") => Self::Constraint,
                // The server shuts down, starts, or has dropped the database.
                Some("57") => Self::Connection,
                _ => Self::Other,
            },
        }
    }

    /// SQLite's extended codes keep the primary one in their low byte.
    fn of_sqlite(error: &SqliteError) -> Self {
        let code = DatabaseError::code(error).and_then(|code| code.parse::<u32>().ok());
        match code.map(|code| code & 0xff) {
            // Busy, locked.
            Some(5 | 6) => Self::Busy,
            Some(8) => Self::ReadOnly,
            // Corrupt, not a database.
            Some(11 | 26) => Self::Damaged,
            Some(13) => Self::Full,
            Some(19) => Self::Constraint,
            _ => Self::Other,
        }
    }

    /// Returns whether a retry may succeed.
    pub fn is_transient(self) -> bool {
        match self {
            // A database that became a standby has a successor, which the next connection finds.
            Self::Busy | Self::Full | Self::ReadOnly | Self::Connection => true,
            Self::Constraint | Self::Damaged | Self::Other => false,
        }
    }
}

impl std::fmt::Display for ErrorClass {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Busy => "busy",
            Self::Full => "no space",
            Self::ReadOnly => "read-only",
            Self::Connection => "no connection",
            Self::Constraint => "rejected by a constraint",
            Self::Damaged => "damaged",
            Self::Other => "error",
        })
    }
}

#[cfg(test)]
mod tests {
    //! 1. Errors that SQLite reports have the class of what happened.
    //! 2. The code of another driver is none of SQLite's, whatever number it is.
    //! 3. Waiting in vain for a connection and having none are told apart.
    //! 4. Each SQLSTATE that PostgreSQL is expected to report has the class of what happened.

    use super::*;
    use sqlx::{AnyConnection, Connection};
    use std::borrow::Cow;
    use std::error::Error;
    use std::fmt;
    use std::path::Path;

    async fn connect(path: &Path) -> AnyConnection {
        sqlx::any::install_default_drivers();
        let url = format!("sqlite:{}?mode=rwc", path.display());
        AnyConnection::connect(&url).await.expect("opens")
    }

    async fn run(connection: &mut AnyConnection, sql: &'static str) -> Result<(), sqlx::Error> {
        sqlx::query(sql).execute(connection).await.map(drop)
    }

    async fn class(connection: &mut AnyConnection, sql: &'static str) -> ErrorClass {
        ErrorClass::of(&run(connection, sql).await.expect_err("an error"))
    }

    #[tokio::test]
    async fn what_sqlite_reports() {
        let dir = tempfile::tempdir().expect("a directory");
        let path = dir.path().join("a.db");
        let mut one = connect(&path).await;
        for sql in [
            "CREATE TABLE a (id INTEGER PRIMARY KEY, body TEXT NOT NULL)",
            "INSERT INTO a VALUES (1, 'x')",
        ] {
            run(&mut one, sql).await.expect("runs");
        }
        let again = class(&mut one, "INSERT INTO a VALUES (1, 'y')").await;
        assert_eq!(again, ErrorClass::Constraint);
        let null = class(&mut one, "INSERT INTO a VALUES (2, NULL)").await;
        assert_eq!(null, ErrorClass::Constraint);
        let unknown = class(&mut one, "SELECT * FROM b").await;
        assert_eq!(unknown, ErrorClass::Other);

        run(&mut one, "BEGIN IMMEDIATE").await.expect("begins");
        let mut other = connect(&path).await;
        run(&mut other, "PRAGMA busy_timeout = 0")
            .await
            .expect("set");
        let waits = class(&mut other, "BEGIN IMMEDIATE").await;
        assert_eq!(waits, ErrorClass::Busy);
        run(&mut one, "ROLLBACK").await.expect("ends");

        run(&mut other, "PRAGMA query_only = ON")
            .await
            .expect("set");
        let read_only = class(&mut other, "INSERT INTO a VALUES (3, 'x')").await;
        assert_eq!(read_only, ErrorClass::ReadOnly);

        run(&mut one, "PRAGMA max_page_count = 2")
            .await
            .expect("set");
        let large = "INSERT INTO a VALUES (3, HEX(RANDOMBLOB(100000)))";
        assert_eq!(class(&mut one, large).await, ErrorClass::Full);

        let garbage = dir.path().join("garbage.db");
        std::fs::write(&garbage, "this is no database, ".repeat(500)).expect("written");
        let url = format!("sqlite:{}", garbage.display());
        let read = async {
            let mut garbage = AnyConnection::connect(&url).await?;
            run(&mut garbage, "SELECT COUNT(*) FROM sqlite_master").await
        };
        let damaged = read.await.expect_err("no database");
        assert_eq!(ErrorClass::of(&damaged), ErrorClass::Damaged);
    }

    /// An error of a database that this program has no driver for.
    #[derive(Debug)]
    struct Foreign(&'static str);

    impl fmt::Display for Foreign {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str(self.0)
        }
    }

    impl Error for Foreign {}

    impl DatabaseError for Foreign {
        fn message(&self) -> &str {
            self.0
        }

        fn code(&self) -> Option<Cow<'_, str>> {
            Some(self.0.into())
        }

        fn as_error(&self) -> &(dyn Error + Send + Sync + 'static) {
            self
        }

        fn as_error_mut(&mut self) -> &mut (dyn Error + Send + Sync + 'static) {
            self
        }

        fn into_error(self: Box<Self>) -> Box<dyn Error + Send + Sync + 'static> {
            self
        }

        fn kind(&self) -> ErrorKind {
            ErrorKind::Other
        }
    }

    #[test]
    fn codes_of_other_drivers() {
        // 42501 is "no privilege" in SQLSTATE; its low byte is SQLite's "busy".
        for code in ["42501", "5", "6", "11", "13", "26", "53100", "08006"] {
            let error = sqlx::Error::Database(Box::new(Foreign(code)));
            assert_eq!(ErrorClass::of(&error), ErrorClass::Other, "{code}");
        }
    }

    #[test]
    fn what_postgresql_reports() {
        for (class, codes) in [
            (
                ErrorClass::Busy,
                &["40001", "40P01", "55P03", "57014", "53300"][..],
            ),
            (ErrorClass::Full, &["53000", "53100", "53200", "53400"]),
            (ErrorClass::ReadOnly, &["25006"]),
            (
                ErrorClass::Connection,
                &["57P01", "57P02", "57P03", "08000", "08006", "25P03"],
            ),
            (
                ErrorClass::Constraint,
                &["22021", "23505", "23503", "54000"],
            ),
            (ErrorClass::Damaged, &["XX001", "XX002"]),
            (
                ErrorClass::Other,
                &["42501", "42P01", "42703", "XX000", "25P02"],
            ),
        ] {
            for code in codes {
                assert_eq!(ErrorClass::of_sqlstate(code), class, "{code}");
            }
        }
    }

    #[test]
    fn errors_of_the_pool() {
        for (error, class) in [
            (sqlx::Error::PoolTimedOut, ErrorClass::Busy),
            (sqlx::Error::PoolClosed, ErrorClass::Connection),
            (
                sqlx::Error::Protocol("half a message".to_owned()),
                ErrorClass::Connection,
            ),
            (sqlx::Error::RowNotFound, ErrorClass::Other),
        ] {
            assert_eq!(ErrorClass::of(&error), class);
        }
    }
}
