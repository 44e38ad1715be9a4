//! The labels of documents, which change only with their texts: id, name to sort by, values of facets.

use super::Shared;
use super::categories::ancestor_name;
use super::dictionary::{Dictionary, FieldNumber, Stated, ValueId};
use super::own_values::{OwnValues, written};
use super::packed::{PackedLists, PackedTexts};
use domain::document::{Document, GroupValue};
use domain::search::FilterField;
use query::analysis::{fold, plain_text};

/// The labels of one document.
#[derive(Clone, Debug, Default)]
struct LabelRow {
    /// Its id.
    id: String,
    /// What it is sorted by when names decide.
    name_key: String,
    /// Its values, as [`written`].
    values: Vec<u32>,
}

impl LabelRow {
    fn new(document: &Document, shared: &Shared) -> Self {
        Self {
            id: document.id.clone(),
            name_key: fold(&plain_text(&document.texts.name)),
            values: written(values(document, &shared.dictionary)),
        }
    }
}

/// The labels of some documents that follow each other.
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

    /// What a document is sorted by when names decide.
    pub fn name_key(&self, at: usize) -> &str {
        self.names.get(at)
    }

    /// The values of a document.
    pub fn values(&self, at: usize) -> OwnValues<'_> {
        OwnValues::of(self.values.get(at))
    }

    /// The chunk after `changes`, which are in the order of their places.
    pub fn with<'a>(
        &self,
        changes: impl Iterator<Item = (usize, Option<&'a Document>)>,
        shared: &Shared,
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

    fn push(&mut self, row: &LabelRow) {
        self.ids.push(&row.id);
        self.names.push(&row.name_key);
        self.values.push(&row.values);
    }

    /// Takes over the rows of `other` up to, and without, the row `end`.
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
            let value = dictionary.value(field, stated(id.unwrap_or(text), text));
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
    let field = dictionary.field(&kind(group.to_owned()), label);
    let id = first_filled(&value.id, &value.value)?;
    let text = first_filled(&value.value, &value.id)?;
    Some((field, dictionary.value(field, stated(id, text))))
}

fn first_filled<'a>(one: &'a str, other: &'a str) -> Option<&'a str> {
    [one.trim(), other.trim()]
        .into_iter()
        .find(|text| !text.is_empty())
}

fn stated<'a>(id: &'a str, label: &'a str) -> Stated<'a> {
    Stated {
        id,
        label,
        certain: true,
    }
}

fn categories(document: &Document, dictionary: &Dictionary) -> Vec<(FieldNumber, ValueId)> {
    let field = dictionary.field(&FilterField::Categories, "");
    let named = document.categories.iter().filter(|c| !c.id.is_empty());
    let named = named.map(|category| stated(&category.id, &category.name));
    let above = document.category_ids.iter().map(|id| Stated {
        id,
        label: ancestor_name(id, document).unwrap_or(id),
        certain: false,
    });
    let all = named.chain(above);
    all.map(|value| (field, dictionary.value(field, value)))
        .collect()
}
