//! The values of a document by which it can be filtered, each with its field and its label.

use super::categories::ancestor_names;
use domain::document::{Document, GroupValue};
use domain::first_characters;
use domain::limits::{DOCUMENT_NAME_CHARACTERS_MAX, LABEL_CHARACTERS_MAX};
use domain::search::FilterField;
use query::analysis::{fold, plain_text};

/// A value of a document.
#[derive(Clone, Copy)]
pub struct DocumentValue<'a> {
    /// Its id, or its label if the feed sends no id.
    pub id: &'a str,
    /// Its label.
    pub label: &'a str,
    /// Whether the document states the label itself; else it is derived.
    pub certain: bool,
}

/// The field of a value.
pub enum ValueField<'a> {
    /// A field without a group.
    Fixed(FilterField),
    /// A group of attributes or features.
    Group {
        /// Which of both.
        kind: fn(String) -> FilterField,
        /// The shop's id, or the name.
        id: &'a str,
        /// The name.
        name: &'a str,
    },
}

impl ValueField<'_> {
    /// The field.
    pub fn field(&self) -> FilterField {
        match self {
            Self::Fixed(field) => field.clone(),
            Self::Group { kind, id, .. } => kind((*id).to_owned()),
        }
    }

    /// Name of its group; empty for a field without a group.
    pub fn group(&self) -> &str {
        match self {
            Self::Fixed(_) => "",
            Self::Group { name, .. } => name,
        }
    }
}

/// Calls `found` with every value of `document`.
pub fn each_value<'a>(
    document: &'a Document,
    mut found: impl FnMut(ValueField<'a>, DocumentValue<'a>),
) {
    let named = document.categories.iter().filter(|c| !c.id.is_empty());
    let named = named.map(|category| clipped_value(&category.id, &category.name, true));
    let above = document.category_ids.iter().zip(ancestor_names(document));
    let above = above.map(|(id, name)| clipped_value(id, name.unwrap_or(id), false));
    for value in named.chain(above) {
        found(ValueField::Fixed(FilterField::Categories), value);
    }
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
            let value = clipped_value(id.unwrap_or(text), text, true);
            found(ValueField::Fixed(field), value);
        }
    }
    let attributes = document.attributes.iter();
    let features = document.features.iter();
    let attributes = attributes.map(|value| (FilterField::Attributes as fn(_) -> _, value));
    let features = features.map(|value| (FilterField::Features as fn(_) -> _, value));
    for (kind, value) in attributes.chain(features) {
        if let Some((field, value)) = in_group(kind, value) {
            found(field, value);
        }
    }
}

/// The sort key of a name.
pub fn name_key(name: &str) -> String {
    let name = plain_text(name);
    let mut key = fold(first_characters(&name, DOCUMENT_NAME_CHARACTERS_MAX));
    key.truncate(first_characters(&key, LABEL_CHARACTERS_MAX).len());
    key
}

fn in_group(
    kind: fn(String) -> FilterField,
    value: &GroupValue,
) -> Option<(ValueField<'_>, DocumentValue<'_>)> {
    let group = first_filled(&value.group_id, &value.group)?;
    let label = first_filled(&value.group, &value.group_id)?;
    let id = first_filled(&value.id, &value.value)?;
    let text = first_filled(&value.value, &value.id)?;
    let field = ValueField::Group {
        kind,
        id: clipped(group),
        name: clipped(label),
    };
    Some((field, clipped_value(id, text, true)))
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
