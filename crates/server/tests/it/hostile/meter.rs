//! The peak of a process's resident memory, and how long something takes.

use std::fs;
use std::time::{Duration, Instant};

/// Bytes of a mebibyte.
pub const MIB: u64 = 1024 * 1024;
/// Most by which one request may raise the peak.
pub const REQUEST_GROWTH_MAX: u64 = 64 * MIB;
/// Most by which one block of the feed may raise it, with the indexing of its documents.
pub const BLOCK_GROWTH_MAX: u64 = 128 * MIB;
/// Most by which everything that is sent at once may raise it.
pub const TOTAL_GROWTH_MAX: u64 = 512 * MIB;

/// The peak of a process from a moment on.
#[derive(Debug)]
pub struct Meter {
    pid: u32,
    before: u64,
}

impl Meter {
    /// Measures the process `pid` from now on.
    pub fn of(pid: u32) -> Self {
        // Linux sets the peak to what is resident now; where that is forbidden the former peak is the floor.
        let _ = fs::write(format!("/proc/{pid}/clear_refs"), "5");
        let before = peak(pid);
        Self { pid, before }
    }

    /// Bytes by which the peak has risen.
    pub fn growth(&self) -> u64 {
        peak(self.pid).saturating_sub(self.before)
    }

    /// Fails when the peak has risen by more than `bound` bytes.
    pub fn assert_within(&self, bound: u64, what: &str) {
        let growth = self.growth();
        println!("{what}: {} of {} MiB", growth / MIB, bound / MIB);
        assert!(
            growth <= bound,
            "{what}: resident memory rose by {} MiB, at most {} MiB are allowed",
            growth / MIB,
            bound / MIB
        );
    }
}

/// The peak of resident memory of the process `pid`, in bytes.
pub fn peak(pid: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).expect("the process lives");
    let line = status.lines().find(|line| line.starts_with("VmHWM:"));
    let kibibytes = line.and_then(|line| line.split_whitespace().nth(1)?.parse::<u64>().ok());
    kibibytes.expect("a peak in kB") * 1024
}

/// What `work` returns, and how long it took.
#[expect(
    clippy::disallowed_methods,
    reason = "how long requests take is what is tested"
)]
pub fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    let value = work();
    (value, start.elapsed())
}

/// The shortest of `rounds` times that `work` takes: what it costs on a machine that does other things too.
pub fn shortest(rounds: usize, mut work: impl FnMut()) -> Duration {
    let times = (0..rounds).map(|_| timed(&mut work).1);
    times.min().expect("at least one round")
}
