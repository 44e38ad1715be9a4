//! The labels of documents, which change only with their texts: id, sort key of the name, facet values.

use super::SharedDictionaries;
use super::dictionary::{Dictionary, FieldNumber, ValueId};
use super::document_values::{each_value, name_key};
use super::encoded_values::{EncodedValues, renumbered, written};
use super::packed::{PackedLists, PackedTexts};
use super::renumbering::Renumbering;
use domain::document::Document;

/// The labels of one document.
#[derive(Clone, Debug, Default)]
struct LabelRow {
    /// Id.
    id: String,
    /// Sort key of the name.
    name_key: String,
    /// Facet values, as [`written`].
    values: Vec<u32>,
}

impl LabelRow {
    fn new(document: &Document, shared: &SharedDictionaries) -> Self {
        Self {
            id: document.id.clone(),
            name_key: name_key(&document.texts.name),
            values: written(values(document, &shared.dictionary)),
        }
    }
}

/// The labels of consecutive documents.
#[derive(Clone, Default)]
pub(super) struct LabelChunk {
    ids: PackedTexts,
    names: PackedTexts,
    values: PackedLists,
}

impl LabelChunk {
    /// Id of a document; empty when the row was never written.
    pub fn id(&self, at: usize) -> &str {
        self.ids.get(at)
    }

    /// Sort key of a document's name.
    pub fn name_key(&self, at: usize) -> &str {
        self.names.get(at)
    }

    /// The values of a document.
    pub fn values(&self, at: usize) -> EncodedValues<'_> {
        EncodedValues::of(self.values.get(at))
    }

    /// Returns the chunk after `changes`, which are ordered by row.
    pub fn with<'a>(
        &self,
        changes: impl Iterator<Item = (usize, Option<&'a Document>)>,
        shared: &SharedDictionaries,
    ) -> Self {
        let mut next = Self::default();
        for (at, document) in changes {
            next.push_from(self, at);
            let row = document.map(|document| LabelRow::new(document, shared));
            next.push(&row.unwrap_or_default());
        }
        next.push_from(self, self.ids.len());
        next
    }

    /// The values of all documents.
    pub fn all_values(&self) -> impl Iterator<Item = (FieldNumber, &[ValueId])> {
        (0..self.values.len()).flat_map(|at| self.values(at))
    }

    /// Returns the chunk with new numbers of fields and values.
    pub fn renumbered(&self, numbers: &Renumbering) -> Self {
        let mut values = PackedLists::default();
        for at in 0..self.values.len() {
            values.push(&renumbered(self.values(at), numbers));
        }
        Self {
            ids: self.ids.clone(),
            names: self.names.clone(),
            values,
        }
    }

    fn push(&mut self, row: &LabelRow) {
        self.ids.push(&row.id);
        self.names.push(&row.name_key);
        self.values.push(&row.values);
    }

    /// Copies the rows of `other` up to, but not including, the row `end`.
    fn push_from(&mut self, other: &Self, end: usize) {
        for at in self.ids.len()..end {
            self.ids.push(other.ids.get(at));
            self.names.push(other.names.get(at));
            self.values.push(other.values.get(at));
        }
    }
}

/// All values of a document with their fields.
fn values(document: &Document, dictionary: &Dictionary) -> Vec<(FieldNumber, ValueId)> {
    let mut values = Vec::new();
    each_value(document, |field, value| {
        let number = dictionary.field(&field.field(), field.group());
        values.push((number, dictionary.value(number, value)));
    });
    values
}
