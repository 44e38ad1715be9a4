//! The labels of documents, which change only with their texts: id, sort key of the name, facet values.

use super::SharedDictionaries;
use super::categories::ancestor_names;
use super::dictionary::{Dictionary, DocumentValue, FieldNumber, ValueId};
use super::encoded_values::{EncodedValues, renumbered, written};
use super::packed::{PackedLists, PackedTexts};
use super::renumbering::Renumbering;
use domain::document::{Document, GroupValue};
use domain::first_characters;
use domain::limits::{DOCUMENT_NAME_CHARACTERS_MAX, LABEL_CHARACTERS_MAX};
use domain::search::FilterField;
use query::analysis::{fold, plain_text};

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

/// The sort key of a name.
fn name_key(name: &str) -> String {
    let name = plain_text(name);
    let mut key = fold(first_characters(&name, DOCUMENT_NAME_CHARACTERS_MAX));
    key.truncate(first_characters(&key, LABEL_CHARACTERS_MAX).len());
    key
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
    let mut values = categories(document, dictionary);
    let texts = &document.texts;
    let brand_id = document.manufacturer_id.as_deref();
    let single = [
        (FilterField::Manufacturer, brand_id, &texts.manufacturer),
        (FilterField::Supplier, None, &texts.supplier),
    ];
    let tags = texts.tags.iter().map(|tag| (FilterField::Tags, None, tag));
    for (field, id, text) in single.into_iter().chain(tags) {
        let text = text.trim();
        if !text.is_empty() {
            let field = dictionary.field(&field, "");
            let value = dictionary.value(field, clipped_value(id.unwrap_or(text), text, true));
            values.push((field, value));
        }
    }
    let attributes = document.attributes.iter();
    let features = document.features.iter();
    let attributes = attributes.map(|value| (FilterField::Attributes as fn(_) -> _, value));
    let features = features.map(|value| (FilterField::Features as fn(_) -> _, value));
    let in_groups = attributes.chain(features);
    values.extend(in_groups.filter_map(|(kind, value)| in_group(kind, value, dictionary)));
    values
}

fn in_group(
    kind: fn(String) -> FilterField,
    value: &GroupValue,
    dictionary: &Dictionary,
) -> Option<(FieldNumber, ValueId)> {
    let group = first_filled(&value.group_id, &value.group)?;
    let label = first_filled(&value.group, &value.group_id)?;
    let field = dictionary.field(&kind(clipped(group).to_owned()), clipped(label));
    let id = first_filled(&value.id, &value.value)?;
    let text = first_filled(&value.value, &value.id)?;
    Some((
        field,
        dictionary.value(field, clipped_value(id, text, true)),
    ))
}

fn first_filled<'a>(one: &'a str, other: &'a str) -> Option<&'a str> {
    [one.trim(), other.trim()]
        .into_iter()
        .find(|text| !text.is_empty())
}

/// A value of a document, its texts clipped to the length that filters accept.
fn clipped_value<'a>(id: &'a str, label: &'a str, certain: bool) -> DocumentValue<'a> {
    DocumentValue {
        id: clipped(id),
        label: clipped(label),
        certain,
    }
}

fn clipped(label: &str) -> &str {
    first_characters(label, LABEL_CHARACTERS_MAX)
}

fn categories(document: &Document, dictionary: &Dictionary) -> Vec<(FieldNumber, ValueId)> {
    let field = dictionary.field(&FilterField::Categories, "");
    let named = document.categories.iter().filter(|c| !c.id.is_empty());
    let named = named.map(|category| clipped_value(&category.id, &category.name, true));
    let above = document.category_ids.iter().zip(ancestor_names(document));
    let above = above.map(|(id, name)| clipped_value(id, name.unwrap_or(id), false));
    let all = named.chain(above);
    all.map(|value| (field, dictionary.value(field, value)))
        .collect()
}
