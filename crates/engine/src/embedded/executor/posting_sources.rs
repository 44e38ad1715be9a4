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

/// What a document in a list scores.
#[derive(Clone, Copy, Debug)]
pub enum Weight {
    /// A unit, times the weight of frequency and length in the list's field: `alone` for documents that hold the term
    /// alone, `unit` for all others; together at most `most`.
    ByFrequency { unit: f64, alone: f64, most: f64 },
    /// This, whatever the frequency.
    Fixed(f64),
}

impl Weight {
    /// The same `unit` for all documents of a list in which frequency and length weigh `peak` at most.
    pub fn alike(unit: f64, peak: f64) -> Self {
        Self::ByFrequency {
            unit,
            alone: unit,
            most: unit * peak,
        }
    }

    /// The most that any document scores.
    pub fn most(self) -> f64 {
        match self {
            Self::ByFrequency { most, .. } => most,
            Self::Fixed(score) => score,
        }
    }
}

/// A posting list that scores.
pub struct ScoringPostings {
    /// Its field.
    pub field: FieldId,
    /// What its documents score.
    pub weight: Weight,
    /// How the word met its term.
    pub kind: WordMatchKind,
    /// Letters between the word and its term.
    pub distance: u32,
    /// What is shown as matched.
    pub matched: Arc<str>,
    /// Number of the alternative by typo in texts that the term is; none for any other term.
    pub alternative: Option<usize>,
    /// Whether each of its documents is in another list of its field too: the form of a word beside its stem.
    pub is_within: bool,
    /// Where it stands.
    pub place: PostingSource,
}

/// A posting list by which a word matches.
pub struct MatchingPostings {
    /// Number of the field in which it matches, for counting within one field.
    pub group: usize,
    /// Whether a document in it counts as holding the word exactly.
    pub covers: bool,
    /// Whether a document in it is found whatever the minimum match: it has the code.
    pub admits: bool,
    /// Number of the alternative by typo in texts that the term is; none for any other term.
    pub alternative: Option<usize>,
    /// Where it stands.
    pub place: PostingSource,
}

/// A list that is not opened yet.
#[derive(Clone)]
pub enum PostingSource {
    /// A posting list.
    Known(Arc<InvertedIndexReader>, TermInfo),
    /// One that was read before.
    Short(Arc<Postings>),
    /// Documents that were found before, in order.
    Documents(Arc<[DocId]>),
}

impl PostingSource {
    /// The list that `info` names.
    pub fn new(reader: &Arc<InvertedIndexReader>, info: &TermInfo) -> Self {
        Self::Known(Arc::clone(reader), info.clone())
    }

    /// Bytes of memory that it alone holds, beside its own size.
    pub fn bytes(&self) -> usize {
        match self {
            Self::Known(..) => 0,
            Self::Short(postings) => size_of::<Postings>() + postings.bytes(),
            Self::Documents(documents) => size_of_val(&**documents),
        }
    }

    /// Opens the list, with frequencies where the field has them.
    pub fn open(&self) -> Result<Cursor, EngineError> {
        let blocks = match self {
            Self::Known(reader, info) => return open(reader, info),
            Self::Short(postings) => Blocks::Short(Arc::clone(postings), false),
            Self::Documents(documents) => Blocks::Documents(Arc::clone(documents), false),
        };
        Ok(Cursor::new(blocks))
    }
}

/// Opens the list that `info` names, with frequencies where the field has them.
pub fn open(reader: &InvertedIndexReader, info: &TermInfo) -> Result<Cursor, EngineError> {
    reader
        .read_block_postings_from_terminfo(info, IndexRecordOption::WithFreqs)
        .map(|postings| Cursor::new(Blocks::Stored(Box::new(postings))))
        .map_err(EngineError::during("read postings"))
}

/// Where a term stands in a text field, with what reads it there.
pub type TextPostings<'a> = (FieldId, &'a Arc<InvertedIndexReader>, TermInfo);

/// Where `term` stands in the text fields of `segment`, by field.
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

/// The lists of one field, or of the name with its beginnings, which count as one.
pub struct FieldPostings {
    /// The field.
    pub field: FieldId,
    /// What a match of the word itself scores in it, times frequency; 0 where its texts are not searched.
    pub unit: f64,
    /// Its lists.
    pub lists: Vec<ScoringPostings>,
}

/// The lists of one word.
#[derive(Default)]
pub struct WordPostings {
    /// By which it matches.
    pub matching: Vec<MatchingPostings>,
    /// By which it scores, by field.
    pub groups: Vec<FieldPostings>,
    /// Alternatives that weigh as much as a word that exists, and so are looked at like one.
    pub leading: Vec<usize>,
    /// The others, which have no lists among those of the groups.
    pub near: Vec<WordAlternative>,
}

/// What a match of a word itself scores in each text field that is searched, by its `groups`.
pub fn units(groups: &[FieldPostings]) -> Box<Units> {
    let texts = groups.iter().filter(|group| group.unit > 0.0);
    texts.map(|group| (group.field, group.unit)).collect()
}
