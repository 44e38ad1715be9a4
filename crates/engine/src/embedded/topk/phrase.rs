//! Phrase matches: whether a name or a tag contains all words of a query at the same distances.

use crate::EngineError;
use crate::embedded::expand::resolve::Resolved;
use crate::embedded::postings::phrase_field::PhraseField;
use crate::embedded::postings::segment::SegmentView;
use crate::embedded::write::schema::has_positions;
use domain::relevance::field::FieldId;
use query::Plan;
use tantivy::DocId;

/// The phrase of a plan in one segment.
pub struct SegmentPhrase {
    fields: Vec<PhraseField>,
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
            && resolved.words.iter().all(|word| word.meaning.documents > 0);
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
