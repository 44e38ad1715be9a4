//! Where the database of a test is: in a temporary directory, or on the server that this run of the tests uses.

use crate::each_test::{self, TestDatabase};
use storage::{Database, DatabaseUrl};
use tempfile::TempDir;

/// A new database, which is removed with this.
pub struct Place {
    pub database: Database,
    pub dir: TempDir,
    _of_server: Option<TestDatabase>,
}

impl Place {
    /// Without data, but on a server with the tables.
    pub fn new() -> Self {
        Self::of(each_test::of_this_test(), Database::in_dir)
    }

    /// Of the search log, without tables.
    pub fn of_log() -> Self {
        Self::of(each_test::empty_of_this_test(), Database::of_log_in_dir)
    }

    fn of(server: Option<TestDatabase>, file: fn(&std::path::Path) -> Database) -> Self {
        let dir = TempDir::new().expect("a directory");
        let database = match &server {
            Some(server) => address(&server.url()),
            None => file(dir.path()),
        };
        Self {
            database,
            dir,
            _of_server: server,
        }
    }
}

/// The database at an address of the tests.
pub fn address(url: &str) -> Database {
    Database::Url(DatabaseUrl::parse(url, None).expect("an address"))
}
