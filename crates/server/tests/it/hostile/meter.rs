//! The peak of a process's resident memory, its processor time, and elapsed times.

use rustix::time::{ClockId, clock_gettime};
use std::collections::HashMap;
use std::fs;
use std::time::{Duration, Instant};

/// One mebibyte in bytes.
pub const MIB: u64 = 1024 * 1024;
/// The maximum by which one request may raise the peak.
pub const REQUEST_GROWTH_MAX: u64 = 64 * MIB;
/// The maximum by which one block of the feed may raise it, including the indexing of its documents.
pub const BLOCK_GROWTH_MAX: u64 = 128 * MIB;
/// The maximum by which concurrent requests together may raise it.
pub const TOTAL_GROWTH_MAX: u64 = 512 * MIB;

/// The maximum of a time that is `optimised` where everything is optimised. Other builds may take four times as long:
/// there the tests catch what is out of proportion, and the figure itself holds for what is shipped.
pub const fn time_max(optimised: Duration) -> Duration {
    if cfg!(debug_assertions) {
        optimised.saturating_mul(4)
    } else {
        optimised
    }
}

/// The growth of the peak memory of a process.
#[derive(Debug)]
pub struct Meter {
    pid: u32,
    before: u64,
}

impl Meter {
    /// Starts measuring the process `pid`.
    pub fn of(pid: u32) -> Self {
        // Linux resets the peak to the resident memory; where that is forbidden the former peak is the baseline.
        let _ = fs::write(format!("/proc/{pid}/clear_refs"), "5");
        let before = peak(pid);
        Self { pid, before }
    }

    /// Bytes by which the peak has risen.
    pub fn growth(&self) -> u64 {
        peak(self.pid).saturating_sub(self.before)
    }

    /// Fails if the peak has risen by more than `bound` bytes.
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

/// Returns the result of `work` and the time it took.
#[expect(
    clippy::disallowed_methods,
    reason = "how long requests take is what is tested"
)]
pub fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    let value = work();
    (value, start.elapsed())
}

/// Returns the shortest time of `rounds` runs of `work`: its cost on a machine that does other things too.
pub fn shortest(rounds: usize, mut work: impl FnMut()) -> Duration {
    let times = (0..rounds).map(|_| timed(&mut work).1);
    times.min().expect("at least one round")
}

/// Returns the least processor time of the process `pid` in `rounds` runs of `work`. Other processes make `work` take
/// longer, but hardly make it cost more.
pub fn cheapest(pid: u32, rounds: usize, mut work: impl FnMut()) -> Duration {
    let costs = (0..rounds).map(|_| {
        let before = processor_times(pid);
        work();
        let used = |(thread, after): (String, u64)| {
            after.saturating_sub(before.get(&thread).copied().unwrap_or(0))
        };
        Duration::from_nanos(processor_times(pid).into_iter().map(used).sum())
    });
    costs.min().expect("at least one round")
}

/// Nanoseconds of processor time that each thread of the process `pid` has used.
fn processor_times(pid: u32) -> HashMap<String, u64> {
    let threads = fs::read_dir(format!("/proc/{pid}/task")).expect("the process lives");
    // A thread that ended meanwhile has no file any more.
    let times = threads.filter_map(|thread| {
        let thread = thread.ok()?;
        let times = fs::read_to_string(thread.path().join("schedstat")).ok()?;
        let used = times.split_whitespace().next()?.parse().ok()?;
        Some((thread.file_name().to_string_lossy().into_owned(), used))
    });
    let times: HashMap<String, u64> = times.collect();
    assert!(!times.is_empty(), "the system reports what threads use");
    times
}

/// Returns the least processor time of this thread in `rounds` runs of `work`.
pub fn cheapest_here(rounds: usize, mut work: impl FnMut()) -> Duration {
    let now = || {
        let now = clock_gettime(ClockId::ThreadCPUTime);
        Duration::try_from(now).expect("time passes forwards")
    };
    let costs = (0..rounds).map(|_| {
        let before = now();
        work();
        now().saturating_sub(before)
    });
    costs.min().expect("at least one round")
}
