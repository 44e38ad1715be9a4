//! The only clock of the tasks: measures durations and pauses between attempts.

use std::thread;
use std::time::{Duration, Instant};

/// Time since it was started.
pub struct Stopwatch(Instant);

impl Stopwatch {
    /// Starts a stopwatch.
    #[expect(
        clippy::disallowed_methods,
        reason = "durations are what the tasks measure"
    )]
    pub fn start() -> Self {
        Self(Instant::now())
    }

    /// Time since the start.
    pub fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}

/// Calls `attempt` every 50 ms until it returns a value; none when `at_most` has passed.
pub fn poll<T>(at_most: Duration, attempt: impl FnMut() -> Option<T>) -> Option<T> {
    poll_every(Duration::from_millis(50), at_most, attempt)
}

/// Calls `attempt` at an interval until it returns a value; none when `at_most` has passed.
pub fn poll_every<T>(
    interval: Duration,
    at_most: Duration,
    mut attempt: impl FnMut() -> Option<T>,
) -> Option<T> {
    let watch = Stopwatch::start();
    loop {
        if let Some(value) = attempt() {
            return Some(value);
        }
        if watch.elapsed() > at_most {
            return None;
        }
        pause(interval);
    }
}

/// Waits, for example as long as `Retry-After` says.
pub fn pause(time: Duration) {
    thread::sleep(time);
}
