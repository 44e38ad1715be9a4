//! A posting list that scores: opened when it is first wanted, which most lists never are, and what its documents score.

use super::super::averages::Norms;
use super::super::frequency::Frequency;
use super::super::lengths::FieldLengths;
use super::super::scale::Scale;
use super::super::segment::SegmentView;
use super::candidates::Candidates;
use super::cursor::Cursor;
use super::posting_sources::{ScoringPostings, Weight};
use super::score_accumulator::ScoreAccumulator;
use crate::EngineError;
use tantivy::DocId;

/// A list with its cursor.
pub struct ScoringCursor {
    pub list: ScoringPostings,
    /// None while it is not open.
    cursor: Option<Cursor>,
}

/// Where scores come from.
#[derive(Clone, Copy)]
pub struct ScoreSource<'a> {
    pub segment: &'a SegmentView,
    pub norms: &'a [Norms],
}

impl ScoringCursor {
    pub fn new(list: ScoringPostings) -> Self {
        Self { list, cursor: None }
    }

    /// The list with its [`Self::cursor`].
    pub fn open(&mut self) -> Result<(&ScoringPostings, &mut Cursor), EngineError> {
        let cursor = match self.cursor.take() {
            Some(cursor) => cursor,
            None => self.list.place.open()?,
        };
        Ok((&self.list, self.cursor.insert(cursor)))
    }

    /// Its place among its documents, from the first one on when it was not asked for since it was closed.
    pub fn cursor(&mut self) -> Result<&mut Cursor, EngineError> {
        Ok(self.open()?.1)
    }

    /// Makes it ready for documents that come before those that were asked for last.
    pub fn close(&mut self) {
        self.cursor = None;
    }

    /// Notes what it gives to those of `among` that it holds.
    pub fn score<S: Scale>(
        &mut self,
        among: Candidates<'_, S>,
        sheet: &mut ScoreAccumulator,
        source: ScoreSource<'_>,
    ) -> Result<(), EngineError> {
        let weigh = Weigh::new(&self.list, source);
        among.visit(self.cursor()?, |at, tf| {
            sheet.note(at, weigh.value(among.start + at as DocId, tf));
        });
        Ok(())
    }
}

/// What the documents of one list score.
pub struct Weigh<'a> {
    weight: Weight,
    lengths: Option<FieldLengths<'a>>,
    norm: &'a Norms,
}

impl<'a> Weigh<'a> {
    pub fn new(list: &ScoringPostings, source: ScoreSource<'a>) -> Self {
        Self {
            weight: list.weight,
            lengths: source.segment.lengths(list.field),
            norm: &source.norms[list.field.index()],
        }
    }

    /// What `document` scores, which holds the term as often as `tf` tells.
    pub fn value(&self, document: DocId, tf: Frequency) -> f64 {
        match self.weight {
            Weight::Fixed(score) => score,
            Weight::ByFrequency { unit, alone, .. } => {
                let length = self.lengths.map_or(0, |lengths| lengths.of(document));
                let unit = if tf.is_alone() { alone } else { unit };
                unit * self.norm.weight(tf.occurrences(), length)
            }
        }
    }
}
