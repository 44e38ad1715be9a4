//! Alternatives of a word with little weight. Their posting lists by field are non-essential (MaxScore: Turtle & Flood
//! 1995): they are read only if a document that may reach the threshold contains the alternative, which is rare.

use super::clauses::{ScoringPostings, Weight};
use super::scoring_cursor::{ScoreSource, ScoringCursor};
use crate::EngineError;
use crate::embedded::scale::Scale;
use domain::relevance::field::FieldId;
use query::clauses::{ClauseTerm, TextField, TextMatch, TextTerm, WordClauses};
use query::scoring::saturation;
use std::sync::Arc;

/// A non-essential alternative of a word.
pub struct WordAlternative<'a> {
    /// Its number among the alternatives of the word.
    pub number: usize,
    /// Index of its clause among those of the word.
    clause: usize,
    term: &'a Arc<str>,
    weight: f64,
    /// The searched text fields.
    texts: &'a [TextField],
}

impl<'a> WordAlternative<'a> {
    /// Returns the alternative to which clause number `at` of a `word` belongs; none if that is no single term.
    pub fn new(word: &'a WordClauses, at: usize) -> Option<Self> {
        let clause = &word.clauses[at];
        match &clause.term {
            ClauseTerm::Text(TextTerm {
                find: TextMatch::Stem(term),
                weight,
            }) => Some(Self {
                number: clause.alternative?,
                clause: at,
                term,
                weight: *weight,
                texts: &word.texts,
            }),
            _ => None,
        }
    }

    /// Returns the most that the alternative adds in `field`, where the word itself adds `unit`.
    pub fn max_score(&self, field: FieldId, unit: f64) -> f64 {
        self.by_frequency(field, unit).max_score()
    }

    /// Returns its posting lists in the searched fields of the segment of `source`.
    pub fn lists<S: Scale>(
        &self,
        source: ScoreSource<'_>,
    ) -> Result<Vec<ScoringPostings>, EngineError> {
        let sources = (source.memos.fuzzy_terms).of::<S>(source.segment, self.term)?;
        let searched = sources.iter().filter_map(|(field, source)| {
            let own = self.texts.iter().find(|text| text.field == *field);
            own.map(|text| (text, source))
        });
        let lists = searched.map(|(text, source)| ScoringPostings {
            clause: self.clause,
            field: text.field,
            weight: self.by_frequency(text.field, text.unit),
            is_within: false,
            is_same_word: false,
            source: source.clone(),
        });
        Ok(lists.collect())
    }

    fn by_frequency(&self, field: FieldId, unit: f64) -> Weight {
        Weight::uniform(unit * self.weight, saturation(field.kind()).k1 + 1.0)
    }
}

/// A non-essential alternative with its posting lists in one segment.
pub struct AlternativePostings<'a> {
    alternative: WordAlternative<'a>,
    /// One list for each field; none until a document needs them.
    lists: Option<Vec<ScoringCursor>>,
}

impl<'a> AlternativePostings<'a> {
    /// Returns `alternative` without its lists.
    pub fn new(alternative: WordAlternative<'a>) -> Self {
        Self {
            alternative,
            lists: None,
        }
    }

    /// Returns its number among the alternatives of the word.
    pub fn number(&self) -> usize {
        self.alternative.number
    }

    /// Looks the lists up if that was not done yet.
    pub fn open<S: Scale>(&mut self, source: ScoreSource<'_>) -> Result<(), EngineError> {
        if self.lists.is_none() {
            let lists = self.alternative.lists::<S>(source)?;
            self.lists = Some(lists.into_iter().map(ScoringCursor::new).collect());
        }
        Ok(())
    }

    /// Returns its list in `field`, if the lists are there.
    pub fn in_field(&mut self, field: FieldId) -> Option<&mut ScoringCursor> {
        let lists = self.lists.as_deref_mut().unwrap_or_default();
        lists.iter_mut().find(|own| own.list.field == field)
    }

    /// Returns its lists, if they are there.
    pub fn all(&mut self) -> impl Iterator<Item = &mut ScoringCursor> {
        self.lists.iter_mut().flatten()
    }

    /// Prepares its lists for documents that come before the last ones.
    pub fn close(&mut self) {
        let lists = self.lists.as_deref_mut().unwrap_or_default();
        lists.iter_mut().for_each(ScoringCursor::close);
    }
}
