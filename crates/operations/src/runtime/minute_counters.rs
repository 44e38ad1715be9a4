//! Rate counters: events per key in fixed windows of one minute or another span, each starting with the first event
//! after the last window.

use domain::{CacheUsage, ClientAddress, KeyId, Timestamp};
use std::collections::{HashMap, VecDeque};
use std::hash::Hash;

const MINUTE_MS: i64 = 60_000;

/// Bytes that the maps cost for each counter beside keys and counts.
const ENTRY_BYTES: usize = 32;

/// Key by which events are counted.
pub(crate) trait CountedBy: Clone + Eq + Hash {
    /// Returns the bytes of its texts.
    fn text_bytes(&self) -> usize;
}

impl CountedBy for KeyId {
    fn text_bytes(&self) -> usize {
        self.0.len()
    }
}

impl CountedBy for ClientAddress {
    fn text_bytes(&self) -> usize {
        0
    }
}

impl CountedBy for [u8; 16] {
    fn text_bytes(&self) -> usize {
        0
    }
}

impl CountedBy for (KeyId, ClientAddress) {
    fn text_bytes(&self) -> usize {
        self.0.text_bytes()
    }
}

/// Counters of the current minutes. The oldest are dropped if they take too many bytes.
pub(crate) struct MinuteCounters<K> {
    by_key: HashMap<K, MinuteCounter>,
    /// Each of these keys once, in the order in which their minutes started.
    by_age: VecDeque<K>,
    bytes: usize,
    bytes_max: usize,
    span_ms: i64,
}

#[derive(Clone, Copy)]
struct MinuteCounter {
    start: Timestamp,
    count: u32,
}

/// State of a minute after an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Count {
    /// Events of the minute, including this one.
    pub count: u32,
    /// Whole seconds until the end of the minute, at least 1.
    pub seconds_left: u64,
}

impl<K: CountedBy> MinuteCounters<K> {
    /// Returns empty counters of at most `bytes_max` bytes.
    pub fn new(bytes_max: usize) -> Self {
        Self::of_span(MINUTE_MS, bytes_max)
    }

    /// Returns empty counters whose windows last `span_ms` milliseconds.
    pub fn of_span(span_ms: i64, bytes_max: usize) -> Self {
        Self {
            by_key: HashMap::new(),
            by_age: VecDeque::new(),
            bytes: 0,
            bytes_max,
            span_ms,
        }
    }

    /// Returns the fill level.
    pub fn usage(&self) -> CacheUsage {
        CacheUsage {
            entries: self.by_key.len(),
            bytes: self.bytes,
            bytes_max: self.bytes_max,
        }
    }

    /// Counts an event.
    pub fn note(&mut self, key: &K, now: Timestamp) -> Count {
        self.note_some(key, now, (1, u32::MAX))
    }

    /// Counts some events together, unless they would make more than `max`; returns the count that they make.
    pub fn note_some(&mut self, key: &K, now: Timestamp, (events, max): (u32, u32)) -> Count {
        let span = self.span_ms;
        self.forget(|window, _| window.is_over(now, span));
        if !self.by_key.contains_key(key) {
            let room = self.bytes_max.saturating_sub(bytes(key));
            self.forget(|_, held| held > room);
            self.bytes += bytes(key);
            self.by_age.push_back(key.clone());
        }
        let first = MinuteCounter {
            start: now,
            count: 0,
        };
        let window = self.by_key.entry(key.clone()).or_insert(first);
        // Can only be over if the clock was set back.
        if window.is_over(now, span) {
            *window = first;
        }
        let count = window.count.saturating_add(events);
        if count <= max {
            window.count = count;
        }
        Count {
            count,
            seconds_left: window.seconds_left(now, span),
        }
    }

    /// Takes back one event of the current window of `key`.
    pub fn take_back(&mut self, key: &K) {
        if let Some(window) = self.by_key.get_mut(key) {
            window.count = window.count.saturating_sub(1);
        }
    }

    /// Drops the oldest minutes while `is_obsolete` holds for a minute and the bytes of all.
    fn forget(&mut self, is_obsolete: impl Fn(&MinuteCounter, usize) -> bool) {
        while let Some(oldest) = self.by_age.front() {
            let window = self.by_key.get(oldest);
            if window.is_some_and(|window| !is_obsolete(window, self.bytes)) {
                return;
            }
            self.bytes -= bytes(oldest);
            self.by_key.remove(oldest);
            self.by_age.pop_front();
        }
    }
}

/// Returns the bytes that the counter of `key` takes; its key is in both collections.
fn bytes<K: CountedBy>(key: &K) -> usize {
    2 * (size_of::<K>() + key.text_bytes()) + size_of::<MinuteCounter>() + ENTRY_BYTES
}

impl MinuteCounter {
    /// Returns whether the minute has ended. A clock that was set back ends it, too.
    fn is_over(&self, now: Timestamp, span_ms: i64) -> bool {
        !(0..span_ms).contains(&(now.0 - self.start.0))
    }

    fn seconds_left(&self, now: Timestamp, span_ms: i64) -> u64 {
        let left = self.start.0 + span_ms - now.0;
        u64::try_from(left).unwrap_or(0).div_ceil(1_000).max(1)
    }
}

#[cfg(test)]
mod tests {
    //! 1. A minute starts with its first event and ends with its last millisecond; seconds are rounded up.
    //! 2. Each key has its own minute; a clock that is set back ends it.
    //! 3. Counters never take more bytes than the limit; the oldest is dropped first.

    use super::*;

    impl CountedBy for u32 {
        fn text_bytes(&self) -> usize {
            0
        }
    }

    fn count(count: u32, seconds_left: u64) -> Count {
        Count {
            count,
            seconds_left,
        }
    }

    #[test]
    fn a_minute_starts_with_its_first_event() {
        let mut windows = MinuteCounters::new(10 * bytes(&0_u32));
        let mut at = |key: u32, ms: i64| windows.note(&key, Timestamp(ms));
        assert_eq!(at(1, 1_000), count(1, 60));
        assert_eq!(at(1, 1_001), count(2, 60));
        assert_eq!(at(2, 2_000), count(1, 60));
        assert_eq!(at(1, 2_001), count(3, 59));
        assert_eq!(at(1, 60_999), count(4, 1));
        assert_eq!(at(1, 61_000), count(1, 60), "the minute is over");
        assert_eq!(at(2, 61_000), count(2, 1));
        assert_eq!(at(1, 60_999), count(1, 60), "the clock was set back");
    }

    #[test]
    fn memory_is_bounded_and_the_oldest_is_dropped_first() {
        let mut windows = MinuteCounters::new(4 * bytes(&0_u32));
        for number in 0..10_u32 {
            windows.note(&number, Timestamp(number.into()));
            assert!(windows.by_key.len() <= 4 && windows.by_age.len() <= 4);
            assert_eq!(windows.usage().bytes, windows.by_key.len() * bytes(&0_u32));
        }
        assert!(windows.by_key.contains_key(&6) && !windows.by_key.contains_key(&5));
        windows.note(&1, Timestamp(60_008));
        assert!(windows.by_age.iter().eq(&[9, 1]));
    }
}
