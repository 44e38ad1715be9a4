//! The numbers and labels of documents by ordinal, in memory beside the index.
//!
//! They change without a commit and are copied on write in chunks, so a snapshot never sees part of a change.

mod by_label;
mod carriers;
mod categories;
mod compaction;
mod dictionary;
mod document_values;
mod encoded_values;
mod ids;
mod interner;
mod labels;
mod numbers;
mod packed;
mod renumbering;
mod shared;
mod view;

pub use dictionary::{Dictionary, DictionaryEntries, FieldNumber, ValueId};
pub use document_values::{DocumentValue, ValueField, each_value, name_key};
pub use encoded_values::EncodedValues;
pub use numbers::NumberRow;
pub use view::{Seen, View};

use carriers::{Carriers, fields_of};
use domain::document::Document;
use ids::Ids;
use labels::LabelChunk;
use numbers::{CHUNK_ROWS, NumberChunk};
use shared::SharedDictionaries;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The columns of one index: a cheap handle on an immutable state.
///
/// Numbers and labels are separate, because prices and stock change often and then no label is copied.
#[derive(Clone, Default)]
pub struct Columns {
    numbers: Vec<Arc<NumberChunk>>,
    /// Shared as a whole, because most changes concern no label.
    labels: Arc<Vec<Arc<LabelChunk>>>,
    carriers: Arc<Carriers>,
    ids: Ids,
    /// A lower bound of the bytes of interned entries in use.
    in_use: usize,
    shared: Arc<SharedDictionaries>,
}

/// The change of one row.
#[derive(Clone, Copy)]
pub struct RowChange<'a> {
    /// Ordinal of the document.
    pub ordinal: u32,
    /// The new document; none when it was deleted.
    pub document: Option<&'a Document>,
    /// Whether anything other than numbers changed.
    pub labels_changed: bool,
}

/// The changes of one chunk by row.
type ChunkChanges<'a> = BTreeMap<usize, RowChange<'a>>;

impl Columns {
    /// The numbers of a document; none when it is not in the index.
    pub fn numbers(&self, ordinal: u32) -> Option<&NumberRow> {
        let (chunk, at) = chunk_row(ordinal);
        let row = &self.numbers.get(chunk)?.rows[at];
        row.present().then_some(row)
    }

    /// Id of a document in the shop.
    pub fn id(&self, ordinal: u32) -> &str {
        self.labels(ordinal)
            .map_or("", |(labels, at)| labels.id(at))
    }

    /// The ordinal of the document with the id `id`; none when it is not in the index.
    pub fn ordinal(&self, id: &str) -> Option<u32> {
        let mut candidates = self.ids.candidates(id);
        candidates.find(|ordinal| self.numbers(*ordinal).is_some() && self.id(*ordinal) == id)
    }

    /// Sort key of a document's name.
    pub fn name_key(&self, ordinal: u32) -> &str {
        self.labels(ordinal)
            .map_or("", |(labels, at)| labels.name_key(at))
    }

    /// The values of a document.
    pub fn values(&self, ordinal: u32) -> EncodedValues<'_> {
        self.labels(ordinal)
            .map_or_else(EncodedValues::default, |(labels, at)| labels.values(at))
    }

    /// The fields and values that documents have.
    pub fn dictionary(&self) -> &Dictionary {
        &self.shared.dictionary
    }

    /// Number of documents with a value in a field.
    pub fn carriers(&self, field: FieldNumber) -> u32 {
        self.carriers.of_all(field)
    }

    /// Returns the columns after `changes`, at most one per ordinal.
    #[must_use]
    pub fn with<'a>(&self, changes: impl IntoIterator<Item = RowChange<'a>>) -> Self {
        let mut next = self.clone();
        let held = self.shared.bytes();
        let mut by_chunk: BTreeMap<usize, ChunkChanges<'a>> = BTreeMap::new();
        for change in changes {
            let (chunk, at) = chunk_row(change.ordinal);
            by_chunk.entry(chunk).or_default().insert(at, change);
        }
        if let Some((last, _)) = by_chunk.last_key_value()
            && next.numbers.len() <= *last
        {
            next.numbers.resize(last + 1, numbers::empty());
            Arc::make_mut(&mut next.labels).resize(last + 1, Arc::default());
        }
        let mut released = 0;
        for (chunk, rows) in by_chunk {
            released += next.change_numbers(chunk, &rows);
            let never_written = |at: &usize| next.labels[chunk].id(*at).is_empty();
            if rows
                .iter()
                .any(|(at, row)| row.labels_changed || never_written(at))
            {
                released += next.change_labels(chunk, &rows);
            }
        }
        // A new entry is in use. A released entry is counted as unused even if other rows still refer to it.
        let held_now = next.shared.bytes();
        next.in_use = (next.in_use + held_now).saturating_sub(held + released);
        next
    }

    /// Changes the numbers of rows; returns the approximate bytes of entries that they no longer refer to.
    fn change_numbers(&mut self, chunk: usize, rows: &ChunkChanges<'_>) -> usize {
        let carriers = Arc::make_mut(&mut self.carriers);
        let before = Arc::clone(&self.numbers[chunk]);
        let own = Arc::make_mut(&mut self.numbers[chunk]);
        for at in rows.keys() {
            let row = &before.rows[*at];
            carriers.remove(row.groups, fields_of(row));
        }
        let changes = rows.iter().map(|(at, row)| (*at, row.document));
        own.change(changes, &self.shared);
        for at in rows.keys() {
            let (former, row) = (before.rows[*at].groups, &own.rows[*at]);
            carriers.add(row.groups, fields_of(row));
            if row.groups != former {
                // Its values are kept, and are counted for the new group set.
                let values = self.labels[chunk].values(*at);
                carriers.remove(former, values.fields());
                carriers.add(row.groups, values.fields());
            }
        }
        let released = rows
            .keys()
            .map(|at| before.released(own, *at, &self.shared));
        let released = released.sum();
        let gone = rows.values().any(|row| row.document.is_none());
        if gone && own.has_no_documents() {
            self.numbers[chunk] = numbers::empty();
        }
        released
    }

    /// Changes the labels of rows; returns the approximate bytes of entries that they no longer refer to.
    fn change_labels(&mut self, chunk: usize, rows: &ChunkChanges<'_>) -> usize {
        let changes = rows.iter().map(|(at, row)| (*at, row.document));
        let changed = self.labels[chunk].with(changes, &self.shared);
        let carriers = Arc::make_mut(&mut self.carriers);
        let mut released = 0;
        for (at, row) in rows {
            let (own, next) = (self.labels[chunk].values(*at), changed.values(*at));
            released += self.shared.dictionary.released(own, next);
            let set = self.numbers[chunk].rows[*at].groups;
            carriers.remove(set, own.fields());
            carriers.add(set, next.fields());
            let (before, after) = (self.labels[chunk].id(*at), changed.id(*at));
            self.ids.change(row.ordinal, before, after);
        }
        Arc::make_mut(&mut self.labels)[chunk] = Arc::new(changed);
        released
    }

    fn labels(&self, ordinal: u32) -> Option<(&LabelChunk, usize)> {
        let (chunk, at) = chunk_row(ordinal);
        self.labels.get(chunk).map(|labels| (labels.as_ref(), at))
    }
}

fn chunk_row(ordinal: u32) -> (usize, usize) {
    let ordinal = ordinal as usize;
    (ordinal / CHUNK_ROWS, ordinal % CHUNK_ROWS)
}

#[cfg(test)]
mod tests;
