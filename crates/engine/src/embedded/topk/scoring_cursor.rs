//! A posting list by which documents score. It is opened when it is first needed, which most lists never are.

use super::candidates::Candidates;
use super::clauses::{ScoringPostings, Weight};
use super::score_accumulator::ScoreAccumulator;
use crate::EngineError;
use crate::embedded::postings::cursor::Cursor;
use crate::embedded::postings::frequency::Frequency;
use crate::embedded::postings::lengths::FieldLengths;
use crate::embedded::postings::norms::Norms;
use crate::embedded::postings::segment::SegmentView;
use crate::embedded::postings::segment_memos::SegmentMemos;
use crate::embedded::scale::Scale;
use tantivy::DocId;

/// A posting list with its cursor.
pub struct ScoringCursor {
    pub list: ScoringPostings,
    /// None while the list is not open.
    cursor: Option<Cursor>,
}

/// What scoring reads beside posting lists.
#[derive(Clone, Copy)]
pub struct ScoreSource<'a> {
    pub segment: &'a SegmentView,
    pub norms: &'a [Norms],
    pub memos: &'a SegmentMemos,
}

impl ScoringCursor {
    pub fn new(list: ScoringPostings) -> Self {
        Self { list, cursor: None }
    }

    /// Opens the list if needed.
    pub fn open(&mut self) -> Result<(&ScoringPostings, &mut Cursor), EngineError> {
        let cursor = match self.cursor.take() {
            Some(cursor) => cursor,
            None => self.list.source.open()?,
        };
        Ok((&self.list, self.cursor.insert(cursor)))
    }

    /// Returns the cursor, which is at the first document if the list was not open.
    pub fn cursor(&mut self) -> Result<&mut Cursor, EngineError> {
        Ok(self.open()?.1)
    }

    /// Prepares for documents that come before the last ones.
    pub fn close(&mut self) {
        self.cursor = None;
    }

    /// Records what the list adds to those of the `candidates` that it contains.
    pub fn score<S: Scale>(
        &mut self,
        candidates: Candidates<'_, S>,
        accumulator: &mut ScoreAccumulator,
        source: ScoreSource<'_>,
    ) -> Result<(), EngineError> {
        let weigh = Weigh::new(&self.list, source);
        candidates.visit(self.cursor()?, |at, tf| {
            accumulator.record(at, weigh.value(candidates.start + at as DocId, tf));
        });
        Ok(())
    }
}

/// Computes what the documents of one list score: BM25 (Robertson & Zaragoza, "The probabilistic relevance framework",
/// 2009).
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

    /// Returns the score of `document`, which contains the term with frequency `tf`.
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
