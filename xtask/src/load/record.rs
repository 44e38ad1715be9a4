//! What was served and refused, and how long it took, by kind of request.

use std::collections::BTreeMap;
use std::time::Duration;

/// Served requests from which on a percentile is judged: of fewer it is little more than the slowest one.
const JUDGED_MIN: usize = 50;

/// The requests of one kind.
#[derive(Debug, Default)]
pub struct Record {
    /// How long each served one took, in microseconds.
    times: Vec<u32>,
    /// Requests by status of their response; 0 where there was none.
    statuses: BTreeMap<u16, u64>,
}

/// Whose requests they are, and what they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Name {
    /// Whether they attack.
    pub hostile: bool,
    /// What they are.
    pub what: &'static str,
}

/// All kinds.
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

    /// Requests that were served.
    pub fn served(&self) -> usize {
        self.times.len()
    }

    /// Requests that were not, by status.
    pub fn refused(&self) -> impl Iterator<Item = (u16, u64)> {
        let statuses = self
            .statuses
            .iter()
            .map(|(status, count)| (*status, *count));
        statuses.filter(|(status, _)| !(200..300).contains(status))
    }

    /// The time within which `percent` of the served ones were; none when there are none.
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

    /// All kinds, those of shops first.
    pub fn iter(&self) -> impl Iterator<Item = (&Name, &Record)> {
        self.by_name.iter()
    }

    /// What must not be: a response with status 500 to anybody, a shop's request without any, a worker that is missing.
    pub fn failures(&self) -> Vec<String> {
        let mut failures = Vec::new();
        for (name, record) in self.iter() {
            for (status, count) in record.refused() {
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
            failures.push(format!(
                "{} workers ended before their time",
                self.lost_workers
            ));
        }
        failures
    }

    /// The kinds of shops' requests whose 95th percentile reaches `bound`; those that were hardly sent are not judged.
    pub fn slower_than(&self, bound: Duration) -> Vec<String> {
        let slow = self
            .iter()
            .filter(|(name, record)| !name.hostile && record.served() >= JUDGED_MIN)
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
    fn only_what_was_served_is_timed_and_only_what_must_not_be_fails() {
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
        assert_eq!((search.served(), search.refused().count()), (100, 2));
        assert_eq!(search.percentile(50), Some(Duration::from_millis(50)));
    }
}
