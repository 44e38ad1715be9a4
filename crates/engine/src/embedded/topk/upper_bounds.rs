//! Upper bounds of what a word adds to scores, by the best field in which a document matches it.
//!
//! Fields are ordered by their maximum score (MaxScore: Turtle & Flood, "Query evaluation: strategies and
//! optimizations", 1995). The first field whose essential lists contain a document bounds what the word adds to its
//! score. Fields are read one after the other, only while documents in them can still reach the threshold. If some can,
//! all fields are read, and it is known in which of them each document matches.

use super::alternatives::WordAlternative;
use super::candidates::Candidates;
use super::clauses::{FieldPostings, ScoringPostings};
use super::score_accumulator::{RemainingBounds, ScoreAccumulator};
use super::scoring_cursor::{ScoreSource, ScoringCursor, Weigh};
use crate::EngineError;
use crate::embedded::postings::bits::Bits;
use crate::embedded::postings::frequency::Frequency;
use crate::embedded::scale::Scale;
use domain::relevance::field::FieldId;
use tantivy::DocId;

/// The upper bounds of one word in one segment.
pub struct WordUpperBounds<S: Scale> {
    fields: Vec<FieldUpperBound<S>>,
    /// The most that the word adds to a document whose best field has this index; last, to a document in none of them.
    max_scores: Vec<f64>,
    /// The most that non-essential alternatives add.
    non_essential_max: RemainingBounds,
    /// Number of fields that are marked in the current block.
    marked: usize,
    /// Documents of the block that match the word in an essential list.
    pub essential: Bits<S>,
    /// Documents of the block that match the word at all.
    pub found: Bits<S>,
}

/// A field with the lists of the word in it.
pub struct FieldUpperBound<S: Scale> {
    /// The field.
    pub field: FieldId,
    /// The most that the field adds.
    pub max_score: f64,
    /// The most that any later field adds.
    pub max_score_after: f64,
    lists: Vec<BoundedPostings>,
    /// Lists whose documents are all in other lists of the field.
    within: Vec<ScoringCursor>,
    /// Documents of the block in `lists`, once the field is marked.
    pub documents: Bits<S>,
}

/// A posting list of a field with the part of it that was read.
struct BoundedPostings {
    scored: ScoringCursor,
    /// The candidates in the list, and perhaps other documents, as offsets in the block with their frequencies.
    hits: Vec<(u16, Frequency)>,
}

/// The most that a field adds.
struct FieldMaxScore {
    /// By any of its lists.
    max_score: f64,
    /// By non-essential alternatives.
    non_essential_max: f64,
}

impl<S: Scale> WordUpperBounds<S> {
    /// Returns the bounds of a word that matches by `groups` and by the `non_essential` alternatives.
    pub fn new(groups: Vec<FieldPostings>, non_essential: &[WordAlternative<'_>]) -> Self {
        let mut groups: Vec<(FieldMaxScore, FieldPostings)> = groups
            .into_iter()
            .map(|group| (FieldMaxScore::of(&group, non_essential), group))
            .collect();
        groups.sort_by(|(a, _), (b, _)| b.max_score.total_cmp(&a.max_score));
        let max_scores = (0..=groups.len()).map(|field| {
            let own = groups.iter().enumerate().map(|(at, (own_max, _))| {
                let may_be_essential = at >= field;
                if may_be_essential {
                    own_max.max_score
                } else {
                    own_max.non_essential_max
                }
            });
            own.fold(RemainingBounds::default(), RemainingBounds::with)
                .word()
        });
        let max_scores = max_scores.collect();
        let non_essential_max = groups.iter().map(|(own_max, _)| own_max.non_essential_max);
        let non_essential_max =
            non_essential_max.fold(RemainingBounds::default(), RemainingBounds::with);
        let max_score_after: Vec<f64> = (groups.iter().skip(1))
            .map(|(own_max, _)| own_max.max_score)
            .chain([0.0])
            .collect();
        let fields =
            (groups.into_iter().zip(max_score_after)).map(|((own_max, group), max_score_after)| {
                FieldUpperBound::new(group, own_max.max_score, max_score_after)
            });
        Self {
            fields: fields.collect(),
            max_scores,
            non_essential_max,
            marked: 0,
            essential: Bits::none(),
            found: Bits::none(),
        }
    }

    /// Begins a block.
    pub fn clear(&mut self) {
        self.marked = 0;
        self.essential.clear();
        self.found.clear();
    }

    /// Returns the number of fields.
    pub fn count(&self) -> usize {
        self.fields.len()
    }

    /// Returns the most that the word adds to a document whose best field has index `field`, or to a document in none
    /// of them if it is [`Self::count`].
    pub fn max_score(&self, field: usize) -> f64 {
        self.max_scores[field]
    }

    /// Returns the most that the word adds to a document that matches it by non-essential alternatives only.
    pub fn non_essential_max(&self) -> f64 {
        self.max_scores[self.fields.len()]
    }

    /// Returns the `candidates` in the lists of `field`, and perhaps other documents.
    ///
    /// Fields must be marked in order, and each call for a block must pass some of the candidates of the call before.
    pub fn mark(
        &mut self,
        field: usize,
        candidates: Candidates<'_, S>,
    ) -> Result<&Bits<S>, EngineError> {
        let own = &mut self.fields[field];
        if field >= self.marked {
            own.mark(candidates)?;
            self.marked = field + 1;
        }
        Ok(&own.documents)
    }

    /// Marks the fields that are not marked yet.
    pub fn mark_all(&mut self, candidates: Candidates<'_, S>) -> Result<(), EngineError> {
        for field in self.marked..self.count() {
            self.mark(field, candidates)?;
        }
        Ok(())
    }

    /// Returns all fields, which must be marked, in descending order of their maximum scores.
    pub fn by_max_score(&mut self) -> impl Iterator<Item = &mut FieldUpperBound<S>> {
        self.fields.iter_mut()
    }

    /// Prepares for scoring documents that come before those scored last.
    pub fn rewind(&mut self) {
        for field in &mut self.fields {
            field.within.iter_mut().for_each(ScoringCursor::close);
        }
    }

    /// Writes into `upper_bounds` the most that the word adds to each of `documents`, which all match it. Those in
    /// `non_essential` match by an alternative too. All fields must be marked.
    pub fn write_upper_bounds(
        &self,
        documents: &Bits<S>,
        non_essential: &Bits<S>,
        upper_bounds: &mut [RemainingBounds],
    ) {
        let none = RemainingBounds::default();
        for at in documents.iter() {
            upper_bounds[at] = if non_essential.has(at) {
                self.non_essential_max
            } else {
                none
            };
        }
        let meeting = self
            .fields
            .iter()
            .filter(|own| documents.may_intersect(&own.documents));
        for field in meeting {
            let held = documents.both(&field.documents);
            held.iter()
                .for_each(|at| upper_bounds[at] = upper_bounds[at].with(field.max_score));
        }
    }
}

impl FieldMaxScore {
    fn of(group: &FieldPostings, non_essential: &[WordAlternative<'_>]) -> Self {
        let highest = |scores: &mut dyn Iterator<Item = f64>| scores.fold(0.0f64, f64::max);
        let non_essential_max = highest(
            &mut non_essential
                .iter()
                .map(|non_essential| non_essential.max_score(group.field, group.unit)),
        );
        let own = highest(&mut group.lists.iter().map(|list| list.weight.max_score()));
        Self {
            max_score: own.max(non_essential_max),
            non_essential_max,
        }
    }
}

impl<S: Scale> FieldUpperBound<S> {
    fn new(group: FieldPostings, max_score: f64, max_score_after: f64) -> Self {
        let (within, lists): (Vec<ScoringPostings>, Vec<ScoringPostings>) =
            (group.lists.into_iter()).partition(|list| list.is_within);
        let lists = lists.into_iter().map(|list| BoundedPostings {
            scored: ScoringCursor::new(list),
            hits: Vec::new(),
        });
        Self {
            field: group.field,
            max_score,
            max_score_after,
            lists: lists.collect(),
            within: within.into_iter().map(ScoringCursor::new).collect(),
            documents: Bits::none(),
        }
    }

    fn mark(&mut self, candidates: Candidates<'_, S>) -> Result<(), EngineError> {
        self.documents.clear();
        for list in &mut self.lists {
            list.mark(candidates, &mut self.documents)?;
        }
        Ok(())
    }

    /// Records what the lists of the field, which must be marked, add to the documents `held`, which they contain.
    pub fn score(
        &mut self,
        held: Candidates<'_, S>,
        accumulator: &mut ScoreAccumulator,
        source: ScoreSource<'_>,
    ) -> Result<(), EngineError> {
        for own in &self.lists {
            own.score(held, accumulator, source);
        }
        for list in &mut self.within {
            let touched = accumulator.touched();
            list.score(held.only(&touched), accumulator, source)?;
        }
        Ok(())
    }
}

impl BoundedPostings {
    fn mark<S: Scale>(
        &mut self,
        candidates: Candidates<'_, S>,
        held: &mut Bits<S>,
    ) -> Result<(), EngineError> {
        self.hits.clear();
        let hits = &mut self.hits;
        candidates.visit_roughly(self.scored.cursor()?, |at, tf| {
            held.set(at);
            hits.push((at as u16, tf));
        });
        Ok(())
    }

    fn score<S: Scale>(
        &self,
        candidates: Candidates<'_, S>,
        accumulator: &mut ScoreAccumulator,
        source: ScoreSource<'_>,
    ) {
        let weigh = Weigh::new(&self.scored.list, source);
        let own = self.hits.iter().map(|(at, tf)| (usize::from(*at), *tf));
        for (at, tf) in own.filter(|(at, _)| candidates.documents.has(*at)) {
            accumulator.record(at, weigh.value(candidates.start + at as DocId, tf));
        }
    }
}
