//! Alternatives of a word that weigh little: they have a list in every field only when a document that may rank holds
//! them, which is seldom.

use super::super::segment::SegmentView;
use super::expansion::NearTerm;
use super::lists::{Place, ScoreList, Weight};
use domain::relevance::field::FieldId;
use query::breakdown::MatchKind;
use query::scoring::saturation;
use std::sync::Arc;

/// An alternative of a word.
pub struct Near {
    /// Its number among the alternatives of the word.
    pub number: usize,
    term: Arc<str>,
    weight: f64,
    kind: MatchKind,
    distance: u32,
}

impl Near {
    /// Alternative `number`, which weighs so much beside the word itself.
    pub fn new(number: usize, term: &NearTerm, weight: f64) -> Self {
        Self {
            number,
            term: Arc::clone(&term.term),
            weight,
            kind: term.kind(),
            distance: term.distance,
        }
    }

    /// The most that it gives in `field`, where the word itself gives `unit`.
    pub fn most(&self, field: FieldId, unit: f64) -> f64 {
        self.by_frequency(field, unit).most()
    }

    /// Its list in `field` of `segment`, where the word itself gives `unit`; none where the segment has no such field.
    pub fn list(&self, segment: &SegmentView, field: FieldId, unit: f64) -> Option<ScoreList> {
        let reader = segment.terms(field)?;
        Some(ScoreList {
            field,
            weight: self.by_frequency(field, unit),
            kind: self.kind,
            distance: self.distance,
            matched: Arc::clone(&self.term),
            alternative: Some(self.number),
            is_within: false,
            place: Place::of_term(reader, &self.term),
        })
    }

    fn by_frequency(&self, field: FieldId, unit: f64) -> Weight {
        Weight::ByFrequency {
            unit: unit * self.weight,
            peak: saturation(field.kind()).k1 + 1.0,
        }
    }
}
