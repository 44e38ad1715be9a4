//! Processor times, and their statistics.
//!
//! Processor time is measured, because other work on the machine affects it less than wall time.

use rustix::time::{ClockId, clock_gettime};
use std::fmt;
use std::time::Duration;

/// Times of the same kind of work.
#[derive(Default)]
pub struct Times(Vec<f64>);

impl Times {
    /// Adds a time in microseconds.
    pub fn add(&mut self, micros: f64) {
        self.0.push(micros);
    }

    /// The quantile `share` in microseconds.
    pub fn quantile(&self, share: f64) -> f64 {
        let mut sorted = self.0.clone();
        sorted.sort_unstable_by(f64::total_cmp);
        let last = sorted.len().saturating_sub(1);
        let at = (share * last as f64).round() as usize;
        sorted.get(at).copied().unwrap_or(0.0)
    }

    /// The median.
    pub fn median(&self) -> f64 {
        self.quantile(0.5)
    }

    /// The mean.
    pub fn mean(&self) -> f64 {
        self.0.iter().sum::<f64>() / self.0.len().max(1) as f64
    }
}

/// Times of searches for ten and for many hits, with the same queries.
#[derive(Default)]
pub struct Pairs {
    ten: Times,
    /// Of many.
    pub many: Times,
    ratios: Times,
}

impl Pairs {
    /// Adds the times of one query.
    pub fn add(&mut self, ten: f64, many: f64) {
        self.ten.add(ten);
        self.many.add(many);
        self.ratios.add(many / ten);
    }
}

impl fmt::Display for Pairs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (ten, many) = (self.ten.median(), self.many.median());
        let ratio = self.ratios.median();
        write!(f, "{many:.0} µs, 10 hits {ten:.0} µs, ratio {ratio:.2}")
    }
}

/// Runs `work`; returns its result and the processor time of this thread in microseconds.
pub fn time<T>(work: impl FnOnce() -> T) -> (T, f64) {
    measured(ClockId::ThreadCPUTime, work)
}

/// Runs `work`; returns its result and the processor time of all threads in microseconds.
pub fn time_of_all_threads<T>(work: impl FnOnce() -> T) -> (T, f64) {
    measured(ClockId::ProcessCPUTime, work)
}

/// Runs `work`; returns its result and the wall time in microseconds.
pub fn wall_time<T>(work: impl FnOnce() -> T) -> (T, f64) {
    measured(ClockId::Monotonic, work)
}

/// Runs `work`; returns its result, the wall time and the processor time of all threads in microseconds.
pub fn passed_and_computed<T>(work: impl FnOnce() -> T) -> (T, [f64; 2]) {
    let ((done, passed), computed) = time_of_all_threads(|| wall_time(work));
    (done, [passed, computed])
}

fn measured<T>(clock: ClockId, work: impl FnOnce() -> T) -> (T, f64) {
    let start = now(clock);
    let done = std::hint::black_box(work());
    (done, (now(clock) - start).as_secs_f64() * 1e6)
}

fn now(clock: ClockId) -> Duration {
    let read = clock_gettime(clock);
    Duration::new(read.tv_sec as u64, read.tv_nsec as u32)
}
