//! The one memory of the process for states that automata of rules have made, with an upper bound in bytes.

use regex_automata::meta::Cache;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Bytes of all states that are remembered, beside those that searches work with.
const BYTES_MAX: usize = 128 * 1024 * 1024;

/// What every search takes states from and gives them back to.
pub(super) static MEMORY: StateMemory = StateMemory::new(BYTES_MAX);

/// A number for an automaton that no other one of this process has.
pub(super) fn next_number() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// States of automata. What is too much goes from the automaton that holds most, the oldest first, so that none loses
/// its states to one that holds more.
#[derive(Debug)]
pub(super) struct StateMemory {
    held: Mutex<HeldStates>,
    bytes_max: usize,
}

#[derive(Debug)]
struct HeldStates {
    /// In the order in which they were given back.
    states: VecDeque<AutomatonStates>,
    bytes: usize,
}

#[derive(Debug)]
struct AutomatonStates {
    automaton: u64,
    states: Box<Cache>,
    bytes: usize,
}

/// How much of a memory is in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StateUsage {
    /// Entries.
    pub entries: usize,
    /// Bytes.
    pub bytes: usize,
    /// Bytes that it may hold.
    pub bytes_max: usize,
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
        // Whoever panicked held it between two whole states.
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The latest states of an automaton, for one thread alone.
    pub fn take(&self, automaton: u64) -> Option<Box<Cache>> {
        let mut held = self.held();
        let at = held
            .states
            .iter()
            .rposition(|own| own.automaton == automaton)?;
        let taken = held.states.remove(at)?;
        held.bytes -= taken.bytes;
        Some(taken.states)
    }

    /// Gives states of an automaton back.
    pub fn put(&self, automaton: u64, states: Box<Cache>) {
        let bytes = size_of::<AutomatonStates>() + size_of::<Cache>() + states.memory_usage();
        let mut gone = Vec::new();
        {
            let mut held = self.held();
            held.bytes += bytes;
            held.states.push_back(AutomatonStates {
                automaton,
                states,
                bytes,
            });
            while held.bytes > self.bytes_max {
                gone.extend(held.remove_from_largest());
            }
        }
        drop(gone);
    }

    /// Forgets the states of an automaton that is no more.
    pub fn remove(&self, automaton: u64) {
        while let Some(gone) = self.take(automaton) {
            drop(gone);
        }
    }

    /// How much is remembered.
    pub fn usage(&self) -> StateUsage {
        let held = self.held();
        StateUsage {
            entries: held.states.len(),
            bytes: held.bytes,
            bytes_max: self.bytes_max,
        }
    }
}

impl HeldStates {
    fn remove_from_largest(&mut self) -> Option<AutomatonStates> {
        let of = |automaton: u64| {
            let own = self.states.iter().filter(|own| own.automaton == automaton);
            own.map(|own| own.bytes).sum::<usize>()
        };
        let largest = self
            .states
            .iter()
            .map(|own| own.automaton)
            .max_by_key(|own| of(*own))?;
        let at = self
            .states
            .iter()
            .position(|own| own.automaton == largest)?;
        let gone = self.states.remove(at)?;
        self.bytes -= gone.bytes;
        Some(gone)
    }
}

/// How much the automata of all rules remember.
pub fn state_usage() -> StateUsage {
    MEMORY.usage()
}

#[cfg(test)]
mod tests {
    //! 1. The memory never holds more than its bound; the automaton that holds most loses its oldest states.
    //! 2. States that are taken are not there for others; those of an automaton that is gone are forgotten.

    use super::*;
    use regex_automata::meta::Regex;

    #[test]
    fn the_memory_stays_small() {
        let regex = Regex::new("[a-z]+[0-9]").expect("a pattern");
        let states = || Box::new(regex.create_cache());
        let probe = StateMemory::new(usize::MAX);
        probe.put(0, states());
        let one = probe.usage().bytes;
        let memory = StateMemory::new(4 * one);
        memory.put(1, states());
        for _ in 0..20 {
            memory.put(2, states());
            assert!(memory.usage().bytes <= 4 * one);
        }
        assert_eq!(memory.usage().entries, 4);
        assert!(memory.take(1).is_some(), "it holds less than the other one");
        assert!(memory.take(1).is_none());
        memory.remove(2);
        assert_eq!((memory.usage().entries, memory.usage().bytes), (0, 0));
    }
}
