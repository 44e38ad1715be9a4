//! Things that are numbered in the order in which they first come. A number never changes its meaning.

use parking_lot::RwLock;
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;

/// All things that documents of an index name, or named.
pub(super) struct Interner<T> {
    inner: RwLock<Inner<T>>,
}

struct Inner<T> {
    numbers: HashMap<Arc<T>, u32>,
    things: Vec<Arc<T>>,
}

impl<T> Default for Interner<T> {
    fn default() -> Self {
        Self {
            inner: RwLock::new(Inner {
                numbers: HashMap::new(),
                things: Vec::new(),
            }),
        }
    }
}

impl<T: Clone + Eq + Hash> Interner<T> {
    /// The number of `thing`, which gets one when it is new.
    pub fn number(&self, thing: &T) -> u32 {
        if let Some(number) = self.find(thing) {
            return number;
        }
        let mut inner = self.inner.write();
        if let Some(number) = inner.numbers.get(thing) {
            return *number;
        }
        let number = inner.things.len() as u32;
        let thing = Arc::new(thing.clone());
        inner.numbers.insert(Arc::clone(&thing), number);
        inner.things.push(thing);
        number
    }

    /// The number of `thing`, where it has one.
    pub fn find(&self, thing: &T) -> Option<u32> {
        self.inner.read().numbers.get(thing).copied()
    }

    /// The thing of that number.
    pub fn get(&self, number: u32) -> Option<Arc<T>> {
        self.inner.read().things.get(number as usize).cloned()
    }

    /// What `of` says of every thing, by number.
    pub fn all<R>(&self, of: impl Fn(&T) -> R) -> Vec<R> {
        let inner = self.inner.read();
        inner.things.iter().map(|thing| of(thing)).collect()
    }
}
