//! Attempts with bad keys, counted by client address (`docs/api.md`).

use crate::runtime::minute_counters::MinuteCounters;
use domain::limits::FAILED_ATTEMPTS_PER_MINUTE;
use domain::{CacheUsage, ClientAddress, Timestamp};
use parking_lot::Mutex;

/// Bytes of addresses that are counted at once: some hundred thousand addresses.
const BYTES_MAX: usize = 10 * 1024 * 1024;

/// The failed attempts of the last minute.
pub(crate) struct FailedAttempts(Mutex<MinuteCounters<ClientAddress>>);

impl Default for FailedAttempts {
    fn default() -> Self {
        Self(Mutex::new(MinuteCounters::new(BYTES_MAX)))
    }
}

impl FailedAttempts {
    /// Counts an attempt; returns the whole seconds to wait if it exceeds the limit of its minute.
    pub fn note(&self, from: ClientAddress, now: Timestamp) -> Option<u64> {
        let minute = self.0.lock().note(&from, now);
        (minute.count > FAILED_ATTEMPTS_PER_MINUTE).then_some(minute.seconds_left)
    }

    /// Returns how much the counters hold.
    pub fn usage(&self) -> CacheUsage {
        self.0.lock().usage()
    }
}

#[cfg(test)]
mod tests {
    //! 1. The 61st attempt of a minute is too many, and those after it until its end.
    //! 2. Each address has its own minute.

    use super::*;
    use std::net::{IpAddr, Ipv4Addr};

    fn address(number: u32) -> ClientAddress {
        IpAddr::from(Ipv4Addr::from(number)).into()
    }

    #[test]
    fn the_61st_of_a_minute_is_too_many() {
        let attempts = FailedAttempts::default();
        let at = |ms: i64| attempts.note(address(1), Timestamp(ms));
        for number in 0..60 {
            assert_eq!(at(1_000 + number), None, "attempt {number}");
        }
        assert_eq!(at(1_060), Some(60));
        assert_eq!(attempts.note(address(2), Timestamp(1_060)), None);
        assert_eq!(at(60_999), Some(1));
        for _ in 0..60 {
            assert_eq!(at(61_000), None, "the next minute");
        }
        assert_eq!(at(61_000), Some(60));
    }
}
