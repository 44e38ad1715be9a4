//! Resident memory of the server over time, and whether it grows.

use crate::process::Server;
use crate::stopwatch::{Stopwatch, pause};
use std::time::Duration;

/// Sampling interval.
const EVERY: Duration = Duration::from_secs(1);
/// Percent by which memory may grow from the first half to the second.
const GROWTH_MAX: u64 = 5;
const MIB: u64 = 1024 * 1024;

/// Samples at equal intervals, in bytes.
#[derive(Debug, Default)]
pub struct Memory {
    samples: Vec<u64>,
    /// Peak resident memory.
    pub peak: Option<u64>,
}

impl Memory {
    /// Samples until `until`, and prints a line each minute.
    pub fn watch(server: &Server, clock: &Stopwatch, until: Duration) -> Self {
        let mut memory = Self::default();
        let mut minutes = 0;
        while clock.elapsed() < until {
            memory.samples.extend(server.resident_memory());
            let elapsed = clock.elapsed().as_secs() / 60;
            if elapsed > minutes || memory.samples.len() == 1 {
                minutes = elapsed;
                let held = memory.samples.last().map_or(0, |bytes| bytes / MIB);
                println!("minute {minutes:>3}: {held} MiB resident");
            }
            pause(EVERY);
        }
        memory.peak = server.peak_memory();
        memory
    }

    /// The median of each quarter of the time, in bytes; none with fewer than four samples.
    pub fn quarters(&self) -> Option<[u64; 4]> {
        let length = self.samples.len() / 4;
        let median = |at: usize| {
            let mut quarter = self.samples.get(at * length..(at + 1) * length)?.to_vec();
            quarter.sort_unstable();
            quarter.get(length / 2).copied()
        };
        Some([median(0)?, median(1)?, median(2)?, median(3)?])
    }

    /// Describes the growth of memory, if there is any. Medians are compared, so that a single peak does not count, and
    /// that of the last quarter decides, so that caches filled at the start do not count either.
    pub fn growth_failure(&self) -> Option<String> {
        let [first, second, _, last] = self.quarters()?;
        let before = first.max(second);
        let bound = before + before * GROWTH_MAX / 100;
        let (before_mib, last_mib) = (before / MIB, last / MIB);
        let text =
            format!("memory grows: {before_mib} MiB in the first half, {last_mib} MiB at the end");
        (last > bound).then_some(text)
    }
}

#[cfg(test)]
mod tests {
    use super::{MIB, Memory};

    fn of(mebibytes: impl Iterator<Item = u64>) -> Memory {
        Memory {
            samples: mebibytes.map(|mib| mib * MIB).collect(),
            peak: None,
        }
    }

    #[test]
    fn a_peak_is_no_growth_and_a_slope_is() {
        let peaks = of((0..100).map(|at| if at % 10 == 9 { 900 } else { 100 }));
        assert_eq!(peaks.growth_failure(), None);
        let warm = of((0..100).map(|at| if at < 10 { at * 10 } else { 100 }));
        assert_eq!(warm.growth_failure(), None);
        let slope = of((0..100).map(|at| 100 + at / 5));
        assert!(slope.growth_failure().is_some());
        assert_eq!(of(0..3).growth_failure(), None);
    }
}
