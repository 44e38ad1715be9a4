//! What the removal of a large store costs shoppers of another one.
//!
//! A store is removed seven days after it was deleted. So the server runs with the clock of the fault tests, which is a
//! small library before the C library, and a word of a file shifts it.

use super::catalogue::KINDS;
use super::filled;
use crate::failure::{Failure, Outcome};
use crate::feed_load::store::Store;
use crate::load::record::Records;
use crate::process::{Server, UNLIMITED};
use crate::stopwatch::{Stopwatch, pause};
use crate::workspace;
use evaluation::choices::Choices;
use std::fs::{self, File};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// Products of the store that is searched.
const OTHER: usize = 5_000;
/// Time between two searches, and how many there are in a second.
const EVERY: Duration = Duration::from_millis(50);
const A_SECOND: usize = 20;
/// Time for which searches are measured before the removal.
const REFERENCE: Duration = Duration::from_secs(60);
/// The job that removes stores runs every five minutes.
const REMOVED_MAX: Duration = Duration::from_secs(1_200);
/// Bytes of the shared words, and where that of the clock is.
const CONTROL_BYTES: usize = 48;
const CLOCK_AT: u64 = 32;
const EIGHT_DAYS_S: i64 = 8 * 86_400;
const SEARCH: &str = "search";
/// Most by which the 95th percentile of others may grow.
const SLOWER_MAX: f64 = 2.0;

/// Measures searches of one store before and during the removal of another one with `products` products.
///
/// # Errors
///
/// When a command or request fails, the removal does not end, or others are slower than they may be.
pub fn run(binary: PathBuf, products: usize) -> Outcome<()> {
    let folder = std::env::temp_dir().join(format!("findwell-clock-{}", std::process::id()));
    fs::create_dir_all(&folder).map_err(Failure::of(folder.display()))?;
    let result = measure(binary, products, &folder);
    fs::remove_dir_all(&folder).unwrap_or_default();
    result
}

fn measure(binary: PathBuf, products: usize, folder: &Path) -> Outcome<()> {
    let library = library(folder)?;
    let path = folder.join("control");
    fs::write(&path, [0; CONTROL_BYTES]).map_err(Failure::of(path.display()))?;
    let control = File::options().write(true).open(&path);
    let control = control.map_err(Failure::of(path.display()))?;
    let environment = [
        ("LD_PRELOAD", library.as_path()),
        // No file of the server is below it: only the clock is changed.
        ("DISK_ROOT", Path::new("/nowhere")),
        ("DISK_CONTROL", path.as_path()),
    ];
    let server = Server::start_in(binary, &UNLIMITED, &environment)?;
    let deleted = filled(&server, "large", products)?;
    let other = filled(&server, "other", OTHER)?;
    pause(REFERENCE / 4);
    let watch = Stopwatch::start();
    let before = search_until(&server, &other, 1, |_| watch.elapsed() > REFERENCE);
    let watch = Stopwatch::start();
    server.command(&["store", "delete", deleted.id(), "--name", "large"])?;
    println!("deleted after {:.1?}", watch.elapsed());
    let after = deleted.search(&deleted.sender(), "tente", false).status;
    if after != 401 {
        return Err(Failure::new(format!(
            "a search of the deleted store is {after}"
        )));
    }
    let shifted = control.write_all_at(&EIGHT_DAYS_S.to_ne_bytes(), CLOCK_AT);
    shifted.map_err(Failure::of("control"))?;
    let removed = removal(&server, &other)?;
    let [before, during] = [&before, &removed].map(|records| {
        let record = records.of(SEARCH);
        let at = |percent| record.and_then(|record| record.percentile(percent));
        [50, 95, 99].map(|percent| at(percent).unwrap_or_default().as_secs_f64() * 1_000.0)
    });
    println!("searches of another store before: {before:.1?} ms (50th, 95th, 99th percentile)");
    println!("searches of another store during the removal: {during:.1?} ms");
    if during[1] > before[1] * SLOWER_MAX {
        let times = during[1] / before[1];
        return Err(Failure::new(format!("others are {times:.1} times as slow")));
    }
    Ok(())
}

/// Waits until the removal begins, searches until it ends, and returns those searches.
fn removal(server: &Server, other: &Store) -> Outcome<Records> {
    let waited = Stopwatch::start();
    // The indexes go first.
    let begun = || server.index_count() < 2;
    while !begun() {
        if waited.elapsed() > REMOVED_MAX {
            return Err(Failure::new("the removal does not begin"));
        }
        pause(Duration::from_millis(20));
    }
    let watch = Stopwatch::start();
    let records = search_until(server, other, 2, |closed| {
        closed.is_empty() || watch.elapsed() > REMOVED_MAX
    });
    if watch.elapsed() > REMOVED_MAX {
        return Err(Failure::new("the removal does not end"));
    }
    println!("removed after {:.1?}", watch.elapsed());
    Ok(records)
}

/// Searches until `over`, which is asked once a second with the list of closed stores.
fn search_until(
    server: &Server,
    store: &Store,
    seed: usize,
    over: impl Fn(&str) -> bool,
) -> Records {
    let mut choices = Choices::new(seed);
    let mut records = Records::default();
    let sender = store.sender();
    for number in 1.. {
        // Nearly every query is another one, so that no cache answers.
        let kind = KINDS[choices.below(KINDS.len())];
        let query = format!("{kind} mot{}", choices.below(4_000));
        let watch = Stopwatch::start();
        let sent = store.search(&sender, &query, true);
        records.add(SEARCH, sent.status, watch.elapsed());
        pause(EVERY.saturating_sub(watch.elapsed()));
        let closed = (number % A_SECOND == 0)
            .then(|| server.command(&["store", "list", "--closed"]).ok())
            .flatten();
        if closed.is_some_and(|closed| over(&closed)) {
            break;
        }
    }
    records
}

/// Builds the library of the fault tests.
fn library(folder: &Path) -> Outcome<PathBuf> {
    let source = workspace::root().join("crates/server/tests/it/faults/disk.c");
    let built = folder.join("disk.so");
    let status = Command::new("cc")
        .args(["-shared", "-fPIC", "-O1", "-o"])
        .args([&built, &source])
        .args(["-ldl", "-lpthread"])
        .status()
        .map_err(Failure::of("cc"))?;
    match status.success() {
        true => Ok(built),
        false => Err(Failure::new("disk.c does not build")),
    }
}
