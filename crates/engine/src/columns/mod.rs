//! The numbers and labels of documents, beside the index, by ordinal.
//!
//! They change without a commit and are copied on write in chunks, so a snapshot never sees half of a change.

mod dictionary;
mod packed;
mod row;

pub use dictionary::{Dictionary, ValueId};
pub use row::NumberRow;

use domain::document::Document;
use domain::document::price::PriceContext;
use packed::{PackedLists, PackedTexts};
use row::LabelRow;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Rows of one chunk.
const CHUNK_ROWS: usize = 1024;

/// The columns of one index: a cheap handle on an immutable state.
///
/// Numbers and labels lie apart: prices and stock change all day, and then no label is copied.
#[derive(Clone, Default)]
pub struct Columns {
    numbers: Vec<Arc<[NumberRow]>>,
    labels: Vec<Arc<Labels>>,
    dictionary: Arc<Dictionary>,
}

/// What became of one row.
#[derive(Clone, Copy)]
pub struct RowChange<'a> {
    /// Number of the document.
    pub ordinal: u32,
    /// What is there now; none when it was deleted.
    pub document: Option<&'a Document>,
    /// Whether anything but numbers changed.
    pub labels_changed: bool,
}

#[derive(Clone, Default)]
struct Labels {
    ids: PackedTexts,
    names: PackedTexts,
    categories: PackedLists,
}

impl Columns {
    /// The numbers of a document; none when the index holds no such document.
    pub fn numbers(&self, ordinal: u32) -> Option<&NumberRow> {
        let (chunk, at) = place(ordinal);
        self.numbers.get(chunk)?.get(at).filter(|row| row.present())
    }

    /// Id of a document, as the shop gave it.
    pub fn id(&self, ordinal: u32) -> &str {
        self.labels(ordinal)
            .map_or("", |(labels, at)| labels.ids.get(at))
    }

    /// What a document is sorted by when names decide.
    pub fn name_key(&self, ordinal: u32) -> &str {
        self.labels(ordinal)
            .map_or("", |(labels, at)| labels.names.get(at))
    }

    /// Categories of a document and all their ancestors.
    pub fn categories(&self, ordinal: u32) -> &[ValueId] {
        self.labels(ordinal)
            .map_or(&[], |(labels, at)| labels.categories.get(at))
    }

    /// The labels of brands, categories and currencies.
    pub fn dictionary(&self) -> &Dictionary {
        &self.dictionary
    }

    /// The columns after `changes`, of which there is at most one per ordinal.
    #[must_use]
    pub fn with<'a>(&self, changes: impl IntoIterator<Item = RowChange<'a>>) -> Self {
        let mut next = self.clone();
        let mut by_chunk: BTreeMap<usize, BTreeMap<usize, RowChange<'a>>> = BTreeMap::new();
        for change in changes {
            let (chunk, at) = place(change.ordinal);
            by_chunk.entry(chunk).or_default().insert(at, change);
        }
        if let Some((last, _)) = by_chunk.last_key_value()
            && next.numbers.len() <= *last
        {
            next.numbers.resize_with(last + 1, || Arc::from([]));
            next.labels.resize_with(last + 1, Arc::default);
        }
        for (chunk, rows) in by_chunk {
            next.numbers[chunk] = changed_numbers(&next.numbers[chunk], &rows, &next.dictionary);
            if rows
                .iter()
                .any(|(at, row)| row.labels_changed || !next.labels[chunk].has(*at))
            {
                next.labels[chunk] = Arc::new(next.labels[chunk].with(&rows, &next.dictionary));
            }
        }
        next
    }

    fn labels(&self, ordinal: u32) -> Option<(&Labels, usize)> {
        let (chunk, at) = place(ordinal);
        self.labels.get(chunk).map(|labels| (labels.as_ref(), at))
    }
}

fn place(ordinal: u32) -> (usize, usize) {
    let ordinal = ordinal as usize;
    (ordinal / CHUNK_ROWS, ordinal % CHUNK_ROWS)
}

fn changed_numbers(
    numbers: &[NumberRow],
    changes: &BTreeMap<usize, RowChange<'_>>,
    dictionary: &Dictionary,
) -> Arc<[NumberRow]> {
    let mut next = numbers.to_vec();
    for (at, change) in changes {
        if next.len() <= *at {
            next.resize(at + 1, NumberRow::default());
        }
        next[*at] = change.document.map_or_else(NumberRow::default, |document| {
            NumberRow::new(document, &PriceContext::default(), dictionary)
        });
    }
    next.into()
}

impl Labels {
    /// Whether the row was ever written.
    fn has(&self, at: usize) -> bool {
        !self.ids.get(at).is_empty()
    }

    fn with(&self, changes: &BTreeMap<usize, RowChange<'_>>, dictionary: &Dictionary) -> Self {
        let last = changes.last_key_value().map_or(0, |(at, _)| at + 1);
        let mut next = Self::default();
        for at in 0..last.max(self.ids.len()) {
            match changes.get(&at).map(|change| change.document) {
                Some(Some(document)) => next.push(&LabelRow::new(document, dictionary)),
                Some(None) => next.push(&LabelRow::default()),
                None => next.push_from(self, at),
            }
        }
        next
    }

    fn push(&mut self, row: &LabelRow) {
        self.ids.push(&row.id);
        self.names.push(&row.name_key);
        self.categories.push(&row.categories);
    }

    fn push_from(&mut self, other: &Self, at: usize) {
        self.ids.push(other.ids.get(at));
        self.names.push(other.names.get(at));
        self.categories.push(other.categories.get(at));
    }
}

#[cfg(test)]
mod tests;
