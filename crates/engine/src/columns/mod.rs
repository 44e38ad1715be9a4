//! The numbers and labels of documents, beside the index, by ordinal.
//!
//! They change without a commit and are copied on write in chunks, so a snapshot never sees half of a change.

mod dictionary;
mod packed;
mod row;

pub use dictionary::{Dictionary, ValueId};
pub use row::{NumberRow, Row};

use domain::document::Document;
use domain::document::price::PriceContext;
use packed::{PackedLists, PackedTexts};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Rows of one chunk.
const CHUNK_ROWS: usize = 1024;

/// The columns of one index: a cheap handle on an immutable state.
#[derive(Clone, Default)]
pub struct Columns {
    chunks: Vec<Arc<Chunk>>,
    dictionary: Arc<Dictionary>,
}

#[derive(Clone, Default)]
struct Chunk {
    numbers: Vec<NumberRow>,
    ids: PackedTexts,
    names: PackedTexts,
    categories: PackedLists,
}

impl Columns {
    /// The numbers of a document; none when the index holds no such document.
    pub fn numbers(&self, ordinal: u32) -> Option<&NumberRow> {
        let (chunk, at) = self.place(ordinal)?;
        chunk.numbers.get(at).filter(|row| row.present())
    }

    /// Id of a document, as the shop gave it.
    pub fn id(&self, ordinal: u32) -> &str {
        self.place(ordinal)
            .map_or("", |(chunk, at)| chunk.ids.get(at))
    }

    /// What a document is sorted by when names decide.
    pub fn name_key(&self, ordinal: u32) -> &str {
        self.place(ordinal)
            .map_or("", |(chunk, at)| chunk.names.get(at))
    }

    /// Categories of a document and all their ancestors.
    pub fn categories(&self, ordinal: u32) -> &[ValueId] {
        self.place(ordinal)
            .map_or(&[], |(chunk, at)| chunk.categories.get(at))
    }

    /// The labels of brands, categories and currencies.
    pub fn dictionary(&self) -> &Dictionary {
        &self.dictionary
    }

    /// The columns after `changes`: by ordinal, the document that is there now, or none.
    #[must_use]
    pub fn with(&self, changes: BTreeMap<u32, Option<&Document>>) -> Self {
        let mut next = self.clone();
        let mut by_chunk: BTreeMap<usize, Vec<(usize, Option<&Document>)>> = BTreeMap::new();
        for (ordinal, document) in changes {
            let ordinal = ordinal as usize;
            by_chunk
                .entry(ordinal / CHUNK_ROWS)
                .or_default()
                .push((ordinal % CHUNK_ROWS, document));
        }
        if let Some((last, _)) = by_chunk.last_key_value()
            && next.chunks.len() <= *last
        {
            next.chunks.resize_with(last + 1, Arc::default);
        }
        for (at, rows) in by_chunk {
            next.chunks[at] = Arc::new(next.chunks[at].with(rows, &self.dictionary));
        }
        next
    }

    fn place(&self, ordinal: u32) -> Option<(&Chunk, usize)> {
        let ordinal = ordinal as usize;
        let chunk = self.chunks.get(ordinal / CHUNK_ROWS)?;
        Some((chunk, ordinal % CHUNK_ROWS))
    }
}

impl Chunk {
    fn with(&self, changes: Vec<(usize, Option<&Document>)>, dictionary: &Dictionary) -> Self {
        let rows = changes
            .iter()
            .map(|(at, _)| at + 1)
            .max()
            .unwrap_or(0)
            .max(self.numbers.len());
        let mut changes = changes.into_iter().peekable();
        let mut next = Self::default();
        for at in 0..rows {
            match changes.next_if(|(changed, _)| *changed == at) {
                Some((_, Some(document))) => {
                    next.push(&Row::new(document, &PriceContext::default(), dictionary));
                }
                Some((_, None)) => next.push(&Row::default()),
                None => next.push_from(self, at),
            }
        }
        next
    }

    fn push(&mut self, row: &Row) {
        self.numbers.push(row.numbers);
        self.ids.push(&row.id);
        self.names.push(&row.name_key);
        self.categories.push(&row.categories);
    }

    fn push_from(&mut self, other: &Self, at: usize) {
        self.numbers
            .push(other.numbers.get(at).copied().unwrap_or_default());
        self.ids.push(other.ids.get(at));
        self.names.push(other.names.get(at));
        self.categories.push(other.categories.get(at));
    }
}

#[cfg(test)]
mod tests;
