//! A cache with an upper bound in bytes that many owners share; it evicts from the owner that holds most.
//!
//! No owner, however busy, takes anything from owners that hold less than it does, and a single owner may use the whole
//! cache. Within an owner the least recently used entry is evicted first (LRU).

use domain::CacheUsage;
use lru::LruCache;
use parking_lot::Mutex;
use std::collections::{BTreeSet, HashMap};
use std::hash::Hash;

/// Bytes that an entry costs beside its key and value: its slots in the maps, and what the allocator rounds up.
const ENTRY_BYTES: usize = 160;
/// An entry may take this fraction of the bound; a larger one is not cached.
const ENTRY_SHARE: usize = 4;

/// A cache with a bound in bytes. All methods may be called from many threads.
pub(crate) struct BoundedCache<O, K, V> {
    bytes_max: usize,
    held: Mutex<CacheHeld<O, K, V>>,
}

struct CacheHeld<O, K, V> {
    owners: HashMap<O, OwnerShare<K, V>>,
    /// Every owner once, ordered by the bytes that it holds.
    by_bytes: BTreeSet<(usize, O)>,
    usage: CacheUsage,
}

/// The entries of one owner.
struct OwnerShare<K, V> {
    entries: LruCache<K, Weighed<V>>,
    bytes: usize,
}

struct Weighed<V> {
    value: V,
    bytes: usize,
}

impl<O, K, V> BoundedCache<O, K, V>
where
    O: Clone + Eq + Hash + Ord,
    K: Eq + Hash,
    V: Clone,
{
    /// Returns an empty cache of at most `bytes_max` bytes.
    pub fn new(bytes_max: usize) -> Self {
        Self {
            bytes_max,
            held: Mutex::new(CacheHeld {
                owners: HashMap::new(),
                by_bytes: BTreeSet::new(),
                usage: CacheUsage {
                    bytes_max,
                    ..CacheUsage::default()
                },
            }),
        }
    }

    /// Returns the value of `key` and marks it as used.
    pub fn get(&self, owner: &O, key: &K) -> Option<V> {
        let mut held = self.held.lock();
        let entry = held.owners.get_mut(owner)?.entries.get(key)?;
        Some(entry.value.clone())
    }

    /// Inserts `value`, which takes `bytes` bytes together with its key, unless it is too large for the cache.
    pub fn insert(&self, owner: &O, key: K, value: V, bytes: usize) {
        self.update(owner, key, |_| Some((value, bytes)));
    }

    /// Replaces the value of `key` by the value and bytes that `change` returns for it; removes it if that is `None`.
    pub fn update(&self, owner: &O, key: K, change: impl FnOnce(Option<V>) -> Option<(V, usize)>) {
        let mut removed = Vec::new();
        {
            let mut held = self.held.lock();
            let former = held.remove(owner, &key);
            if let Some((value, bytes)) = change(former) {
                let bytes = bytes.saturating_add(ENTRY_BYTES);
                if bytes <= self.bytes_max / ENTRY_SHARE {
                    held.put(owner, key, Weighed { value, bytes });
                    while held.usage.bytes > self.bytes_max {
                        removed.extend(held.remove_from_largest());
                    }
                }
            }
        }
        // Large values are dropped after the lock is released.
        drop(removed);
    }

    /// Removes entries of `owner`, the least recently used first, while `is_old` holds.
    pub fn remove_while(&self, owner: &O, is_old: impl Fn(&V) -> bool) {
        let mut removed = Vec::new();
        {
            let mut held = self.held.lock();
            while let Some((_, oldest)) = held.owners.get(owner).and_then(|s| s.entries.peek_lru())
                && is_old(&oldest.value)
            {
                removed.extend(held.remove_oldest(owner));
            }
        }
        drop(removed);
    }

    /// Removes all entries of `owner`.
    pub fn remove_owner(&self, owner: &O) {
        let removed = {
            let mut held = self.held.lock();
            let share = held.owners.remove(owner);
            if let Some(share) = &share {
                held.by_bytes.remove(&(share.bytes, owner.clone()));
                held.usage.bytes -= share.bytes;
                held.usage.entries -= share.entries.len();
            }
            share
        };
        drop(removed);
    }

    /// Returns the fill level.
    pub fn usage(&self) -> CacheUsage {
        self.held.lock().usage
    }
}

impl<O, K, V> CacheHeld<O, K, V>
where
    O: Clone + Eq + Hash + Ord,
    K: Eq + Hash,
{
    fn put(&mut self, owner: &O, key: K, entry: Weighed<V>) {
        let share = self
            .owners
            .entry(owner.clone())
            .or_insert_with(|| OwnerShare {
                entries: LruCache::unbounded(),
                bytes: 0,
            });
        self.by_bytes.remove(&(share.bytes, owner.clone()));
        share.bytes += entry.bytes;
        self.usage.bytes += entry.bytes;
        self.usage.entries += 1;
        share.entries.put(key, entry);
        self.by_bytes.insert((share.bytes, owner.clone()));
    }

    fn remove(&mut self, owner: &O, key: &K) -> Option<V> {
        let entry = self.owners.get_mut(owner)?.entries.pop(key)?;
        Some(self.taken(owner, entry))
    }

    fn remove_oldest(&mut self, owner: &O) -> Option<V> {
        let (_, entry) = self.owners.get_mut(owner)?.entries.pop_lru()?;
        Some(self.taken(owner, entry))
    }

    fn remove_from_largest(&mut self) -> Option<V> {
        let (_, largest) = self.by_bytes.last()?;
        let largest = largest.clone();
        self.remove_oldest(&largest)
    }

    /// Subtracts a removed entry of `owner` from the counters and returns its value.
    fn taken(&mut self, owner: &O, entry: Weighed<V>) -> V {
        if let Some(share) = self.owners.get_mut(owner) {
            self.by_bytes.remove(&(share.bytes, owner.clone()));
            share.bytes -= entry.bytes;
            if share.entries.is_empty() {
                self.owners.remove(owner);
            } else {
                self.by_bytes.insert((share.bytes, owner.clone()));
            }
        }
        self.usage.bytes -= entry.bytes;
        self.usage.entries -= 1;
        entry.value
    }
}

#[cfg(test)]
mod tests {
    //! 1. It never exceeds its bound, and its counters are right after any sequence of calls.
    //! 2. It evicts the oldest entry of the owner that holds most; an owner with less loses nothing.
    //! 3. An entry that is too large is not cached, and the former value of its key is removed.
    //! 4. Removing an owner removes its entries.

    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;

    const ROOM: usize = 100 * ENTRY_BYTES;

    #[test]
    fn the_owner_that_holds_most_pays() {
        let cache = BoundedCache::new(ROOM);
        for key in 0..10 {
            cache.insert(&"small", key, key, 0);
        }
        for key in 0..1_000 {
            cache.insert(&"large", key, key, 0);
            cache.get(&"large", &0);
        }
        assert_eq!(cache.usage().entries, 100);
        assert!((0..10).all(|key| cache.get(&"small", &key).is_some()));
        let kept = |key| cache.get(&"large", &key).is_some();
        assert!(kept(0) && kept(999) && !kept(1) && !kept(910));
        cache.remove_owner(&"large");
        assert_eq!(cache.usage().entries, 10);
        assert_eq!(cache.usage().bytes, 10 * ENTRY_BYTES);
    }

    #[test]
    fn an_entry_that_is_too_large_is_not_cached() {
        let cache = BoundedCache::new(ROOM);
        cache.insert(&1, 'a', "old", 10);
        cache.insert(&1, 'a', "new", ROOM / ENTRY_SHARE);
        assert_eq!(cache.get(&1, &'a'), None);
        assert_eq!((cache.usage().entries, cache.usage().bytes), (0, 0));
    }

    #[test]
    fn old_entries_are_removed() {
        let cache = BoundedCache::new(ROOM);
        for age in [9, 8, 3, 7] {
            cache.insert(&1, age, age, 0);
        }
        cache.remove_while(&1, |age| *age > 5);
        assert_eq!(cache.usage().entries, 2, "3 comes before 7");
    }

    proptest! {
        #[test]
        fn the_counters_match_the_entries(steps in vec((0..5_u8, 0..6_u8, 0..30_usize, 0..8_u8), 0..300)) {
            let cache = BoundedCache::new(ROOM);
            for (owner, key, hundreds, what) in steps {
                match what {
                    0 => cache.remove_owner(&owner),
                    1 => drop(cache.get(&owner, &key)),
                    2 => cache.update(&owner, key, |_| None),
                    _ => cache.insert(&owner, key, (), hundreds * 100),
                }
                let held = cache.held.lock();
                let entries = || held.owners.values().flat_map(|share| share.entries.iter());
                prop_assert_eq!(held.usage.bytes, entries().map(|(_, entry)| entry.bytes).sum::<usize>());
                prop_assert_eq!(held.usage.entries, entries().count());
                prop_assert!(held.usage.bytes <= ROOM);
                let by_bytes = held.owners.iter().map(|(owner, share)| (share.bytes, *owner));
                prop_assert_eq!(held.by_bytes.clone(), by_bytes.collect::<BTreeSet<_>>());
            }
        }
    }
}
