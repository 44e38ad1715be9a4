//! Each pair of operations of two servers that may be in each other's way, in both orders, the first one paused in the
//! middle of its transaction; with the database in a file, both at once.
//!
//! 1. The other one waits, and the outcome is that of one after the other.
//! 2. Without the locks that have names, those pairs fail that need them; others have locks of rows or conditions.

mod access;
mod feed;
mod pause;
mod two;

use operations::OperationError;
use two::NamedLocks;

/// `ok` or the code of an error.
fn outcome<T>(result: Result<T, OperationError>) -> String {
    result.map_or_else(|error| error.code().to_owned(), |_| "ok".to_owned())
}

/// Compares what became of both.
fn both(done: &(String, String), first: &str, second: &str) -> Result<(), String> {
    match (done.0 == first, done.1 == second) {
        (true, true) => Ok(()),
        _ => Err(format!("{done:?}, not {first} and {second}")),
    }
}

/// Compares what became of both, whichever was first.
fn either(done: (String, String), less: &str, more: &str) -> Result<(), String> {
    let (first, second) = done;
    let sorted = if first <= second {
        (first, second)
    } else {
        (second, first)
    };
    both(&sorted, less, more)
}

/// Checks that one succeeded, and the other one was told why not.
fn one_wins(done: &(String, String)) -> Result<(), String> {
    let [first, second] = [&done.0, &done.1].map(|one| one == "ok");
    let is_internal = [&done.0, &done.1].iter().any(|one| *one == "internal");
    match first != second && !is_internal {
        true => Ok(()),
        false => Err(format!("{done:?}")),
    }
}

macro_rules! pairs {
    ($($file:ident::$pair:ident)*) => {
        $(
            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $pair() {
                for swapped in [false, true] {
                    let done = $file::$pair(swapped, NamedLocks::Kept).await;
                    assert_eq!(done, Ok(()), "swapped: {swapped}");
                }
            }
        )*
    };
}

pairs! {
    feed::blocks_and_sweeps
    feed::sweeps
    feed::blocks_and_marks
    feed::blocks_and_repairs
    feed::deletions_of_runs
    feed::openings_of_a_run
    feed::closings_of_a_run
    feed::blocks_and_closings
    feed::languages
    feed::declarations
    access::removals_of_owners
    access::removals_and_demotions
    access::stores_at_the_limit
    access::openings_and_removals
    access::uses_of_a_link
    access::uses_of_a_reset
    access::joins_of_one_person
    access::sign_ins_and_new_passwords
}

/// Without their lock, pairs of feed transactions fail in one order at least.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pairs_fail_without_named_locks() {
    if !two::Two::new(NamedLocks::Kept).await.is_on_server() {
        return;
    }
    macro_rules! fail {
        ($($pair:ident)*) => {
            $({
                let first = feed::$pair(false, NamedLocks::TakenOut).await;
                let second = feed::$pair(true, NamedLocks::TakenOut).await;
                assert!(first.is_err() || second.is_err(), "{}", stringify!($pair));
            })*
        };
    }
    fail! { openings_of_a_run closings_of_a_run blocks_and_closings languages declarations }
}
