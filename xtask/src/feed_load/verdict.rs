//! The printed results of `feed-load`, and the bounds that they must meet.

use super::meanwhile::{CHANGE, Measured, SEARCH};
use crate::failure::{Failure, Outcome};
use std::time::Duration;

const MIB: u64 = 1024 * 1024;
/// Most anonymous memory of the server.
const ANONYMOUS_MAX: u64 = 1024 * MIB;
/// Most by which the 95th percentile of searches may grow while a catalogue is fed, against busy cores.
const SLOWER_MAX: u32 = 3;
/// How many times as fast unchanged products are at least.
const UNCHANGED_FASTER_MIN: f64 = 10.0;
/// Longest time from an acknowledgement until a search finds the change.
const SEARCHABLE_MAX: Duration = Duration::from_secs(2);

/// What was measured in each phase.
pub struct Results {
    /// While the catalogue was fed.
    pub first: Measured,
    /// Beside busy cores.
    pub reference: Measured,
    /// While the unchanged catalogue was touched.
    pub unchanged: Measured,
    /// While several stores were fed at once.
    pub stores: Measured,
}

impl Measured {
    /// One line with everything that was measured while `products` products were sent.
    pub fn line(&self, what: &str, products: usize) -> String {
        let seconds = self.took.as_secs_f64();
        let rate = products as f64 / seconds;
        let mut parts = vec![format!("{what}: {seconds:.1} s")];
        if products > 0 {
            parts.push(format!("{rate:.0} products a second"));
        }
        for kind in [SEARCH, CHANGE] {
            let Some(record) = self.records.of(kind) else {
                continue;
            };
            let times = [50, 95, 99, 100].map(|percent| {
                let time = record.percentile(percent).unwrap_or_default();
                format!("{:.1}", time.as_secs_f64() * 1_000.0)
            });
            let (count, times) = (record.succeeded(), times.join(", "));
            parts.push(format!(
                "{count} of {kind}: {times} ms (50th, 95th, 99th percentile, most)"
            ));
        }
        parts.push(format!("anonymous memory {} MiB", self.anonymous / MIB));
        parts.join("; ")
    }

    fn percentile(&self, kind: &str, percent: usize) -> Duration {
        let record = self.records.of(kind);
        record
            .and_then(|record| record.percentile(percent))
            .unwrap_or_default()
    }
}

impl Results {
    /// Fails with all bounds that are missed.
    ///
    /// # Errors
    ///
    /// When any is.
    pub fn verdict(&self) -> Outcome<()> {
        let phases = [&self.first, &self.reference, &self.unchanged, &self.stores];
        let mut missed: Vec<String> = phases
            .iter()
            .flat_map(|phase| phase.records.failures())
            .collect();
        let memory = phases
            .iter()
            .map(|phase| phase.anonymous)
            .max()
            .unwrap_or(0);
        if memory > ANONYMOUS_MAX {
            missed.push(format!("anonymous memory reaches {} MiB", memory / MIB));
        }
        let [fed, busy] = [&self.first, &self.reference].map(|phase| phase.percentile(SEARCH, 95));
        if fed > busy * SLOWER_MAX {
            missed.push(format!(
                "the 95th percentile of searches is {fed:.0?} while products are fed, and {busy:.0?} beside busy cores"
            ));
        }
        let faster = self.first.took.as_secs_f64() / self.unchanged.took.as_secs_f64();
        if faster < UNCHANGED_FASTER_MIN {
            missed.push(format!(
                "unchanged products are only {faster:.1} times as fast"
            ));
        }
        for (what, phase) in [
            ("one store is", &self.first),
            ("ten stores are", &self.stores),
        ] {
            let slowest = phase.percentile(CHANGE, 100);
            if slowest > SEARCHABLE_MAX {
                missed.push(format!(
                    "a change is searchable after {slowest:.1?} while {what} fed"
                ));
            }
        }
        match missed.is_empty() {
            true => Ok(()),
            false => Err(Failure::new(missed.join("\n"))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{CHANGE, Duration, MIB, Measured, Results, SEARCH};
    use crate::load::record::Records;

    fn measured(seconds: u64, search_ms: u64, change_ms: u64) -> Measured {
        let mut records = Records::default();
        for _ in 0..100 {
            records.add(SEARCH, 200, Duration::from_millis(search_ms));
            records.add(CHANGE, 200, Duration::from_millis(change_ms));
        }
        Measured {
            records,
            anonymous: 500 * MIB,
            took: Duration::from_secs(seconds),
        }
    }

    fn good() -> Results {
        Results {
            first: measured(100, 30, 500),
            reference: measured(60, 10, 0),
            unchanged: measured(10, 10, 0),
            stores: measured(50, 99, 2_000),
        }
    }

    #[test]
    fn each_bound_is_checked() {
        assert!(good().verdict().is_ok());
        let spoils: [fn(&mut Results); 6] = [
            |results| results.first.anonymous = 1_025 * MIB,
            |results| results.first = measured(100, 31, 500),
            |results| results.unchanged.took = Duration::from_secs(11),
            |results| {
                results
                    .first
                    .records
                    .add(CHANGE, 200, Duration::from_millis(2_001))
            },
            |results| {
                results
                    .stores
                    .records
                    .add(CHANGE, 200, Duration::from_millis(2_001))
            },
            |results| results.first.records.add(SEARCH, 500, Duration::ZERO),
        ];
        for (at, spoil) in spoils.into_iter().enumerate() {
            let mut results = good();
            spoil(&mut results);
            assert!(results.verdict().is_err(), "bound {at}");
        }
    }
}
