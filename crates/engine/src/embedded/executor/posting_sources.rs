//! The posting lists of one segment that a plan needs: by which a word matches, and by which it scores.

use super::super::segment::SegmentView;
use super::alternatives::{Units, WordAlternative};
use super::blocks::{Blocks, Postings};
use super::cursor::Cursor;
use crate::EngineError;
use domain::relevance::field::FieldId;
use query::breakdown::WordMatchKind;
use std::sync::Arc;
use tantivy::postings::TermInfo;
use tantivy::schema::IndexRecordOption;
use tantivy::{DocId, InvertedIndexReader};

/// What a document in a posting list scores.
#[derive(Clone, Copy, Debug)]
pub enum Weight {
    /// BM25: a unit times the weight of term frequency and field length. The unit is `alone` for documents that contain
    /// no other surface form of the term, and `unit` for all others. The score is at most `max_score`.
    ByFrequency {
        unit: f64,
        alone: f64,
        max_score: f64,
    },
    /// A constant score.
    Fixed(f64),
}

impl Weight {
    /// Returns a weight with the same `unit` for all documents, where frequency and length weigh at most `peak`.
    pub fn uniform(unit: f64, peak: f64) -> Self {
        Self::ByFrequency {
            unit,
            alone: unit,
            max_score: unit * peak,
        }
    }

    /// Returns the most that any document scores.
    pub fn max_score(self) -> f64 {
        match self {
            Self::ByFrequency { max_score, .. } => max_score,
            Self::Fixed(score) => score,
        }
    }
}

/// A posting list by which documents score.
pub struct ScoringPostings {
    /// The field of the list.
    pub field: FieldId,
    /// What its documents score.
    pub weight: Weight,
    /// How the word matches the term.
    pub kind: WordMatchKind,
    /// Edit distance between the word and the term.
    pub distance: u32,
    /// The text that is shown as matched.
    pub matched: Arc<str>,
    /// Number of the alternative of the word that the term is; none for any other term.
    pub alternative: Option<usize>,
    /// Whether all its documents are in another list of the field too, as those of a surface form are in the list of
    /// its stem.
    pub is_within: bool,
    /// Where the list is stored.
    pub source: PostingSource,
}

/// A posting list by which a word matches.
pub struct MatchingPostings {
    /// Number of the field in which it matches, for counting within one field.
    pub group: usize,
    /// Whether a document in it counts as containing the word exactly.
    pub covers: bool,
    /// Whether a document in it matches whatever the minimum should match is: it has the code.
    pub admits: bool,
    /// Number of the alternative of the word that the term is; none for any other term.
    pub alternative: Option<usize>,
    /// Where the list is stored.
    pub source: PostingSource,
}

/// A posting list that is not opened yet.
#[derive(Clone)]
pub enum PostingSource {
    /// A list in the index.
    Known(Arc<InvertedIndexReader>, TermInfo),
    /// A short list that is cached.
    Short(Arc<Postings>),
    /// Sorted documents without frequencies.
    Documents(Arc<[DocId]>),
}

impl PostingSource {
    /// Returns the list that `info` names.
    pub fn new(reader: &Arc<InvertedIndexReader>, info: &TermInfo) -> Self {
        Self::Known(Arc::clone(reader), info.clone())
    }

    /// Returns the heap size in bytes, without what is shared with the index.
    pub fn bytes(&self) -> usize {
        match self {
            Self::Known(..) => 0,
            Self::Short(postings) => size_of::<Postings>() + postings.bytes(),
            Self::Documents(documents) => size_of_val(&**documents),
        }
    }

    /// Opens the list, with frequencies if the field has them.
    pub fn open(&self) -> Result<Cursor, EngineError> {
        let blocks = match self {
            Self::Known(reader, info) => return open(reader, info),
            Self::Short(postings) => Blocks::Short(Arc::clone(postings), false),
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

/// The posting lists of one field. Prefixes and substrings of names count as the name.
pub struct FieldPostings {
    /// The field.
    pub field: FieldId,
    /// What a match of the word itself scores in the field, times frequency; 0 if its texts are not searched.
    pub unit: f64,
    /// The lists.
    pub lists: Vec<ScoringPostings>,
}

/// The posting lists of one word.
#[derive(Default)]
pub struct WordPostings {
    /// The lists by which it matches.
    pub matching: Vec<MatchingPostings>,
    /// The lists by which it scores, by field.
    pub groups: Vec<FieldPostings>,
    /// Numbers of the alternatives whose lists are in `groups`, because they weigh as much as a word that exists.
    pub essential: Vec<usize>,
    /// The other alternatives, which have no lists in `groups`.
    pub non_essential: Vec<WordAlternative>,
}

/// Returns what a match of the word itself scores in each searched text field.
pub fn units(groups: &[FieldPostings]) -> Box<Units> {
    let texts = groups.iter().filter(|group| group.unit > 0.0);
    texts.map(|group| (group.field, group.unit)).collect()
}
