//! A server in this process, a store with every kind of key, and a small client.

mod binary;
mod client;
mod folder;
pub mod module_releases;
mod ports;
mod seeded_store;
mod shop;
#[path = "../../../../operations/tests/it/test_clock.rs"]
mod test_clock;

pub use binary::{Binary, Outcome, command, command_of, findwell, outcome, signal};
pub use client::{Call, Client, Reply};
pub use folder::copy_folder;
pub use ports::free_ports;
pub use seeded_store::SeededStore;
pub use shop::{Shop, locations, product};
pub use test_clock::TestClock;

use std::time::{Duration, Instant};

/// How long a test waits for anything.
const TIMEOUT: Duration = Duration::from_secs(60);

/// Time between two looks at a condition that is waited for.
const POLL: Duration = Duration::from_millis(2);

/// Waits until `condition` holds.
pub fn eventually(what: &str, condition: impl FnMut() -> bool) {
    eventually_within(TIMEOUT, what, condition);
}

/// Waits until `condition` holds, for so long.
#[expect(
    clippy::disallowed_methods,
    reason = "a test that waits needs an end, and only the system's clock has one"
)]
pub fn eventually_within(longest: Duration, what: &str, mut condition: impl FnMut() -> bool) {
    let deadline = Instant::now() + longest;
    while !condition() {
        assert!(Instant::now() < deadline, "timed out waiting until {what}");
        // The server under test needs the cores more than this loop.
        std::thread::park_timeout(POLL);
    }
}
