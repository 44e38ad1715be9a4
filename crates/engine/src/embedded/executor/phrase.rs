//! Phrase matches: whether a name or a tag contains all words of a query at the same distances.

use super::super::schema::has_positions;
use super::super::segment::SegmentView;
use super::resolve::{Resolved, term};
use crate::EngineError;
use domain::relevance::field::FieldId;
use query::Plan;
use tantivy::postings::{Postings, SegmentPostings};
use tantivy::schema::IndexRecordOption;
use tantivy::{DocId, DocSet, TERMINATED};

/// The phrase of a plan in one segment.
pub struct SegmentPhrase {
    fields: Vec<PhraseField>,
}

/// A phrase in one field of a segment.
pub struct PhraseField {
    field: FieldId,
    words: Vec<(SegmentPostings, u32)>,
}

impl SegmentPhrase {
    /// Returns the phrase of `plan`; without fields if the plan has none or no document of the segment can contain it.
    pub fn new(
        segment: &SegmentView,
        plan: &Plan,
        resolved: &Resolved,
    ) -> Result<Self, EngineError> {
        let mut fields = Vec::new();
        let possible = plan.words.len() > 1
            && plan.phrase_boost > 0.0
            && resolved.words.iter().all(|word| word.documents > 0);
        if possible {
            for field in FieldId::texts().filter(|f| has_positions(*f) && plan.searches(*f)) {
                let words = plan.words.iter();
                let words = words.map(|word| (word.stem.as_str(), word.position));
                fields.extend(PhraseField::new(segment, field, words)?);
            }
        }
        Ok(Self { fields })
    }

    /// Whether no document of the segment can contain the phrase.
    pub fn is_impossible(&self) -> bool {
        self.fields.is_empty()
    }

    /// Returns the first field of `document` that contains the phrase. Documents must not decrease between calls.
    pub fn field_in(&mut self, document: DocId) -> Option<FieldId> {
        self.fields
            .iter_mut()
            .find_map(|field| field.holds(document).then_some(field.field))
    }
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
