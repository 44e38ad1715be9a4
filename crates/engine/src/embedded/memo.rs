//! Memos: tables of values that searches compute, with a shared memory budget.
//!
//! A memo that reaches a sixteenth of the budget is cleared before it grows further. When the budget is used up, the
//! largest memo of any index is cleared, so that an idle index makes room for one that is searched. Bytes are counted
//! when a value is added; lookups cost no accounting.

use domain::CacheUsage;
use parking_lot::Mutex;
use std::borrow::Borrow;
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Weak};

/// A memo may use the budget divided by this.
const SHARES: usize = 16;

/// Approximate overhead in bytes of a table entry: control byte, free slots and allocator.
const ENTRY_BYTES: usize = 32;

/// The memory budget of all memos of an engine.
pub(super) struct MemoBudget {
    bytes_max: usize,
    bytes: AtomicUsize,
    entries: AtomicUsize,
    memos: Mutex<Registered>,
}

/// The existing memos, by number in order of creation.
#[derive(Default)]
struct Registered {
    next: u64,
    all: HashMap<u64, Weak<dyn AnyMemo>>,
}

/// A memo with values of any type.
trait AnyMemo: Send + Sync {
    /// Bytes in use.
    fn bytes(&self) -> usize;

    /// Removes all values.
    fn clear_all(&self);
}

impl MemoBudget {
    /// A budget of `bytes_max` bytes.
    pub fn new(bytes_max: usize) -> Arc<Self> {
        Arc::new(Self {
            bytes_max,
            bytes: AtomicUsize::new(0),
            entries: AtomicUsize::new(0),
            memos: Mutex::default(),
        })
    }

    /// Current usage.
    pub fn usage(&self) -> CacheUsage {
        CacheUsage {
            entries: self.entries.load(Ordering::Relaxed),
            bytes: self.bytes.load(Ordering::Relaxed),
            bytes_max: self.bytes_max,
        }
    }

    /// Reserves `bytes` for one value, clearing memos as needed; returns whether there was room.
    fn reserve(&self, bytes: usize) -> bool {
        while !self.reserve_free(bytes) {
            if !self.clear_largest() {
                return false;
            }
        }
        self.entries.fetch_add(1, Ordering::Relaxed);
        true
    }

    fn reserve_free(&self, bytes: usize) -> bool {
        let with = |held: usize| {
            let with = held.checked_add(bytes)?;
            (with <= self.bytes_max).then_some(with)
        };
        let (set, get) = (Ordering::Relaxed, Ordering::Relaxed);
        self.bytes.fetch_update(set, get, with).is_ok()
    }

    fn release(&self, entries: usize, bytes: usize) {
        self.bytes.fetch_sub(bytes, Ordering::Relaxed);
        self.entries.fetch_sub(entries, Ordering::Relaxed);
    }

    /// Clears the largest memo; returns false when all are empty.
    fn clear_largest(&self) -> bool {
        // The search under the lock delays no other search: only batches create and drop memos.
        let memos = self.memos.lock();
        let all = memos.all.values().filter_map(Weak::upgrade);
        let largest = all.max_by_key(|memo| memo.bytes());
        let largest = largest.filter(|memo| memo.bytes() > 0);
        if let Some(memo) = &largest {
            memo.clear_all();
        }
        largest.is_some()
    }
}

/// Computed values by key, all computed under the same conditions `U`.
pub(super) struct Memo<K, V, U = ()>
where
    K: Eq + Hash + Send + Sync + 'static,
    V: Clone + Send + Sync + 'static,
    U: PartialEq + Clone + Default + Send + Sync + 'static,
{
    number: u64,
    shared: Arc<MemoShared<K, V, U>>,
}

struct MemoShared<K, V, U> {
    budget: Arc<MemoBudget>,
    /// Bytes of the table, readable without its lock.
    bytes: AtomicUsize,
    table: Mutex<Table<K, V, U>>,
}

#[derive(Default)]
struct Table<K, V, U> {
    under: U,
    values: HashMap<K, V>,
}

impl<K, V, U> Memo<K, V, U>
where
    K: Eq + Hash + Send + Sync + 'static,
    V: Clone + Send + Sync + 'static,
    U: PartialEq + Clone + Default + Send + Sync + 'static,
{
    /// An empty memo within `budget`.
    pub fn new(budget: &Arc<MemoBudget>) -> Self {
        let shared = Arc::new(MemoShared {
            budget: Arc::clone(budget),
            bytes: AtomicUsize::new(0),
            table: Mutex::new(Table {
                under: U::default(),
                values: HashMap::new(),
            }),
        });
        let weak = Arc::downgrade(&shared);
        let mut memos = budget.memos.lock();
        let number = memos.next;
        memos.next += 1;
        memos.all.insert(number, weak);
        drop(memos);
        Self { number, shared }
    }

    /// An empty memo within the same budget.
    pub fn beside(&self) -> Self {
        Self::new(&self.shared.budget)
    }

    /// The cached value of `key` under the conditions `under`; values under other conditions are removed.
    pub fn get<Q>(&self, under: &U, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
        Q: Eq + Hash + ?Sized,
    {
        let mut table = self.shared.table.lock();
        if table.under != *under {
            self.shared.clear(&mut table);
            table.under = under.clone();
        }
        table.values.get(key).cloned()
    }

    /// Adds the value of `key` under the conditions `under`; `bytes` is the heap size of key and value. A value that
    /// does not fit, or was computed under outdated conditions, is not added.
    pub fn put(&self, under: &U, key: K, value: V, bytes: usize) {
        let shared = &*self.shared;
        let bytes = bytes + size_of::<K>() + size_of::<V>() + ENTRY_BYTES;
        let share = shared.budget.bytes_max / SHARES;
        // Before the table is locked, because it may be this one that is cleared.
        if bytes > share || !shared.budget.reserve(bytes) {
            return;
        }
        let mut table = shared.table.lock();
        if table.under != *under || table.values.contains_key(&key) {
            return shared.budget.release(1, bytes);
        }
        if shared.bytes.load(Ordering::Relaxed) + bytes > share {
            shared.clear(&mut table);
        }
        shared.bytes.fetch_add(bytes, Ordering::Relaxed);
        table.values.insert(key, value);
    }
}

impl<K, V, U> Drop for Memo<K, V, U>
where
    K: Eq + Hash + Send + Sync + 'static,
    V: Clone + Send + Sync + 'static,
    U: PartialEq + Clone + Default + Send + Sync + 'static,
{
    fn drop(&mut self) {
        self.shared.budget.memos.lock().all.remove(&self.number);
        self.shared.clear(&mut self.shared.table.lock());
    }
}

impl<K, V, U> MemoShared<K, V, U> {
    /// Removes the values of its `table`.
    fn clear(&self, table: &mut Table<K, V, U>) {
        let values = std::mem::take(&mut table.values);
        let bytes = self.bytes.swap(0, Ordering::Relaxed);
        self.budget.release(values.len(), bytes);
    }
}

impl<K: Send + Sync, V: Send + Sync, U: Send + Sync> AnyMemo for MemoShared<K, V, U> {
    fn bytes(&self) -> usize {
        self.bytes.load(Ordering::Relaxed)
    }

    fn clear_all(&self) {
        self.clear(&mut self.table.lock());
    }
}

#[cfg(test)]
mod tests {
    //! 1. Added values are found until their conditions change. 2. A memo is cleared at its share, and usable afterwards.
    //! 3. All memos together stay within the budget, with any number of threads, and the largest is cleared first.
    //! 4. Dropped memos and values that were not added release their bytes.

    use super::*;
    use std::thread;

    type Numbers = Memo<u64, u64, u8>;

    /// Bytes of an entry without anything on the heap.
    const OWN: usize = 16 + ENTRY_BYTES;

    #[test]
    fn values_are_found_under_their_conditions() {
        let budget = MemoBudget::new(SHARES * 10_000);
        let memo = Numbers::new(&budget);
        assert_eq!(memo.get(&0, &7), None);
        memo.put(&0, 7, 49, 100);
        memo.put(&0, 7, 49, 100);
        memo.put(&1, 8, 64, 100);
        assert_eq!((memo.get(&0, &7), memo.get(&0, &8)), (Some(49), None));
        let usage = budget.usage();
        assert_eq!((usage.entries, usage.bytes), (1, 100 + OWN));
        assert_eq!(memo.get(&1, &7), None);
        assert_eq!((budget.usage().entries, budget.usage().bytes), (0, 0));
        memo.put(&1, 7, 50, 20_000);
        assert_eq!(memo.get(&1, &7), None);
        memo.put(&1, 7, 50, 0);
        assert_eq!(memo.get(&1, &7), Some(50));
        drop(memo);
        assert_eq!((budget.usage().entries, budget.usage().bytes), (0, 0));
    }

    #[test]
    fn a_memo_is_cleared_at_its_share() {
        let budget = MemoBudget::new(SHARES * OWN * 10);
        let memo = Numbers::new(&budget);
        for at in 0..1_000 {
            memo.put(&0, at, at, 0);
            assert_eq!(memo.get(&0, &at), Some(at));
            assert!(budget.usage().bytes <= OWN * 10);
        }
        assert_eq!(memo.get(&0, &0), None);
    }

    #[test]
    fn the_largest_memo_is_cleared_first() {
        let budget = MemoBudget::new(SHARES * OWN * 10);
        let idle = Numbers::new(&budget);
        (0..10).for_each(|at| idle.put(&0, at, at, 0));
        let others: Vec<Numbers> = (0..SHARES + 4).map(|_| idle.beside()).collect();
        for at in 0..9 {
            others.iter().for_each(|memo| memo.put(&0, at, at, 0));
        }
        assert_eq!(idle.get(&0, &0), None);
        assert!(budget.usage().bytes <= budget.usage().bytes_max);
        assert!(budget.usage().bytes > budget.usage().bytes_max / 2);
    }

    #[test]
    fn threads_stay_within_the_budget() {
        let budget = MemoBudget::new(SHARES * OWN * 10);
        let memos: Vec<Numbers> = (0..40).map(|_| Numbers::new(&budget)).collect();
        let (budget, shared) = (&budget, &memos);
        thread::scope(|scope| {
            for own in 0..4 {
                scope.spawn(move || {
                    for at in 0..5_000u64 {
                        let memo = &shared[(at as usize * 7 + own) % shared.len()];
                        memo.put(&0, at, at + 1, (at % 100) as usize);
                        assert!(memo.get(&0, &at).is_none_or(|value| value == at + 1));
                        assert!(budget.usage().bytes <= budget.usage().bytes_max);
                    }
                });
            }
        });
        assert!(budget.usage().entries > 0);
        drop(memos);
        assert_eq!((budget.usage().entries, budget.usage().bytes), (0, 0));
    }
}
