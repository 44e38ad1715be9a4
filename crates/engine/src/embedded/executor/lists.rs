//! The posting lists of one segment that a plan needs: by which a word matches, and by which it scores.

use super::cursor::Cursor;
use crate::EngineError;
use domain::relevance::field::FieldId;
use query::breakdown::MatchKind;
use std::sync::Arc;
use tantivy::InvertedIndexReader;
use tantivy::postings::TermInfo;
use tantivy::schema::IndexRecordOption;

/// What a document in a list scores.
#[derive(Clone, Copy, Debug)]
pub enum Weight {
    /// This, times the weight of frequency and length in the list's field.
    ByFrequency(f64),
    /// This, whatever the frequency.
    Fixed(f64),
}

/// A posting list that scores.
pub struct ScoreList {
    /// Its field.
    pub field: FieldId,
    /// What its documents score.
    pub weight: Weight,
    /// How the word met its term.
    pub kind: MatchKind,
    /// Letters between the word and its term.
    pub distance: u32,
    /// What is shown as matched.
    pub matched: Arc<str>,
    /// Where it stands.
    pub place: Place,
}

/// A posting list by which a word matches.
pub struct MatchList {
    /// Number of the field in which it matches, for counting within one field.
    pub group: usize,
    /// Whether a document in it counts as holding the word exactly.
    pub covers: bool,
    /// Whether a document in it is found whatever the minimum match: it has the code.
    pub admits: bool,
    /// Where it stands.
    pub place: Place,
}

/// A posting list that is not opened yet.
#[derive(Clone)]
pub struct Place {
    reader: Arc<InvertedIndexReader>,
    info: TermInfo,
}

impl Place {
    /// The list that `info` names.
    pub fn new(reader: &Arc<InvertedIndexReader>, info: &TermInfo) -> Self {
        Self {
            reader: Arc::clone(reader),
            info: info.clone(),
        }
    }

    /// Opens the list, with frequencies where the field has them.
    pub fn open(&self) -> Result<Cursor, EngineError> {
        self.reader
            .read_block_postings_from_terminfo(&self.info, IndexRecordOption::WithFreqs)
            .map(Cursor::new)
            .map_err(EngineError::during("read postings"))
    }
}

/// The lists of one field, or of the name with its beginnings, which count as one.
pub struct Group {
    /// The field.
    pub field: FieldId,
    /// Its lists.
    pub lists: Vec<ScoreList>,
}

/// The lists of one word.
#[derive(Default)]
pub struct WordLists {
    /// By which it matches.
    pub matching: Vec<MatchList>,
    /// By which it scores, by field.
    pub groups: Vec<Group>,
}
