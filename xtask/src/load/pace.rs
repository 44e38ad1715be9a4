//! Send times of an open loop: requests are due at fixed times, however long earlier responses take, and latency counts
//! from the due time.

use crate::stopwatch::{Stopwatch, pause};
use std::time::Duration;

/// The send times of one worker.
pub struct Pace<'a> {
    clock: &'a Stopwatch,
    until: Duration,
    interval: Duration,
    next: Duration,
}

impl<'a> Pace<'a> {
    /// The times of the worker `share.0` of `share.1`, which send `rate` requests a second together until `until`.
    pub fn new(clock: &'a Stopwatch, until: Duration, rate: f64, share: (usize, usize)) -> Self {
        let (at, of) = share;
        let start = clock.elapsed();
        Self {
            clock,
            until,
            interval: Duration::from_secs_f64(of as f64 / rate),
            next: start + Duration::from_secs_f64(at as f64 / rate),
        }
    }

    /// Waits for the next send time and returns it; none when the load is over.
    pub fn wait(&mut self) -> Option<Duration> {
        let due = self.next;
        let now = self.clock.elapsed();
        if due >= self.until || now >= self.until {
            return None;
        }
        self.next += self.interval;
        pause(due.saturating_sub(now));
        Some(due)
    }

    /// Time since `due`.
    pub fn since(&self, due: Duration) -> Duration {
        self.clock.elapsed().saturating_sub(due)
    }
}
