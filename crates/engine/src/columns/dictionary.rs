//! The dictionary of facet values: their number within the field, id and label. A number never changes its meaning.

use super::by_label::ByLabel;
use super::document_values::DocumentValue;
use super::encoded_values::EncodedValues;
use super::renumbering::{UseMarks, kept};
use domain::label_text::label_text;
use domain::search::FilterField;
use parking_lot::{RwLock, RwLockReadGuard};
use std::collections::HashMap;
use std::sync::Arc;

/// Number of a value within its field.
pub type ValueId = u32;

/// Number of a field within one index.
pub type FieldNumber = u32;

/// Approximate bytes of a value besides its texts: its entry, and its slots in two tables.
const VALUE_BYTES: usize = 160;
/// Approximate bytes of a field besides its values and texts.
const FIELD_BYTES: usize = 320;

/// All fields and values that documents of an index have or had.
pub struct Dictionary {
    inner: RwLock<DictionaryState>,
}

#[derive(Default)]
struct DictionaryState {
    numbers: HashMap<FilterField, FieldNumber>,
    fields: Vec<FieldEntry>,
    /// Approximate bytes in use.
    bytes: usize,
}

struct FieldEntry {
    field: FilterField,
    /// Name of the group.
    label: Arc<str>,
    by_id: HashMap<Arc<str>, ValueId>,
    by_label: ByLabel,
    values: Vec<ValueEntry>,
}

#[derive(Clone)]
struct ValueEntry {
    id: Arc<str>,
    label: Arc<str>,
    /// The first bytes of the label, which mostly decide the order of two labels.
    label_prefix: u64,
    /// Whether a document states the label; a derived label is replaced by a stated one.
    stated: bool,
}

impl Default for Dictionary {
    fn default() -> Self {
        let mut inner = DictionaryState::default();
        for field in FilterField::FIXED {
            inner.field(&field, "");
        }
        Self {
            inner: RwLock::new(inner),
        }
    }
}

impl DictionaryState {
    fn field(&mut self, field: &FilterField, label: &str) -> FieldNumber {
        let next = self.fields.len() as FieldNumber;
        let number = *self.numbers.entry(field.clone()).or_insert(next);
        if number == next {
            let entry = FieldEntry {
                field: field.clone(),
                label: label.into(),
                by_id: HashMap::new(),
                by_label: ByLabel::default(),
                values: Vec::new(),
            };
            self.bytes += entry.bytes();
            self.fields.push(entry);
        } else if *self.fields[number as usize].label != *label {
            let entry = &mut self.fields[number as usize];
            self.bytes += label.len();
            self.bytes -= entry.label.len();
            entry.label = label.into();
        }
        number
    }

    /// The number of a value that exists with the same label.
    fn unchanged(&self, field: FieldNumber, value: DocumentValue<'_>) -> Option<ValueId> {
        let field = &self.fields[field as usize];
        let number = *field.by_id.get(value.id)?;
        let entry = &field.values[number as usize];
        (!entry.is_renamed_by(value)).then_some(number)
    }

    fn intern(&mut self, field: FieldNumber, value: DocumentValue<'_>) -> ValueId {
        let field = &mut self.fields[field as usize];
        if let Some(number) = field.by_id.get(value.id).copied() {
            if field.values[number as usize].is_renamed_by(value) {
                self.bytes += value.label.len();
                self.bytes -= field.values[number as usize].label.len();
                field.rename(number, value);
            }
            return number;
        }
        let label: Arc<str> = value.label.into();
        let entry = ValueEntry {
            id: value.id.into(),
            label_prefix: label_prefix(&label),
            label,
            stated: value.certain,
        };
        self.bytes += entry.bytes();
        field.push(entry)
    }
}

impl FieldEntry {
    fn push(&mut self, entry: ValueEntry) -> ValueId {
        let number = self.values.len() as ValueId;
        self.by_id.insert(Arc::clone(&entry.id), number);
        self.by_label.insert(&entry.label, number);
        self.values.push(entry);
        number
    }

    /// Sets the label of a value to that of `value`.
    fn rename(&mut self, number: ValueId, value: DocumentValue<'_>) {
        let entry = &mut self.values[number as usize];
        entry.stated = value.certain;
        if *entry.label != *value.label {
            self.by_label.remove(&entry.label, number);
            entry.label = value.label.into();
            entry.label_prefix = label_prefix(value.label);
            self.by_label.insert(&entry.label, number);
        }
    }

    /// Returns the field with only the values that are `marked`.
    fn only(&self, marked: &UseMarks) -> Self {
        let mut only = Self {
            field: self.field.clone(),
            label: Arc::clone(&self.label),
            by_id: HashMap::new(),
            by_label: ByLabel::default(),
            values: Vec::new(),
        };
        for entry in kept(&self.values, marked) {
            only.push(entry.clone());
        }
        only
    }

    fn bytes(&self) -> usize {
        let values = self.values.iter().map(ValueEntry::bytes);
        self.bytes_without_values() + values.sum::<usize>()
    }

    fn bytes_without_values(&self) -> usize {
        FIELD_BYTES + self.label.len()
    }
}

impl ValueEntry {
    /// Whether the label becomes that of `value`: one that a document states replaces any, a name only an id.
    fn is_renamed_by(&self, value: DocumentValue<'_>) -> bool {
        if value.certain {
            return !self.stated || *self.label != *value.label;
        }
        !self.stated && self.label == self.id && *value.label != *value.id
    }

    fn bytes(&self) -> usize {
        VALUE_BYTES + self.id.len() + self.label.len()
    }
}

/// The first bytes of `label` as a number in the order of labels.
fn label_prefix(label: &str) -> u64 {
    let mut bytes = [0; 8];
    for (to, byte) in bytes.iter_mut().zip(label.bytes()) {
        *to = byte;
    }
    u64::from_be_bytes(bytes)
}

impl Dictionary {
    /// The number of `field`, whose group has the name `label`.
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
    pub(super) fn value(&self, field: FieldNumber, value: DocumentValue<'_>) -> ValueId {
        if let Some(number) = self.inner.read().unchanged(field, value) {
            return number;
        }
        self.inner.write().intern(field, value)
    }

    /// Approximate bytes of the fields and values of `before` that are not in `after`.
    pub(super) fn released(&self, before: EncodedValues<'_>, after: EncodedValues<'_>) -> usize {
        let mut released = 0;
        for (field, own, kept) in before.beside(after) {
            if kept == Some(own) {
                continue;
            }
            let entries = self.read();
            let is_released =
                |value: &ValueId| kept.is_none_or(|kept| kept.binary_search(value).is_err());
            let values = own.iter().filter(|value| is_released(value));
            released += values
                .map(|value| entries.bytes_of(field, *value))
                .sum::<usize>();
            released += kept.map_or_else(|| entries.bytes_of_field(field), |_| 0);
        }
        released
    }

    /// Returns a dictionary of the marked fields and values, in the same order.
    pub(super) fn only(&self, fields: &UseMarks, values: &[UseMarks]) -> Self {
        let inner = self.inner.read();
        let entries = kept(&inner.fields, fields).zip(kept(values, fields));
        let fields: Vec<FieldEntry> = entries.map(|(entry, marked)| entry.only(marked)).collect();
        let numbers = fields.iter().map(|entry| entry.field.clone()).zip(0..);
        Self {
            inner: RwLock::new(DictionaryState {
                numbers: numbers.collect(),
                bytes: fields.iter().map(FieldEntry::bytes).sum(),
                fields,
            }),
        }
    }

    /// Locks the dictionary for reading.
    pub fn read(&self) -> DictionaryEntries<'_> {
        DictionaryEntries {
            inner: self.inner.read(),
        }
    }
}

/// The dictionary under a read lock.
pub struct DictionaryEntries<'a> {
    inner: RwLockReadGuard<'a, DictionaryState>,
}

impl DictionaryEntries<'_> {
    /// The number of `field`, if a document ever had it.
    pub fn number(&self, field: &FilterField) -> Option<FieldNumber> {
        self.inner.numbers.get(field).copied()
    }

    /// All fields with their numbers and group names.
    pub fn fields(&self) -> impl ExactSizeIterator<Item = (FieldNumber, &FilterField, &str)> {
        let fields = self.inner.fields.iter().enumerate();
        fields.map(|(number, entry)| (number as FieldNumber, &entry.field, &*entry.label))
    }

    /// A field and its group name.
    pub fn field(&self, number: FieldNumber) -> (&FilterField, &str) {
        let entry = &self.inner.fields[number as usize];
        (&entry.field, &entry.label)
    }

    /// Number of values of a field.
    pub fn values_of(&self, number: FieldNumber) -> usize {
        self.inner.fields[number as usize].values.len()
    }

    /// Id and label of a value.
    pub fn value(&self, field: FieldNumber, number: ValueId) -> (&Arc<str>, &Arc<str>) {
        let entry = &self.inner.fields[field as usize].values[number as usize];
        (&entry.id, &entry.label)
    }

    /// The values of `field` with the label `wanted`, in any writing of it.
    pub fn labelled(&self, field: FieldNumber, wanted: &str) -> impl Iterator<Item = ValueId> {
        let label = label_text(wanted);
        let found: Vec<ValueId> = self.inner.fields[field as usize]
            .by_label
            .of(&label)
            .collect();
        found.into_iter()
    }

    /// The first bytes of a value's label as a number; the label with the lower number comes first.
    pub fn label_prefix(&self, field: FieldNumber, number: ValueId) -> u64 {
        self.inner.fields[field as usize].values[number as usize].label_prefix
    }

    /// The value of `field` whose id is `wanted`; without one, or where it is its own label, the values with this label.
    pub fn find(&self, field: &FilterField, wanted: &str) -> Vec<ValueId> {
        let Some(number) = self.number(field) else {
            return Vec::new();
        };
        let entry = &self.inner.fields[number as usize];
        let mut found: Vec<ValueId> = entry.by_id.get(wanted).copied().into_iter().collect();
        // A value that the feed sent without an id has its label as one.
        let is_label = |value: &ValueId| {
            let value = &entry.values[*value as usize];
            value.id == value.label
        };
        if found.iter().all(is_label) {
            found.extend(entry.by_label.of(&label_text(wanted)));
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// Approximate bytes in use.
    pub(super) fn bytes(&self) -> usize {
        self.inner.bytes
    }

    /// Approximate bytes of a value.
    pub(super) fn bytes_of(&self, field: FieldNumber, number: ValueId) -> usize {
        self.inner.fields[field as usize].values[number as usize].bytes()
    }

    /// Approximate bytes of a field without its values.
    fn bytes_of_field(&self, field: FieldNumber) -> usize {
        self.inner.fields[field as usize].bytes_without_values()
    }

    /// Marks for all fields and values, of which only the fixed fields are in use.
    pub(super) fn unmarked(&self) -> (UseMarks, Vec<UseMarks>) {
        let mut fields = UseMarks::none(self.inner.fields.len());
        (0..FilterField::FIXED.len() as FieldNumber).for_each(|number| fields.mark(number));
        let values = self.inner.fields.iter();
        let values = values.map(|field| UseMarks::none(field.values.len()));
        (fields, values.collect())
    }
}
