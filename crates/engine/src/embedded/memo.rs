//! Tables of computed values that searches fill, and the bytes that all of them together may hold.
//!
//! A memo that holds a sixteenth of all bytes forgets what it holds before it grows further. Where the memos of all
//! indexes have no room left, the one that holds most forgets, whosever it is: an index that nobody searches gives way to
//! one that is searched. Bytes are counted when a value is added, and looking one up counts nothing.

use parking_lot::Mutex;
use std::borrow::Borrow;
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Weak};

/// One memo may hold one of so many parts of all bytes.
const SHARES: usize = 16;

/// Bytes that an entry of a table takes beside key and value, about: what tells whether its place is taken, places that
/// are free, and what the allocator adds.
const ENTRY_BYTES: usize = 32;

/// How much the memos of an engine hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MemoUsage {
    /// Values.
    pub entries: usize,
    /// Bytes, as they are estimated.
    pub bytes: usize,
    /// Bytes that they may hold.
    pub bytes_max: usize,
}

/// The bytes of all memos of an engine.
pub(super) struct MemoBudget {
    bytes_max: usize,
    bytes: AtomicUsize,
    entries: AtomicUsize,
    memos: Mutex<Registered>,
}

/// The memos that there are, by numbers in the order in which they were made.
#[derive(Default)]
struct Registered {
    next: u64,
    all: HashMap<u64, Weak<dyn Forgets>>,
}

/// A memo whatever its values are.
trait Forgets: Send + Sync {
    /// Bytes that it holds.
    fn bytes(&self) -> usize;

    /// Forgets all values.
    fn forget(&self);
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

    /// How much is held at this moment.
    pub fn usage(&self) -> MemoUsage {
        MemoUsage {
            entries: self.entries.load(Ordering::Relaxed),
            bytes: self.bytes.load(Ordering::Relaxed),
            bytes_max: self.bytes_max,
        }
    }

    /// Takes `bytes` for one value, for which others are forgotten where there is no room; tells whether there is.
    fn take(&self, bytes: usize) -> bool {
        while !self.take_free(bytes) {
            if !self.forget_most() {
                return false;
            }
        }
        self.entries.fetch_add(1, Ordering::Relaxed);
        true
    }

    fn take_free(&self, bytes: usize) -> bool {
        let with = |held: usize| {
            let with = held.checked_add(bytes)?;
            (with <= self.bytes_max).then_some(with)
        };
        let (set, get) = (Ordering::Relaxed, Ordering::Relaxed);
        self.bytes.fetch_update(set, get, with).is_ok()
    }

    fn give_back(&self, entries: usize, bytes: usize) {
        self.bytes.fetch_sub(bytes, Ordering::Relaxed);
        self.entries.fetch_sub(entries, Ordering::Relaxed);
    }

    /// Has the memo forget that holds most; whether any held anything.
    fn forget_most(&self) -> bool {
        // What is searched for under the lock, nobody waits for otherwise: memos are made and dropped by batches alone.
        let memos = self.memos.lock();
        let all = memos.all.values().filter_map(Weak::upgrade);
        let most = all.max_by_key(|memo| memo.bytes());
        let most = most.filter(|memo| memo.bytes() > 0);
        if let Some(memo) = &most {
            memo.forget();
        }
        most.is_some()
    }
}

/// Computed values by what they were computed for, all of them under the same circumstances `U`.
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
    /// Bytes of the table, for who must not wait for it.
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
    /// A memo without values within `budget`.
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

    /// A memo without values, within the same budget.
    pub fn beside(&self) -> Self {
        Self::new(&self.shared.budget)
    }

    /// The value of `key` under `under`, where it is known; values under anything else are forgotten.
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

    /// Adds the value of `key` under `under`; `bytes` is what key and value take on the heap. A value that finds no room,
    /// or was computed under what does not hold any more, is left out.
    pub fn put(&self, under: &U, key: K, value: V, bytes: usize) {
        let shared = &*self.shared;
        let bytes = bytes + size_of::<K>() + size_of::<V>() + ENTRY_BYTES;
        let share = shared.budget.bytes_max / SHARES;
        // Before the table is locked, for it may be this one that forgets.
        if bytes > share || !shared.budget.take(bytes) {
            return;
        }
        let mut table = shared.table.lock();
        if table.under != *under || table.values.contains_key(&key) {
            return shared.budget.give_back(1, bytes);
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
    /// Forgets the values of its `table`.
    fn clear(&self, table: &mut Table<K, V, U>) {
        let values = std::mem::take(&mut table.values);
        let bytes = self.bytes.swap(0, Ordering::Relaxed);
        self.budget.give_back(values.len(), bytes);
    }
}

impl<K: Send + Sync, V: Send + Sync, U: Send + Sync> Forgets for MemoShared<K, V, U> {
    fn bytes(&self) -> usize {
        self.bytes.load(Ordering::Relaxed)
    }

    fn forget(&self) {
        self.clear(&mut self.table.lock());
    }
}

#[cfg(test)]
mod tests {
    //! 1. What was added is known, until its circumstances change. 2. A memo forgets at its share, and is good afterwards.
    //! 3. Memos together stay within the budget, whatever is added by whichever thread, and the largest gives way.
    //! 4. What is dropped gives its bytes back, and so does what could not be added.

    use super::*;
    use std::thread;

    type Numbers = Memo<u64, u64, u8>;

    /// Bytes of an entry without anything on the heap.
    const OWN: usize = 16 + ENTRY_BYTES;

    #[test]
    fn values_are_known_under_their_circumstances() {
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
    fn a_memo_forgets_at_its_share() {
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
    fn the_largest_gives_way() {
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
