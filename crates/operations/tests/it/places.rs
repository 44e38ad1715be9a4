//! Where the data of a test is: in its directory, or on the server that this run of the tests uses.

use crate::each_test::{self, TestDatabase};
use operations::{DataLocations, DatabaseUrl};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The databases of one data directory.
#[derive(Default)]
struct OfDirectory {
    service: Option<TestDatabase>,
    search_log: Option<TestDatabase>,
}

static KNOWN: Mutex<Option<HashMap<PathBuf, OfDirectory>>> = Mutex::new(None);

fn known() -> MutexGuard<'static, Option<HashMap<PathBuf, OfDirectory>>> {
    KNOWN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns where the data of a service in `dir` is, always the same.
pub fn places_of(dir: &Path) -> DataLocations {
    let mut known = known();
    let of_directories = known.get_or_insert_default();
    let databases = of_directories
        .entry(dir.to_owned())
        .or_insert_with(|| OfDirectory {
            service: each_test::of_this_test(),
            search_log: of_log(),
        });
    let url =
        |database: &TestDatabase| DatabaseUrl::parse(&database.url(), None).expect("an address");
    let database = databases.service.as_ref().map(url);
    let master_key = database.is_some().then(|| dir.join("master.key"));
    if let Some(path) = &master_key
        && !path.exists()
    {
        std::fs::write(path, [7; 32]).expect("written");
    }
    DataLocations {
        search_log: databases.search_log.as_ref().map(url),
        database,
        master_key,
        search: None,
    }
}

/// Returns the address of the database of a service in `dir`, if it is on a server.
pub fn url_of(dir: &Path) -> Option<String> {
    let known = known();
    let databases = known.as_ref()?.get(dir)?;
    databases.service.as_ref().map(TestDatabase::url)
}

/// The tests of the log are those that look at it; its database costs as much as the other one.
fn of_log() -> Option<TestDatabase> {
    let thread = std::thread::current();
    let test = thread.name().unwrap_or_default();
    (test.contains("search_log")).then(each_test::empty_of_this_test)?
}

/// Drops the databases of a directory with its test.
pub struct PlacesOf(PathBuf);

impl PlacesOf {
    pub fn new(dir: &Path) -> Self {
        Self(dir.to_owned())
    }
}

impl Drop for PlacesOf {
    fn drop(&mut self) {
        let databases = known().as_mut().and_then(|known| known.remove(&self.0));
        drop(databases);
    }
}
