//! Where the posting lists of a segment are stored, and how they are opened.

use super::cursor::Cursor;
use super::posting_blocks::{Blocks, Postings};
use super::segment::SegmentView;
use crate::EngineError;
use domain::relevance::field::FieldId;
use std::sync::Arc;
use tantivy::postings::TermInfo;
use tantivy::schema::IndexRecordOption;
use tantivy::{DocId, InvertedIndexReader};

/// A posting list that is not opened yet.
#[derive(Clone)]
pub enum PostingSource {
    /// A list in the index.
    Indexed(Arc<InvertedIndexReader>, TermInfo),
    /// A short list that is cached.
    Cached(Arc<Postings>),
    /// Sorted documents without frequencies.
    Documents(Arc<[DocId]>),
}

impl PostingSource {
    /// Returns the list that `info` names.
    pub fn new(reader: &Arc<InvertedIndexReader>, info: &TermInfo) -> Self {
        Self::Indexed(Arc::clone(reader), info.clone())
    }

    /// Returns the heap size in bytes, without what is shared with the index.
    pub fn bytes(&self) -> usize {
        match self {
            Self::Indexed(..) => 0,
            Self::Cached(postings) => size_of::<Postings>() + postings.bytes(),
            Self::Documents(documents) => size_of_val(&**documents),
        }
    }

    /// Opens the list, with frequencies if the field has them.
    pub fn open(&self) -> Result<Cursor, EngineError> {
        let blocks = match self {
            Self::Indexed(reader, info) => return open(reader, info),
            Self::Cached(postings) => Blocks::Short(Arc::clone(postings), false),
            Self::Documents(documents) => Blocks::Documents(Arc::clone(documents), false),
        };
        Ok(Cursor::new(blocks))
    }
}

/// Opens the list that `info` names, with frequencies if the field has them.
pub fn open(reader: &InvertedIndexReader, info: &TermInfo) -> Result<Cursor, EngineError> {
    reader
        .read_block_postings_from_terminfo(info, IndexRecordOption::WithFreqs)
        .map(|postings| Cursor::new(Blocks::Stored(Box::new(postings))))
        .map_err(EngineError::during("read postings"))
}

/// A text field that contains a term, the reader of the field, and the posting list of the term.
pub type TextPostings<'a> = (FieldId, &'a Arc<InvertedIndexReader>, TermInfo);

/// Returns the posting lists of `term` in the text fields of `segment`.
pub fn in_texts<'a>(
    segment: &'a SegmentView,
    term: &str,
) -> Result<Vec<TextPostings<'a>>, EngineError> {
    let mut found = Vec::new();
    for field in FieldId::texts() {
        let Some(reader) = segment.terms(field) else {
            continue;
        };
        let info = reader.terms().get(term);
        if let Some(info) = info.map_err(EngineError::during("look up a term"))? {
            found.push((field, reader, info));
        }
    }
    Ok(found)
}
