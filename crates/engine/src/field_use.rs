//! The fields by which the documents of an index can be filtered, as one visitor sees them.

use domain::search::FilterField;

/// A field by which documents can be filtered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FilterFieldUse {
    /// The field.
    pub field: FilterField,
    /// Name of its group in the documents; empty for a field without a group.
    pub group: String,
    /// Number of visible documents with a value, at least 1.
    pub documents: u64,
}

/// The fields in which a document that a visitor may see has a value.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FieldUse {
    /// Ordered by field.
    fields: Vec<FilterFieldUse>,
}

impl FieldUse {
    /// These fields, each once, in any order.
    pub fn new(mut fields: Vec<FilterFieldUse>) -> Self {
        fields.sort_unstable_by(|a, b| a.field.cmp(&b.field));
        Self { fields }
    }

    /// All fields, ordered.
    pub fn all(&self) -> &[FilterFieldUse] {
        &self.fields
    }

    /// The use of `field`; none if no document that the visitor may see has a value in it.
    pub fn of(&self, field: &FilterField) -> Option<&FilterFieldUse> {
        let at = self.fields.binary_search_by(|own| own.field.cmp(field));
        at.ok().map(|at| &self.fields[at])
    }
}
