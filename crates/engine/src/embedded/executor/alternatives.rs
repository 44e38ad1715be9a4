//! Alternatives of a word that weigh little: they have a list in every field only when a document that may rank holds
//! them, which is seldom.

use super::super::scale::Scale;
use super::super::segment::SegmentView;
use super::expansion::FuzzyTerm;
use super::posting_sources::{ScoringPostings, Weight};
use super::scoring_cursor::ScoringCursor;
use crate::EngineError;
use domain::relevance::field::FieldId;
use query::breakdown::WordMatchKind;
use query::scoring::saturation;
use std::sync::Arc;

/// What a match of a word itself scores, times frequency, in the text fields that are searched.
pub type Units = [(FieldId, f64)];

/// An alternative of a word.
pub struct WordAlternative {
    /// Its number among the alternatives of the word.
    pub number: usize,
    term: Arc<str>,
    weight: f64,
    kind: WordMatchKind,
    distance: u32,
}

impl WordAlternative {
    /// Alternative `number`, which weighs so much beside the word itself.
    pub fn new(number: usize, term: &FuzzyTerm, weight: f64) -> Self {
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

    /// Its lists in those fields of `segment` in which the word itself gives one of `units`.
    pub fn lists<S: Scale>(
        &self,
        segment: &SegmentView,
        units: &Units,
    ) -> Result<Vec<ScoringPostings>, EngineError> {
        let places = segment.near_places().of::<S>(segment, &self.term)?;
        let searched = places.iter().filter_map(|(field, place)| {
            let own = units.iter().find(|(of, _)| of == field);
            own.map(|(_, unit)| (*field, *unit, place))
        });
        let lists = searched.map(|(field, unit, place)| ScoringPostings {
            field,
            weight: self.by_frequency(field, unit),
            kind: self.kind,
            distance: self.distance,
            matched: Arc::clone(&self.term),
            alternative: Some(self.number),
            is_within: false,
            place: place.clone(),
        });
        Ok(lists.collect())
    }

    fn by_frequency(&self, field: FieldId, unit: f64) -> Weight {
        Weight::alike(unit * self.weight, saturation(field.kind()).k1 + 1.0)
    }
}

/// An alternative of a word with its lists in one segment.
pub struct AlternativePostings {
    near: WordAlternative,
    /// One for each field that holds it; none while no document wanted them.
    lists: Option<Vec<ScoringCursor>>,
}

impl AlternativePostings {
    /// Those of `near`, which nothing wanted yet.
    pub fn new(near: WordAlternative) -> Self {
        Self { near, lists: None }
    }

    /// Its number among the alternatives of the word.
    pub fn number(&self) -> usize {
        self.near.number
    }

    /// Makes the lists where they are not made yet.
    pub fn make<S: Scale>(
        &mut self,
        segment: &SegmentView,
        units: &Units,
    ) -> Result<(), EngineError> {
        if self.lists.is_none() {
            let lists = self.near.lists::<S>(segment, units)?;
            self.lists = Some(lists.into_iter().map(ScoringCursor::new).collect());
        }
        Ok(())
    }

    /// Its list in `field`, once they are made.
    pub fn in_field(&mut self, field: FieldId) -> Option<&mut ScoringCursor> {
        let lists = self.lists.as_deref_mut().unwrap_or_default();
        lists.iter_mut().find(|own| own.list.field == field)
    }

    /// Its lists, once they are made.
    pub fn all(&mut self) -> impl Iterator<Item = &mut ScoringCursor> {
        self.lists.iter_mut().flatten()
    }

    /// Makes its lists ready for documents that come before those that were asked for last.
    pub fn close(&mut self) {
        let lists = self.lists.as_deref_mut().unwrap_or_default();
        lists.iter_mut().for_each(ScoringCursor::close);
    }
}
