//! The queue between searches and the search log: a search hands over its record without waiting.

use super::record::SearchRecord;
use parking_lot::Mutex;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use storage::analytics::LogTotalKey;

/// Records that wait to be counted; further ones are dropped.
pub(crate) const QUEUE_RECORDS_MAX: usize = 8_192;
/// Totals for which drops are counted between two writes; further ones count for the process only.
const DROPPED_KEYS_MAX: usize = 4_096;

/// A bounded queue of records.
///
/// It is a list under a lock that is held for the move of one record, and emptied from time to time: waking a task for
/// each record would cost more than the rest of the hand-over.
pub(crate) struct SearchQueue {
    records: Mutex<Vec<SearchRecord>>,
    dropped: Mutex<HashMap<LogTotalKey, i64>>,
    dropped_total: AtomicU64,
}

impl SearchQueue {
    /// Returns an empty queue.
    pub fn new() -> Self {
        Self {
            records: Mutex::new(Vec::with_capacity(QUEUE_RECORDS_MAX)),
            dropped: Mutex::default(),
            dropped_total: AtomicU64::new(0),
        }
    }

    /// Hands a record over, or counts it as dropped if the queue is full.
    pub fn push(&self, record: SearchRecord) {
        let rejected = {
            let mut records = self.records.lock();
            if records.len() < QUEUE_RECORDS_MAX {
                records.push(record);
                None
            } else {
                Some(record)
            }
        };
        if let Some(record) = rejected {
            self.drop_record(record);
        }
    }

    /// Counts a record as dropped.
    pub fn drop_record(&self, record: SearchRecord) {
        self.dropped_total.fetch_add(1, Ordering::Relaxed);
        let key = LogTotalKey {
            day: domain::Day::of(record.at),
            store: record.store,
            language: record.language,
            surface: record.surface,
        };
        let mut dropped = self.dropped.lock();
        if dropped.len() < DROPPED_KEYS_MAX || dropped.contains_key(&key) {
            *dropped.entry(key).or_default() += 1;
        }
    }

    /// Counts events that no bound has room for.
    pub fn drop_events(&self, count: u64) {
        self.dropped_total.fetch_add(count, Ordering::Relaxed);
    }

    /// Moves all records into `spare`, which must be empty and keeps its memory for the next time.
    pub fn take_into(&self, spare: &mut Vec<SearchRecord>) {
        debug_assert!(spare.is_empty(), "records would get lost");
        std::mem::swap(&mut *self.records.lock(), spare);
    }

    /// Returns and resets what was dropped since the last time.
    pub fn take_dropped(&self) -> HashMap<LogTotalKey, i64> {
        std::mem::take(&mut *self.dropped.lock())
    }

    /// Returns the number of records dropped since the service started.
    pub fn dropped_total(&self) -> u64 {
        self.dropped_total.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    //! 1. A full queue takes nothing more; what is dropped is counted by store, and the rest stays in its order.

    use super::*;
    use domain::analytics::Surface;
    use domain::{Language, StoreId, Timestamp};

    fn record(store: &str, at: i64) -> SearchRecord {
        SearchRecord {
            store: StoreId::from(store),
            language: Language::spanish(),
            surface: Surface::Search,
            text: "bota".to_owned(),
            digest: 1,
            visit: None,
            at: Timestamp(at),
            found: 1,
            words_found: true,
            filtered: false,
            redirected: false,
            anonymous: true,
            is_correction: false,
        }
    }

    #[test]
    fn a_full_queue_drops_and_counts() {
        let queue = SearchQueue::new();
        let max = QUEUE_RECORDS_MAX as i64;
        for at in 0..max + 3 {
            queue.push(record("s1", at));
        }
        queue.push(record("s2", 0));
        assert_eq!(queue.dropped_total(), 4);
        let mut taken = Vec::new();
        queue.take_into(&mut taken);
        assert!(taken.iter().map(|record| record.at.0).eq(0..max));
        let dropped = queue.take_dropped();
        let of = |store: &str| {
            let own = dropped
                .iter()
                .filter(|(key, _)| key.store == StoreId::from(store));
            own.map(|(_, number)| number).sum::<i64>()
        };
        assert_eq!((of("s1"), of("s2")), (3, 1));
        queue.push(record("s1", 0));
        assert!(queue.take_dropped().is_empty());
        assert_eq!(queue.dropped_total(), 4);
    }
}
