//! Phrase matches: whether a name or a tag contains all words of a query at the same distances.

use crate::EngineError;
use crate::embedded::postings::phrase_field::PhraseField;
use crate::embedded::postings::segment::SegmentView;
use domain::relevance::field::FieldId;
use query::Plan;
use query::clauses::PhraseBonus;
use tantivy::DocId;

/// The phrase of a plan in one segment.
pub struct SegmentPhrase {
    fields: Vec<PhraseField>,
}

impl SegmentPhrase {
    /// Returns the words of `plan` as a phrase that earns `bonus`; without fields if none does or no document of the segment
    /// can contain it.
    pub fn new(
        segment: &SegmentView,
        plan: &Plan,
        bonus: Option<&PhraseBonus>,
    ) -> Result<Self, EngineError> {
        let mut fields = Vec::new();
        for field in bonus.iter().flat_map(|bonus| &bonus.fields) {
            let words = plan.counted().iter();
            let words = words.map(|word| (word.stem.as_str(), word.position));
            fields.extend(PhraseField::new(segment, *field, words)?);
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
