//! Attempts with bad keys, counted by address (contract section 2, last sentence).

use domain::limits::FAILED_ATTEMPTS_PER_MINUTE;
use domain::{ClientAddress, Timestamp};
use parking_lot::Mutex;
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

const MINUTE_MS: i64 = 60_000;
/// Addresses that are remembered at once, a few megabytes of them; the oldest goes when there are more.
const ADDRESSES_MAX: usize = 50_000;

/// The failed attempts of the last minute.
#[derive(Clone, Default)]
pub(crate) struct FailedAttempts(Arc<Mutex<Windows>>);

/// The minute of each address, which starts with its first failed attempt.
#[derive(Default)]
struct Windows {
    by_address: HashMap<ClientAddress, Window>,
    /// Each of those addresses once, in the order in which their minutes started.
    by_age: VecDeque<ClientAddress>,
}

struct Window {
    start: Timestamp,
    attempts: u32,
}

impl FailedAttempts {
    /// Counts one; answers the whole seconds to wait when it is one too many of its minute.
    pub fn note(&self, from: ClientAddress, now: Timestamp) -> Option<u64> {
        self.0.lock().note(from, now, ADDRESSES_MAX)
    }
}

impl Windows {
    fn note(&mut self, from: ClientAddress, now: Timestamp, max: usize) -> Option<u64> {
        self.forget(|window, _| window.is_over(now));
        if !self.by_address.contains_key(&from) {
            self.forget(|_, known| known >= max);
            self.by_age.push_back(from);
        }
        let window = self.by_address.entry(from).or_insert(Window {
            start: now,
            attempts: 0,
        });
        // Only a clock that was set back leaves one that is over.
        if window.is_over(now) {
            *window = Window {
                start: now,
                attempts: 0,
            };
        }
        window.attempts = window.attempts.saturating_add(1);
        (window.attempts > FAILED_ATTEMPTS_PER_MINUTE).then(|| window.seconds_left(now))
    }

    /// Forgets the oldest minutes while `gone` says so of a minute and the number of all.
    fn forget(&mut self, gone: impl Fn(&Window, usize) -> bool) {
        while let Some(oldest) = self.by_age.front() {
            let window = self.by_address.get(oldest);
            if window.is_some_and(|window| !gone(window, self.by_address.len())) {
                return;
            }
            self.by_address.remove(oldest);
            self.by_age.pop_front();
        }
    }
}

impl Window {
    /// A clock that was set back must not make a minute longer.
    fn is_over(&self, now: Timestamp) -> bool {
        !(0..MINUTE_MS).contains(&(now.0 - self.start.0))
    }

    fn seconds_left(&self, now: Timestamp) -> u64 {
        let left = self.start.0 + MINUTE_MS - now.0;
        u64::try_from(left).unwrap_or(0).div_ceil(1_000).max(1)
    }
}

#[cfg(test)]
mod tests {
    //! 1. The 61st attempt of a minute that starts with the first one is too many, and those after it until its end.
    //! 2. Each address has its own minute; a clock that is set back ends it.
    //! 3. There are never more addresses than the limit; the oldest goes first.

    use super::*;
    use std::net::Ipv4Addr;

    fn address(number: u32) -> ClientAddress {
        std::net::IpAddr::from(Ipv4Addr::from(number)).into()
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
        assert_eq!(at(59_999), Some(2));
        assert_eq!(at(60_999), Some(1));
        assert_eq!(at(61_000), None, "the minute is over");
        for _ in 0..59 {
            assert_eq!(at(61_000), None);
        }
        assert_eq!(at(61_000), Some(60));
        assert_eq!(at(60_999), None, "the clock was set back");
    }

    #[test]
    fn memory_is_bounded_and_the_oldest_goes_first() {
        let mut windows = Windows::default();
        for number in 0..10 {
            windows.note(address(number), Timestamp(i64::from(number)), 4);
            assert!(windows.by_address.len() <= 4 && windows.by_age.len() <= 4);
        }
        assert!(windows.by_address.contains_key(&address(6)));
        assert!(!windows.by_address.contains_key(&address(5)));
        windows.note(address(1), Timestamp(60_008), 4);
        let known: Vec<_> = windows.by_age.iter().copied().collect();
        assert_eq!(known, [address(9), address(1)]);
    }
}
