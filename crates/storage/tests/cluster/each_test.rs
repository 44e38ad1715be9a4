//! A database of a server for each test: a test binary starts itself again with them, so every test runs on both databases.

#[path = "lock_order.rs"]
mod lock_order;

use crate::cluster::{Cluster, DEFAULT_PORT, SUPERUSER, find_programs, sql};
use lock_order::{WATCHED, violations};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

/// Folder of the socket of the server that the tests of this process use.
const SERVER: &str = "FINDWELL_TEST_SERVER";
/// Parts of the names of tests, where somebody wants to run those only.
const ONLY: &str = "FINDWELL_POSTGRES_ONLY";
/// The database that those of tests are copies of.
const TEMPLATE: &str = "findwell_template";

impl Cluster {
    /// Returns the address of a database.
    pub fn url(&self, database: &str) -> String {
        url_in(self.folder(), database)
    }
}

/// A database of one test, dropped with it.
pub struct TestDatabase {
    name: String,
    folder: PathBuf,
    programs: PathBuf,
}

/// Returns a new database where this process tests on a server.
pub fn of_this_test() -> Option<TestDatabase> {
    let folder = PathBuf::from(std::env::var_os(SERVER)?);
    Some(TestDatabase::copy_of(&folder, TEMPLATE))
}

/// Returns a new database without tables where this process tests on a server.
pub fn empty_of_this_test() -> Option<TestDatabase> {
    let folder = PathBuf::from(std::env::var_os(SERVER)?);
    Some(TestDatabase::copy_of(&folder, "template0"))
}

impl TestDatabase {
    fn copy_of(folder: &Path, template: &str) -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("test_{}_{number}", std::process::id());
        let programs = find_programs().expect("the programs of the server");
        let create = format!("CREATE DATABASE {name} TEMPLATE {template}");
        assert!(
            sql(&programs, (folder, DEFAULT_PORT), "postgres", &create),
            "{create}"
        );
        let folder = folder.to_owned();
        Self {
            name,
            folder,
            programs,
        }
    }

    /// Returns the address of the database.
    pub fn url(&self) -> String {
        url_in(&self.folder, &self.name)
    }
}

impl Drop for TestDatabase {
    fn drop(&mut self) {
        let drop = format!("DROP DATABASE {} WITH (FORCE)", self.name);
        let _ = sql(
            &self.programs,
            (&self.folder, DEFAULT_PORT),
            "postgres",
            &drop,
        );
    }
}

/// The tests of a binary that run again.
#[derive(Default)]
pub struct Selection<'a> {
    /// Parts of their names; all tests if empty.
    pub named: &'a [&'a str],
    /// Parts of the names of those that do not.
    pub skipped: &'a [&'a str],
}

/// Runs tests of this binary on databases of a server, whose template `migrate` brings up to date.
pub fn run_again(tests: &Selection, migrate: impl FnOnce(&str)) {
    let Some(cluster) = Cluster::start(None, &WATCHED) else {
        return;
    };
    let create = format!("CREATE DATABASE {TEMPLATE} TEMPLATE template0");
    assert!(cluster.sql("postgres", &create), "{}", cluster.log());
    migrate(&cluster.url(TEMPLATE));
    let mut again = Command::new(std::env::current_exe().expect("this binary"));
    again
        .env(SERVER, cluster.folder())
        .arg("--skip=on_postgresql");
    match std::env::var(ONLY) {
        Ok(only) => again.args(only.split_whitespace()),
        Err(_) => again.args(tests.named),
    };
    again.args(tests.skipped.iter().map(|name| format!("--skip={name}")));
    let output = again.output().expect("the binary runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "on PostgreSQL:\n{text}\n{errors}");
    let (late, several) = violations(&cluster.log());
    assert!(late.is_empty(), "locks out of order:\n{late}");
    assert!(several > 0, "the log shows no transaction with two locks");
    let summary = text.lines().find(|line| line.starts_with("test result"));
    let line = format!("on PostgreSQL: {}\n", summary.unwrap_or_default());
    let _ = io::stderr().write_all(line.as_bytes());
}

/// Returns the address of a database of the server with its socket in `folder`.
fn url_in(folder: &Path, database: &str) -> String {
    let folder = folder.display();
    format!("postgres://{SUPERUSER}@localhost:{DEFAULT_PORT}/{database}?host={folder}")
}
