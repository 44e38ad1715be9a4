//! Things that are numbered in the order in which they first come. A number never changes its meaning.

use super::renumbering::{UseMarks, kept};
use domain::document::price::PriceField;
use parking_lot::RwLock;
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;

/// About how many bytes one thing takes beside its own: its two pointers and its place in the table.
const ENTRY_BYTES: usize = 64;

/// All things that documents of an index name, or named.
pub(super) struct Interner<T> {
    inner: RwLock<InternerState<T>>,
}

struct InternerState<T> {
    numbers: HashMap<Arc<T>, u32>,
    things: Vec<Arc<T>>,
    bytes: usize,
}

/// What an interner numbers.
pub(super) trait Interned: Clone + Eq + Hash {
    /// About how many bytes it takes.
    fn bytes(&self) -> usize;
}

impl Interned for String {
    fn bytes(&self) -> usize {
        size_of::<Self>() + self.len()
    }
}

impl Interned for PriceField {
    fn bytes(&self) -> usize {
        let texts = [&self.currency, &self.tier, &self.country];
        size_of::<Self>() + texts.into_iter().flatten().map(String::len).sum::<usize>()
    }
}

impl Interned for Vec<String> {
    fn bytes(&self) -> usize {
        size_of::<Self>() + self.iter().map(Interned::bytes).sum::<usize>()
    }
}

impl<T> Default for Interner<T> {
    fn default() -> Self {
        Self {
            inner: RwLock::new(InternerState {
                numbers: HashMap::new(),
                things: Vec::new(),
                bytes: 0,
            }),
        }
    }
}

impl<T: Interned> InternerState<T> {
    fn push(&mut self, thing: Arc<T>) -> u32 {
        let number = self.things.len() as u32;
        self.bytes += ENTRY_BYTES + thing.bytes();
        self.numbers.insert(Arc::clone(&thing), number);
        self.things.push(thing);
        number
    }
}

impl<T: Interned> Interner<T> {
    /// The number of `thing`, which gets one when it is new.
    pub fn number(&self, thing: &T) -> u32 {
        if let Some(number) = self.find(thing) {
            return number;
        }
        let mut inner = self.inner.write();
        if let Some(number) = inner.numbers.get(thing) {
            return *number;
        }
        inner.push(Arc::new(thing.clone()))
    }

    /// The number of `thing`, where it has one.
    pub fn find(&self, thing: &T) -> Option<u32> {
        self.inner.read().numbers.get(thing).copied()
    }

    /// The thing of that number.
    pub fn get(&self, number: u32) -> Option<Arc<T>> {
        self.inner.read().things.get(number as usize).cloned()
    }

    /// What `of` says of every thing from the number `first` on, in order.
    pub fn each_from<R>(&self, first: usize, of: impl Fn(&T) -> R) -> Vec<R> {
        let inner = self.inner.read();
        let things = inner.things.get(first..).unwrap_or_default();
        things.iter().map(|thing| of(thing)).collect()
    }

    /// Number of things.
    pub fn len(&self) -> usize {
        self.inner.read().things.len()
    }

    /// About how many bytes all of them take.
    pub fn bytes(&self) -> usize {
        self.inner.read().bytes
    }

    /// About how many bytes the thing of that number takes; 0 where there is none.
    pub fn bytes_of(&self, number: u32) -> usize {
        let thing = self.get(number);
        thing.map_or(0, |thing| ENTRY_BYTES + thing.bytes())
    }

    /// The things that are `marked`, in the same order.
    pub fn only(&self, marked: &UseMarks) -> Self {
        let inner = self.inner.read();
        let mut only = InternerState {
            numbers: HashMap::new(),
            things: Vec::new(),
            bytes: 0,
        };
        for thing in kept(&inner.things, marked) {
            only.push(Arc::clone(thing));
        }
        Self {
            inner: RwLock::new(only),
        }
    }
}
