//! The values of facets: a number for each, its field, its id and its text. A number never changes its meaning.

use domain::search::FilterField;
use parking_lot::{RwLock, RwLockReadGuard};
use std::collections::HashMap;
use std::sync::Arc;

/// Number of a value within one index.
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
    values: Vec<ValueEntry>,
    /// The field of every value, side by side, because counting asks for it and for nothing else.
    field_of: Vec<FieldNumber>,
}

struct FieldEntry {
    field: FilterField,
    /// Name of a group.
    label: Arc<str>,
    by_id: HashMap<Arc<str>, ValueId>,
    /// Values by their text, of which several may have the same; a former text stays, and is checked when it is found.
    by_label: HashMap<Arc<str>, Vec<ValueId>>,
    values: Vec<ValueId>,
    /// Stands in a document once for every value of the field after the first, so that documents can be counted.
    surplus: Option<ValueId>,
}

struct ValueEntry {
    id: Arc<str>,
    label: Arc<str>,
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
                surplus: None,
            });
        } else if *self.fields[number as usize].label != *label {
            self.fields[number as usize].label = label.into();
        }
        number
    }

    /// The number of a value that is known just as it is stated.
    fn known(&self, field: FieldNumber, value: Stated<'_>) -> Option<ValueId> {
        let number = *self.fields[field as usize].by_id.get(value.id)?;
        let entry = &self.values[number as usize];
        let current = !value.certain || (entry.stated && *entry.label == *value.label);
        current.then_some(number)
    }

    fn intern(&mut self, field: FieldNumber, value: Stated<'_>) -> ValueId {
        let label: Arc<str> = value.label.into();
        let known = self.fields[field as usize].by_id.get(value.id).copied();
        let number = match known {
            Some(number) => {
                if value.certain {
                    let entry = &mut self.values[number as usize];
                    entry.label = Arc::clone(&label);
                    entry.stated = true;
                }
                number
            }
            None => {
                let id: Arc<str> = value.id.into();
                let number = self.push(field, Arc::clone(&id), Arc::clone(&label), value.certain);
                let entry = &mut self.fields[field as usize];
                entry.by_id.insert(id, number);
                entry.values.push(number);
                number
            }
        };
        let named = self.fields[field as usize]
            .by_label
            .entry(label)
            .or_default();
        if !named.contains(&number) {
            named.push(number);
        }
        number
    }

    fn push(&mut self, field: FieldNumber, id: Arc<str>, label: Arc<str>, stated: bool) -> ValueId {
        self.values.push(ValueEntry { id, label, stated });
        self.field_of.push(field);
        (self.values.len() - 1) as ValueId
    }
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

    /// What stands in a document for every value of `field` after the first.
    pub(super) fn surplus(&self, field: FieldNumber) -> ValueId {
        let known = self.inner.read().fields[field as usize].surplus;
        known.unwrap_or_else(|| {
            let mut inner = self.inner.write();
            if let Some(number) = inner.fields[field as usize].surplus {
                return number;
            }
            let number = inner.push(field, "".into(), "".into(), false);
            inner.fields[field as usize].surplus = Some(number);
            number
        })
    }

    /// The fields of `values`, each once.
    pub(super) fn fields_of(&self, values: &[ValueId]) -> Vec<FieldNumber> {
        let inner = self.inner.read();
        let fields = values.iter().map(|value| inner.field_of[*value as usize]);
        let mut fields: Vec<FieldNumber> = fields.collect();
        fields.sort_unstable();
        fields.dedup();
        fields
    }

    /// Number of values of all fields.
    pub fn values(&self) -> usize {
        self.inner.read().values.len()
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
    pub fn fields(&self) -> impl Iterator<Item = (FieldNumber, &FilterField, &str)> {
        let fields = (0..).zip(&self.inner.fields);
        fields.map(|(number, entry)| (number, &entry.field, &*entry.label))
    }

    /// A field and the name of its group.
    pub fn field(&self, number: FieldNumber) -> (&FilterField, &str) {
        let entry = &self.inner.fields[number as usize];
        (&entry.field, &entry.label)
    }

    /// The field of every value, by number.
    pub fn field_of(&self) -> &[FieldNumber] {
        &self.inner.field_of
    }

    /// The values of a field.
    pub fn values_of(&self, number: FieldNumber) -> &[ValueId] {
        &self.inner.fields[number as usize].values
    }

    /// What stands in a document for every value of a field after the first, where any document has several.
    pub fn surplus_of(&self, number: FieldNumber) -> Option<ValueId> {
        self.inner.fields[number as usize].surplus
    }

    /// Id and text of a value.
    pub fn value(&self, number: ValueId) -> (&str, &str) {
        let entry = &self.inner.values[number as usize];
        (&entry.id, &entry.label)
    }

    /// The values of `field` whose text is `wanted`.
    pub fn labelled(&self, field: FieldNumber, wanted: &str) -> impl Iterator<Item = ValueId> {
        let entry = &self.inner.fields[field as usize];
        let named = entry.by_label.get(wanted).into_iter().flatten();
        named
            .copied()
            .filter(move |value| self.value(*value).1 == wanted)
    }

    /// The values of `field` whose id or text is `wanted`.
    pub fn find(&self, field: &FilterField, wanted: &str) -> Vec<ValueId> {
        let Some(number) = self.number(field) else {
            return Vec::new();
        };
        let entry = &self.inner.fields[number as usize];
        let mut found: Vec<ValueId> = entry.by_id.get(wanted).copied().into_iter().collect();
        let named = entry.by_label.get(wanted).into_iter().flatten();
        found.extend(named.filter(|value| self.value(**value).1 == wanted));
        found.sort_unstable();
        found.dedup();
        found
    }
}
