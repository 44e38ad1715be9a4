//! The values of facets: a number for each, its id and its text. Numbers are given once and never change their meaning.

use domain::search::FilterField;
use parking_lot::RwLock;
use std::collections::HashMap;

/// Number of a value within one index.
pub type ValueId = u32;

/// What stands for no value.
pub const NO_VALUE: ValueId = u32::MAX;

/// All values that documents of an index have, or had.
#[derive(Default)]
pub struct Dictionary {
    inner: RwLock<Inner>,
}

#[derive(Default)]
struct Inner {
    numbers: HashMap<(&'static str, String), ValueId>,
    /// Values by their text, of which several may have the same; a former text stays, and is checked when it is found.
    by_label: HashMap<(&'static str, String), Vec<ValueId>>,
    entries: Vec<Entry>,
}

struct Entry {
    kind: &'static str,
    id: String,
    label: String,
    /// A label that was only derived gives way to one that a document states.
    stated: bool,
}

impl Inner {
    /// Notes that a value is called `label`.
    fn name(&mut self, kind: &'static str, label: &str, number: ValueId) {
        let named = self.by_label.entry((kind, label.to_owned())).or_default();
        if !named.contains(&number) {
            named.push(number);
        }
    }
}

impl Dictionary {
    /// The number of the value `id` of `kind`, which is called `label`; `stated` when a document says so itself.
    pub fn intern(&self, kind: &'static str, id: &str, label: &str, stated: bool) -> ValueId {
        if let Some(number) = self.known(kind, id, label, stated) {
            return number;
        }
        let mut inner = self.inner.write();
        let next = inner.entries.len() as ValueId;
        let number = *inner.numbers.entry((kind, id.to_owned())).or_insert(next);
        inner.name(kind, label, number);
        if number == next {
            let entry = Entry {
                kind,
                id: id.to_owned(),
                label: label.to_owned(),
                stated,
            };
            inner.entries.push(entry);
        } else if stated {
            let entry = &mut inner.entries[number as usize];
            entry.label = label.to_owned();
            entry.stated = true;
        }
        number
    }

    fn known(&self, kind: &'static str, id: &str, label: &str, stated: bool) -> Option<ValueId> {
        let inner = self.inner.read();
        let number = *inner.numbers.get(&(kind, id.to_owned()))?;
        let entry = &inner.entries[number as usize];
        let current = !stated || (entry.stated && entry.label == label);
        current.then_some(number)
    }

    /// Id and text of a value.
    pub fn entry(&self, number: ValueId) -> Option<(String, String)> {
        let inner = self.inner.read();
        inner
            .entries
            .get(number as usize)
            .map(|entry| (entry.id.clone(), entry.label.clone()))
    }

    /// Id and text of a value, when it is of `kind`.
    pub fn entry_of(&self, kind: &str, number: ValueId) -> Option<(String, String)> {
        let inner = self.inner.read();
        let entry = inner
            .entries
            .get(number as usize)
            .filter(|entry| entry.kind == kind)?;
        Some((entry.id.clone(), entry.label.clone()))
    }

    /// The numbers of all values of `field` whose id or text is one of `wanted`.
    pub fn find(&self, field: FilterField, wanted: &[String]) -> Vec<ValueId> {
        let inner = self.inner.read();
        let kind = field.as_str();
        let mut found: Vec<ValueId> = Vec::new();
        for text in wanted {
            let key = (kind, text.clone());
            found.extend(inner.numbers.get(&key));
            let named = inner.by_label.get(&key).into_iter().flatten();
            found.extend(named.filter(|number| inner.entries[**number as usize].label == *text));
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Number of values of all kinds.
    pub fn len(&self) -> usize {
        self.inner.read().entries.len()
    }

    /// Whether there is no value.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
