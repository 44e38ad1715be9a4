//! Phrases by positions: whether a field of a document contains several words at given distances.
//!
//! An intersection of positional postings (Manning, Raghavan & Schütze, "Introduction to Information Retrieval",
//! 2008, section 2.4.2).

use super::lookups::term;
use super::segment::SegmentView;
use crate::EngineError;
use domain::relevance::field::FieldId;
use tantivy::postings::{Postings, SegmentPostings};
use tantivy::schema::IndexRecordOption;
use tantivy::{DocId, DocSet, TERMINATED};

/// A phrase in one field of a segment.
pub struct PhraseField {
    /// The field.
    pub field: FieldId,
    words: Vec<(SegmentPostings, u32)>,
}

impl PhraseField {
    /// Opens the stems of `words` at their positions; none if one of them is not in the field.
    pub fn new<'a>(
        segment: &SegmentView,
        field: FieldId,
        words: impl Iterator<Item = (&'a str, u32)>,
    ) -> Result<Option<Self>, EngineError> {
        let Some(reader) = segment.terms(field) else {
            return Ok(None);
        };
        let mut all = Vec::new();
        for (stem, position) in words {
            let Some(info) = term(segment, field, stem)? else {
                return Ok(None);
            };
            let postings = reader
                .read_postings_from_terminfo(&info, IndexRecordOption::WithFreqsAndPositions)
                .map_err(EngineError::during("read positions"))?;
            all.push((postings, position));
        }
        Ok(Some(Self { field, words: all }))
    }

    /// Whether `document` contains the phrase. Documents must not decrease between calls.
    pub fn holds(&mut self, document: DocId) -> bool {
        for (postings, _) in &mut self.words {
            if postings.doc() < document {
                postings.seek(document);
            }
            if postings.doc() == TERMINATED || postings.doc() != document {
                return false;
            }
        }
        let mut starts: Vec<i64> = Vec::new();
        let mut positions = Vec::new();
        for (at, (postings, position)) in self.words.iter_mut().enumerate() {
            positions.clear();
            postings.positions(&mut positions);
            let own = positions
                .iter()
                .map(|held| i64::from(*held) - i64::from(*position));
            if at == 0 {
                starts = own.collect();
            } else {
                let own: Vec<i64> = own.collect();
                starts.retain(|start| own.contains(start));
            }
            if starts.is_empty() {
                return false;
            }
        }
        true
    }
}
