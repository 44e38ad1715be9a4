//! Times as they are read from the clock, and what is told of many of them.

use std::time::{Duration, Instant};

/// Times of the same kind of work.
#[derive(Default)]
pub struct Times(Vec<Duration>);

impl Times {
    pub fn add(&mut self, time: Duration) {
        self.0.push(time);
    }

    /// The time in microseconds below which `share` of all lie.
    pub fn quantile(&self, share: f64) -> f64 {
        let mut sorted = self.0.clone();
        sorted.sort_unstable();
        let last = sorted.len().saturating_sub(1);
        let at = (share * last as f64).round() as usize;
        sorted.get(at).map_or(0.0, |time| time.as_secs_f64() * 1e6)
    }

    pub fn median(&self) -> f64 {
        self.quantile(0.5)
    }

    pub fn mean(&self) -> f64 {
        let sum: Duration = self.0.iter().sum();
        sum.as_secs_f64() * 1e6 / self.0.len().max(1) as f64
    }
}

/// How long `work` takes.
#[expect(clippy::disallowed_methods, reason = "a benchmark reads the clock")]
pub fn time<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    let done = std::hint::black_box(work());
    (done, start.elapsed())
}
