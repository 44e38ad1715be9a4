//! The cache, one for the process, of the states of the rule automata, bounded in bytes.

use super::matcher::MatcherStates;
use domain::CacheUsage;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Bytes of all cached states, without those in use by searches.
const BYTES_MAX: usize = 128 * 1024 * 1024;

/// The cache of the process.
pub(super) static CACHE: StateMemory = StateMemory::new(BYTES_MAX);

/// Returns a number for an automaton, unique in this process.
pub(super) fn next_number() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// A cache of the states of automata. When full it evicts the oldest states of the automaton with the most, so that no
/// automaton loses its states to a larger one.
#[derive(Debug)]
pub(super) struct StateMemory {
    held: Mutex<HeldStates>,
    bytes_max: usize,
}

#[derive(Debug)]
struct HeldStates {
    /// In the order in which they were returned.
    states: VecDeque<AutomatonStates>,
    bytes: usize,
}

#[derive(Debug)]
struct AutomatonStates {
    automaton: u64,
    states: Box<MatcherStates>,
    bytes: usize,
}

impl StateMemory {
    const fn new(bytes_max: usize) -> Self {
        let held = HeldStates {
            states: VecDeque::new(),
            bytes: 0,
        };
        Self {
            held: Mutex::new(held),
            bytes_max,
        }
    }

    fn held(&self) -> MutexGuard<'_, HeldStates> {
        // The data is consistent at every point at which a holder may panic.
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Removes and returns the latest states of an automaton, for use by one thread.
    pub fn take(&self, automaton: u64) -> Option<Box<MatcherStates>> {
        let mut held = self.held();
        let at = held
            .states
            .iter()
            .rposition(|entry| entry.automaton == automaton)?;
        let taken = held.states.remove(at)?;
        held.bytes -= taken.bytes;
        Some(taken.states)
    }

    /// Returns states of an automaton to the cache.
    pub fn put(&self, automaton: u64, states: Box<MatcherStates>) {
        let bytes = size_of::<AutomatonStates>() + states.bytes();
        let mut evicted = Vec::new();
        {
            let mut held = self.held();
            held.bytes += bytes;
            held.states.push_back(AutomatonStates {
                automaton,
                states,
                bytes,
            });
            while held.bytes > self.bytes_max {
                evicted.extend(held.remove_from_largest());
            }
        }
        drop(evicted);
    }

    /// Drops the states of an automaton that no longer exists.
    pub fn remove(&self, automaton: u64) {
        while let Some(evicted) = self.take(automaton) {
            drop(evicted);
        }
    }

    /// Current usage.
    pub fn usage(&self) -> CacheUsage {
        let held = self.held();
        CacheUsage {
            entries: held.states.len(),
            bytes: held.bytes,
            bytes_max: self.bytes_max,
        }
    }
}

impl HeldStates {
    fn remove_from_largest(&mut self) -> Option<AutomatonStates> {
        let of = |automaton: u64| {
            let entries = self
                .states
                .iter()
                .filter(|entry| entry.automaton == automaton);
            entries.map(|entry| entry.bytes).sum::<usize>()
        };
        let largest = self
            .states
            .iter()
            .map(|entry| entry.automaton)
            .max_by_key(|entry| of(*entry))?;
        let at = self
            .states
            .iter()
            .position(|entry| entry.automaton == largest)?;
        let evicted = self.states.remove(at)?;
        self.bytes -= evicted.bytes;
        Some(evicted)
    }
}

/// Usage of the cache for the automata of all rules.
pub fn state_usage() -> CacheUsage {
    CACHE.usage()
}

#[cfg(test)]
mod tests {
    //! 1. The cache never exceeds its bound; the automaton with the most states loses its oldest ones.
    //! 2. Taken states are not available to others; those of a removed automaton are dropped.

    use super::*;
    use crate::rules::matcher::Matcher;

    #[test]
    fn the_cache_stays_within_its_bound() {
        let matcher = Matcher::new(&["[a-z]+[0-9]"], usize::MAX).expect("a pattern");
        let states = || Box::new(matcher.states());
        let probe = StateMemory::new(usize::MAX);
        probe.put(0, states());
        let one = probe.usage().bytes;
        let cache = StateMemory::new(4 * one);
        cache.put(1, states());
        for _ in 0..20 {
            cache.put(2, states());
            assert!(cache.usage().bytes <= 4 * one);
        }
        assert_eq!(cache.usage().entries, 4);
        assert!(cache.take(1).is_some(), "it holds less than the other one");
        assert!(cache.take(1).is_none());
        cache.remove(2);
        assert_eq!((cache.usage().entries, cache.usage().bytes), (0, 0));
    }
}
