//! An interner: numbers distinct items in order of their first occurrence. A number never changes its meaning.

use super::renumbering::{UseMarks, kept};
use domain::document::price::PriceField;
use parking_lot::RwLock;
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;

/// Approximate overhead in bytes of an item: two pointers and a table slot.
const ENTRY_BYTES: usize = 64;

/// All items of one kind that documents of an index refer or referred to.
pub(super) struct Interner<T> {
    inner: RwLock<InternerState<T>>,
}

struct InternerState<T> {
    numbers: HashMap<Arc<T>, u32>,
    items: Vec<Arc<T>>,
    bytes: usize,
}

/// An item of an interner.
pub(super) trait Interned: Clone + Eq + Hash {
    /// Approximate size in bytes.
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
                items: Vec::new(),
                bytes: 0,
            }),
        }
    }
}

impl<T: Interned> InternerState<T> {
    fn push(&mut self, item: Arc<T>) -> u32 {
        let number = self.items.len() as u32;
        self.bytes += ENTRY_BYTES + item.bytes();
        self.numbers.insert(Arc::clone(&item), number);
        self.items.push(item);
        number
    }
}

impl<T: Interned> Interner<T> {
    /// The number of `item`, which is added when it is new.
    pub fn number(&self, item: &T) -> u32 {
        if let Some(number) = self.find(item) {
            return number;
        }
        let mut inner = self.inner.write();
        if let Some(number) = inner.numbers.get(item) {
            return *number;
        }
        inner.push(Arc::new(item.clone()))
    }

    /// The number of `item`, if it has one.
    pub fn find(&self, item: &T) -> Option<u32> {
        self.inner.read().numbers.get(item).copied()
    }

    /// The item with this number.
    pub fn get(&self, number: u32) -> Option<Arc<T>> {
        self.inner.read().items.get(number as usize).cloned()
    }

    /// Maps the items from the number `first` on, in order.
    pub fn each_from<R>(&self, first: usize, of: impl Fn(&T) -> R) -> Vec<R> {
        let inner = self.inner.read();
        let items = inner.items.get(first..).unwrap_or_default();
        items.iter().map(|item| of(item)).collect()
    }

    /// Number of items.
    pub fn len(&self) -> usize {
        self.inner.read().items.len()
    }

    /// Approximate bytes in use.
    pub fn bytes(&self) -> usize {
        self.inner.read().bytes
    }

    /// Approximate bytes of the item with this number; 0 when there is none.
    pub fn bytes_of(&self, number: u32) -> usize {
        let item = self.get(number);
        item.map_or(0, |item| ENTRY_BYTES + item.bytes())
    }

    /// Returns an interner of the `marked` items, in the same order.
    pub fn only(&self, marked: &UseMarks) -> Self {
        let inner = self.inner.read();
        let mut only = InternerState {
            numbers: HashMap::new(),
            items: Vec::new(),
            bytes: 0,
        };
        for item in kept(&inner.items, marked) {
            only.push(Arc::clone(item));
        }
        Self {
            inner: RwLock::new(only),
        }
    }
}
