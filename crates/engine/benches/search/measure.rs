//! Times of one thread's own work, and what is told of many of them.
//!
//! Other work on the machine lengthens wall time but not the time that a thread computes, so that is what counts here.

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

    /// The time in microseconds below which `share` of all lie.
    pub fn quantile(&self, share: f64) -> f64 {
        let mut sorted = self.0.clone();
        sorted.sort_unstable_by(f64::total_cmp);
        let last = sorted.len().saturating_sub(1);
        let at = (share * last as f64).round() as usize;
        sorted.get(at).copied().unwrap_or(0.0)
    }

    /// The time in the middle.
    pub fn median(&self) -> f64 {
        self.quantile(0.5)
    }

    /// The mean.
    pub fn mean(&self) -> f64 {
        self.0.iter().sum::<f64>() / self.0.len().max(1) as f64
    }
}

/// Times of an answer of ten hits and of many to the same questions.
#[derive(Default)]
pub struct Pairs {
    ten: Times,
    /// Of many.
    pub many: Times,
    ratios: Times,
}

impl Pairs {
    /// Adds the times of one question.
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

/// What `work` gives, and the microseconds that this thread computed for it.
pub fn time<T>(work: impl FnOnce() -> T) -> (T, f64) {
    measured(ClockId::ThreadCPUTime, work)
}

/// The same for all threads of the process.
pub fn time_of_all_threads<T>(work: impl FnOnce() -> T) -> (T, f64) {
    measured(ClockId::ProcessCPUTime, work)
}

/// The same as it passes for everybody.
pub fn wall_time<T>(work: impl FnOnce() -> T) -> (T, f64) {
    measured(ClockId::Monotonic, work)
}

/// Both, what passed first.
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
