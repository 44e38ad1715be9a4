//! Statuses and latencies of requests, by kind of request.

use std::collections::BTreeMap;
use std::time::Duration;

/// Successful requests from which on a percentile is judged: of fewer it is little more than the slowest one.
const JUDGED_MIN: usize = 50;

/// The requests of one kind.
#[derive(Debug, Default)]
pub struct Record {
    /// Latencies of successful requests, in microseconds.
    times: Vec<u32>,
    /// Requests by status of their response; 0 where there was none.
    statuses: BTreeMap<u16, u64>,
}

/// A kind of request, of shops or of attackers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Name {
    /// Whether they are attacks.
    pub hostile: bool,
    /// Name of the kind.
    pub what: &'static str,
}

/// The requests of all kinds.
#[derive(Debug, Default)]
pub struct Records {
    by_name: BTreeMap<Name, Record>,
    lost_workers: usize,
}

impl Record {
    fn add(&mut self, status: u16, took: Duration) {
        *self.statuses.entry(status).or_default() += 1;
        if (200..300).contains(&status) {
            let micros = u32::try_from(took.as_micros()).unwrap_or(u32::MAX);
            self.times.push(micros);
        }
    }

    /// Number of successful requests.
    pub fn succeeded(&self) -> usize {
        self.times.len()
    }

    /// Requests without success, by status.
    pub fn failed(&self) -> impl Iterator<Item = (u16, u64)> {
        let statuses = self
            .statuses
            .iter()
            .map(|(status, count)| (*status, *count));
        statuses.filter(|(status, _)| !(200..300).contains(status))
    }

    /// The latency that `percent` of the successful requests do not exceed; none when there are none.
    pub fn percentile(&self, percent: usize) -> Option<Duration> {
        let mut times = self.times.clone();
        times.sort_unstable();
        let at = (times.len() * percent).div_ceil(100).saturating_sub(1);
        let micros = times.get(at)?;
        Some(Duration::from_micros(u64::from(*micros)))
    }
}

impl Records {
    /// Counts one request of a shop.
    pub fn add(&mut self, what: &'static str, status: u16, took: Duration) {
        let name = Name {
            hostile: false,
            what,
        };
        self.by_name.entry(name).or_default().add(status, took);
    }

    /// Counts one request of an attacker.
    pub fn add_hostile(&mut self, what: &'static str, status: u16, took: Duration) {
        let name = Name {
            hostile: true,
            what,
        };
        self.by_name.entry(name).or_default().add(status, took);
    }

    /// Adds what another worker measured.
    pub fn merge(&mut self, other: Self) {
        for (name, record) in other.by_name {
            let own = self.by_name.entry(name).or_default();
            own.times.extend(record.times);
            for (status, count) in record.statuses {
                *own.statuses.entry(status).or_default() += count;
            }
        }
        self.lost_workers += other.lost_workers;
    }

    /// Counts a worker whose measurements are missing.
    pub fn lose_a_worker(&mut self) {
        self.lost_workers += 1;
    }

    /// The requests of shops of one kind; none when there were none.
    pub fn of(&self, what: &str) -> Option<&Record> {
        let mut kinds = self.by_name.iter();
        let found = kinds.find(|(name, _)| !name.hostile && name.what == what);
        found.map(|(_, record)| record)
    }

    /// All kinds, those of shops first.
    pub fn iter(&self) -> impl Iterator<Item = (&Name, &Record)> {
        self.by_name.iter()
    }

    /// What must not occur: a response with status 500, a shop's request without a response, a missing worker.
    pub fn failures(&self) -> Vec<String> {
        let mut failures = Vec::new();
        for (name, record) in self.iter() {
            for (status, count) in record.failed() {
                let what = name.what;
                match status {
                    500 => failures.push(format!("{what}: {count} responses are 500")),
                    0 if !name.hostile => {
                        failures.push(format!("{what}: {count} have no response"))
                    }
                    _ => {}
                }
            }
        }
        if self.lost_workers > 0 {
            failures.push(format!("{} workers ended early", self.lost_workers));
        }
        failures
    }

    /// The kinds of shops' requests whose 95th percentile reaches `bound`; rare ones are not judged.
    pub fn slower_than(&self, bound: Duration) -> Vec<String> {
        let slow = self
            .iter()
            .filter(|(name, record)| !name.hostile && record.succeeded() >= JUDGED_MIN)
            .filter_map(|(name, record)| {
                let percentile = record.percentile(95)?;
                let text = format!(
                    "{}: the 95th percentile is {percentile:.0?}, at most {bound:.0?} are allowed",
                    name.what
                );
                (percentile >= bound).then_some(text)
            });
        slow.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{Duration, Records};

    #[test]
    fn only_successes_are_timed_and_only_forbidden_statuses_fail() {
        let mut records = Records::default();
        for millis in 1..=100 {
            records.add("search", 200, Duration::from_millis(millis));
        }
        records.add("search", 429, Duration::from_secs(9));
        records.add_hostile("attack", 0, Duration::from_secs(9));
        assert_eq!(records.failures(), Vec::<String>::new());
        assert_eq!(
            records.slower_than(Duration::from_millis(96)),
            Vec::<String>::new()
        );
        assert_eq!(records.slower_than(Duration::from_millis(95)).len(), 1);
        records.add("rare", 200, Duration::from_secs(9));
        assert_eq!(records.slower_than(Duration::from_millis(95)).len(), 1);
        let mut other = Records::default();
        other.add_hostile("attack", 500, Duration::ZERO);
        records.merge(other);
        records.add("search", 0, Duration::ZERO);
        assert_eq!(records.failures().len(), 2);
        let (_, search) = records
            .iter()
            .find(|(name, _)| name.what == "search")
            .expect("a kind");
        assert_eq!((search.succeeded(), search.failed().count()), (100, 2));
        assert_eq!(search.percentile(50), Some(Duration::from_millis(50)));
    }
}
