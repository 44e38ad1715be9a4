//! The values of facets: a number for each within its field, its id and its text. A number never changes its meaning.

use domain::search::FilterField;
use parking_lot::{RwLock, RwLockReadGuard};
use std::collections::HashMap;
use std::sync::Arc;

/// Number of a value within its field.
pub type ValueId = u32;

/// Number of a field within one index.
pub type FieldNumber = u32;

/// All fields and values that documents of an index have, or had.
pub struct Dictionary {
    inner: RwLock<Inner>,
}

#[derive(Default)]
struct Inner {
    numbers: HashMap<FilterField, FieldNumber>,
    fields: Vec<FieldEntry>,
}

struct FieldEntry {
    field: FilterField,
    /// Name of a group.
    label: Arc<str>,
    by_id: HashMap<Arc<str>, ValueId>,
    /// Values by their text, of which several may have the same; a former text stays, and is checked when it is found.
    by_label: HashMap<Arc<str>, Vec<ValueId>>,
    values: Vec<ValueEntry>,
}

struct ValueEntry {
    id: Arc<str>,
    label: Arc<str>,
    /// The first letters of the label, which mostly tell the order of two labels.
    beginning: u64,
    /// A label that was only derived gives way to one that a document states.
    stated: bool,
}

impl Default for Dictionary {
    fn default() -> Self {
        let mut inner = Inner::default();
        for field in FilterField::FIXED {
            inner.field(&field, "");
        }
        Self {
            inner: RwLock::new(inner),
        }
    }
}

/// One value as a document states it.
#[derive(Clone, Copy)]
pub(super) struct Stated<'a> {
    pub id: &'a str,
    pub label: &'a str,
    /// Whether the label is the document's own word, not derived from others.
    pub certain: bool,
}

impl Inner {
    fn field(&mut self, field: &FilterField, label: &str) -> FieldNumber {
        let next = self.fields.len() as FieldNumber;
        let number = *self.numbers.entry(field.clone()).or_insert(next);
        if number == next {
            self.fields.push(FieldEntry {
                field: field.clone(),
                label: label.into(),
                by_id: HashMap::new(),
                by_label: HashMap::new(),
                values: Vec::new(),
            });
        } else if *self.fields[number as usize].label != *label {
            self.fields[number as usize].label = label.into();
        }
        number
    }

    /// The number of a value that is known just as it is stated.
    fn known(&self, field: FieldNumber, value: Stated<'_>) -> Option<ValueId> {
        let field = &self.fields[field as usize];
        let number = *field.by_id.get(value.id)?;
        let entry = &field.values[number as usize];
        let current = !value.certain || (entry.stated && *entry.label == *value.label);
        current.then_some(number)
    }

    fn intern(&mut self, field: FieldNumber, value: Stated<'_>) -> ValueId {
        let label: Arc<str> = value.label.into();
        let field = &mut self.fields[field as usize];
        let number = match field.by_id.get(value.id).copied() {
            Some(number) => {
                if value.certain {
                    field.values[number as usize].state(&label);
                }
                number
            }
            None => {
                let id: Arc<str> = value.id.into();
                let number = field.values.len() as ValueId;
                field.by_id.insert(Arc::clone(&id), number);
                field.values.push(ValueEntry {
                    id,
                    label: Arc::clone(&label),
                    beginning: beginning(&label),
                    stated: value.certain,
                });
                number
            }
        };
        let named = field.by_label.entry(label).or_default();
        if !named.contains(&number) {
            named.push(number);
        }
        number
    }
}

impl ValueEntry {
    fn state(&mut self, label: &Arc<str>) {
        self.label = Arc::clone(label);
        self.beginning = beginning(label);
        self.stated = true;
    }
}

/// The first letters of `label` as a number, in the order of labels.
fn beginning(label: &str) -> u64 {
    let mut bytes = [0; 8];
    for (byte, letter) in bytes.iter_mut().zip(label.bytes()) {
        *byte = letter;
    }
    u64::from_be_bytes(bytes)
}

impl Dictionary {
    /// The number of `field`, whose group is called `label`.
    pub(super) fn field(&self, field: &FilterField, label: &str) -> FieldNumber {
        {
            let inner = self.inner.read();
            let known = inner.numbers.get(field).copied();
            if let Some(number) = known.filter(|n| *inner.fields[*n as usize].label == *label) {
                return number;
            }
        }
        self.inner.write().field(field, label)
    }

    /// The number of a value of `field`.
    pub(super) fn value(&self, field: FieldNumber, value: Stated<'_>) -> ValueId {
        if let Some(number) = self.inner.read().known(field, value) {
            return number;
        }
        self.inner.write().intern(field, value)
    }

    /// What is known at this moment.
    pub fn read(&self) -> Entries<'_> {
        Entries {
            inner: self.inner.read(),
        }
    }
}

/// The dictionary while nothing is added to it.
pub struct Entries<'a> {
    inner: RwLockReadGuard<'a, Inner>,
}

impl Entries<'_> {
    /// The number of `field`, when any document ever had it.
    pub fn number(&self, field: &FilterField) -> Option<FieldNumber> {
        self.inner.numbers.get(field).copied()
    }

    /// All fields with their numbers and the names of groups.
    pub fn fields(&self) -> impl ExactSizeIterator<Item = (FieldNumber, &FilterField, &str)> {
        let fields = self.inner.fields.iter().enumerate();
        fields.map(|(number, entry)| (number as FieldNumber, &entry.field, &*entry.label))
    }

    /// A field and the name of its group.
    pub fn field(&self, number: FieldNumber) -> (&FilterField, &str) {
        let entry = &self.inner.fields[number as usize];
        (&entry.field, &entry.label)
    }

    /// How many values a field has.
    pub fn values_of(&self, number: FieldNumber) -> usize {
        self.inner.fields[number as usize].values.len()
    }

    /// Id and text of a value.
    pub fn value(&self, field: FieldNumber, number: ValueId) -> (&Arc<str>, &Arc<str>) {
        let entry = &self.inner.fields[field as usize].values[number as usize];
        (&entry.id, &entry.label)
    }

    /// The values of `field` whose text is `wanted`.
    pub fn labelled(&self, field: FieldNumber, wanted: &str) -> impl Iterator<Item = ValueId> {
        let entry = &self.inner.fields[field as usize];
        let named = entry.by_label.get(wanted).into_iter().flatten();
        named
            .copied()
            .filter(move |value| *entry.values[*value as usize].label == *wanted)
    }

    /// The first letters of a value's text as a number: of two values, the text of the one with the lower number comes
    /// first.
    pub fn beginning(&self, field: FieldNumber, number: ValueId) -> u64 {
        self.inner.fields[field as usize].values[number as usize].beginning
    }

    /// The values of `field` whose id or text is `wanted`.
    pub fn find(&self, field: &FilterField, wanted: &str) -> Vec<ValueId> {
        let Some(number) = self.number(field) else {
            return Vec::new();
        };
        let entry = &self.inner.fields[number as usize];
        let mut found: Vec<ValueId> = entry.by_id.get(wanted).copied().into_iter().collect();
        let named = entry.by_label.get(wanted).into_iter().flatten();
        found.extend(named.filter(|value| *entry.values[**value as usize].label == *wanted));
        found.sort_unstable();
        found.dedup();
        found
    }
}
