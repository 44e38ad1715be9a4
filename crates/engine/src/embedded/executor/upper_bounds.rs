//! In which fields the documents of a window match one word, as far as that tells whether they matter.
//!
//! Fields are levels, the one that can give most first. A document stands at the first level whose lists hold it, and
//! what it can score at most follows from there. Levels are marked one after the other, and only while a document there
//! can still reach the bar. Where some can, all levels are marked, and it is known in which fields each of them matches.

use super::super::frequency::Frequency;
use super::super::scale::Scale;
use super::alternatives::WordAlternative;
use super::bits::Bits;
use super::candidates::Candidates;
use super::posting_sources::{FieldPostings, ScoringPostings};
use super::score_accumulator::{RemainingBounds, ScoreAccumulator};
use super::scoring_cursor::{ScoreSource, ScoringCursor, Weigh};
use crate::EngineError;
use domain::relevance::field::FieldId;
use tantivy::DocId;

/// The levels of one word in one segment.
pub struct WordUpperBounds<S: Scale> {
    levels: Vec<FieldUpperBound<S>>,
    /// The most that the word adds to a document at each level, and last to one that stands at none of them.
    most: Vec<f64>,
    /// The most that alternatives give that weigh little.
    weak: RemainingBounds,
    /// Levels that are marked in the current window.
    marked: usize,
    /// Documents of the window that match the word otherwise than by an alternative that weighs little.
    pub strong: Bits<S>,
    /// All documents of the window that match it.
    pub found: Bits<S>,
}

/// A field as a level: the lists that make a document stand there, and those of the same field that do not.
pub struct FieldUpperBound<S: Scale> {
    /// Its field.
    pub field: FieldId,
    /// The most that its field gives.
    pub most: f64,
    /// The most that any level after this one gives.
    pub after: f64,
    lists: Vec<BoundedPostings>,
    /// Lists whose documents are in others of the field too.
    within: Vec<ScoringCursor>,
    /// Documents of the window in the lists of the level, once it is marked.
    pub held: Bits<S>,
}

/// A list that makes its documents stand at a level.
struct BoundedPostings {
    scored: ScoringCursor,
    /// Its documents among those that were asked for, and perhaps others, by their distance from the window's start,
    /// with their frequencies.
    hits: Vec<(u16, Frequency)>,
}

/// What a field gives at most.
struct FieldMaxScore {
    /// By any of its lists.
    most: f64,
    /// By alternatives that weigh little.
    weak: f64,
}

impl<S: Scale> WordUpperBounds<S> {
    /// The levels of a word that matches by `groups`, and by the alternatives `near` that do not lead.
    pub fn new(groups: Vec<FieldPostings>, near: &[WordAlternative]) -> Self {
        let mut groups: Vec<(FieldMaxScore, FieldPostings)> = groups
            .into_iter()
            .map(|group| (FieldMaxScore::of(&group, near), group))
            .collect();
        groups.sort_by(|(a, _), (b, _)| b.most.total_cmp(&a.most));
        let most = (0..=groups.len()).map(|level| {
            let own = groups.iter().enumerate().map(|(at, (gives, _))| {
                let may_be_strong = at >= level;
                if may_be_strong {
                    gives.most
                } else {
                    gives.weak
                }
            });
            own.fold(RemainingBounds::default(), RemainingBounds::with)
                .word()
        });
        let most = most.collect();
        let weak = groups.iter().map(|(gives, _)| gives.weak);
        let weak = weak.fold(RemainingBounds::default(), RemainingBounds::with);
        let after: Vec<f64> = (groups.iter().skip(1))
            .map(|(gives, _)| gives.most)
            .chain([0.0])
            .collect();
        let levels = (groups.into_iter().zip(after))
            .map(|((gives, group), after)| FieldUpperBound::new(group, gives.most, after));
        Self {
            levels: levels.collect(),
            most,
            weak,
            marked: 0,
            strong: Bits::none(),
            found: Bits::none(),
        }
    }

    /// Begins a window, in which nothing is known yet.
    pub fn clear(&mut self) {
        self.marked = 0;
        self.strong.clear();
        self.found.clear();
    }

    /// Number of levels.
    pub fn count(&self) -> usize {
        self.levels.len()
    }

    /// The most that the word adds to a document at `level`; to one that stands at none when it is [`Self::count`].
    pub fn most(&self, level: usize) -> f64 {
        self.most[level]
    }

    /// The most that it adds to a document that matches it by an alternative that weighs little, and not otherwise.
    pub fn weak(&self) -> f64 {
        self.most[self.levels.len()]
    }

    /// Those of `among` that are in the lists of `level`, and perhaps others that are, once those before it are marked;
    /// of others nothing is known for certain then, so each call for a window is to be with documents of the former one.
    pub fn mark(
        &mut self,
        level: usize,
        among: Candidates<'_, S>,
    ) -> Result<&Bits<S>, EngineError> {
        let own = &mut self.levels[level];
        if level >= self.marked {
            own.mark(among)?;
            self.marked = level + 1;
        }
        Ok(&own.held)
    }

    /// Marks what is not marked yet.
    pub fn mark_all(&mut self, among: Candidates<'_, S>) -> Result<(), EngineError> {
        for level in self.marked..self.count() {
            self.mark(level, among)?;
        }
        Ok(())
    }

    /// All levels, which must be marked, the one that can give most first.
    pub fn by_most(&mut self) -> impl Iterator<Item = &mut FieldUpperBound<S>> {
        self.levels.iter_mut()
    }

    /// Makes them ready to score documents that come before those that were scored last.
    pub fn rewind(&mut self) {
        for level in &mut self.levels {
            level.within.iter_mut().for_each(ScoringCursor::close);
        }
    }

    /// Writes into `expected` the most that the word adds to those of `documents` that match it, by the fields in which
    /// they do; those in `near` match an alternative too. All levels must be marked.
    pub fn expect(&self, documents: &Bits<S>, near: &Bits<S>, expected: &mut [RemainingBounds]) {
        let none = RemainingBounds::default();
        for at in documents.iter() {
            expected[at] = if near.has(at) { self.weak } else { none };
        }
        let meeting = self
            .levels
            .iter()
            .filter(|own| documents.may_meet(&own.held));
        for level in meeting {
            let held = documents.both(&level.held);
            held.iter()
                .for_each(|at| expected[at] = expected[at].with(level.most));
        }
    }
}

impl FieldMaxScore {
    fn of(group: &FieldPostings, near: &[WordAlternative]) -> Self {
        let highest = |scores: &mut dyn Iterator<Item = f64>| scores.fold(0.0f64, f64::max);
        let weak = highest(&mut near.iter().map(|near| near.most(group.field, group.unit)));
        let own = highest(&mut group.lists.iter().map(|list| list.weight.most()));
        Self {
            most: own.max(weak),
            weak,
        }
    }
}

impl<S: Scale> FieldUpperBound<S> {
    fn new(group: FieldPostings, most: f64, after: f64) -> Self {
        let (within, lists): (Vec<ScoringPostings>, Vec<ScoringPostings>) =
            (group.lists.into_iter()).partition(|list| list.is_within);
        let lists = lists.into_iter().map(|list| BoundedPostings {
            scored: ScoringCursor::new(list),
            hits: Vec::new(),
        });
        Self {
            field: group.field,
            most,
            after,
            lists: lists.collect(),
            within: within.into_iter().map(ScoringCursor::new).collect(),
            held: Bits::none(),
        }
    }

    fn mark(&mut self, among: Candidates<'_, S>) -> Result<(), EngineError> {
        self.held.clear();
        for list in &mut self.lists {
            list.mark(among, &mut self.held)?;
        }
        Ok(())
    }

    /// Notes what its lists, which must be marked, and those within them give to the documents `held`, which they hold.
    pub fn score(
        &mut self,
        held: Candidates<'_, S>,
        sheet: &mut ScoreAccumulator,
        source: ScoreSource<'_>,
    ) -> Result<(), EngineError> {
        for own in &self.lists {
            own.score(held, sheet, source);
        }
        for list in &mut self.within {
            let touched = sheet.touched();
            list.score(held.only(&touched), sheet, source)?;
        }
        Ok(())
    }
}

impl BoundedPostings {
    fn mark<S: Scale>(
        &mut self,
        among: Candidates<'_, S>,
        held: &mut Bits<S>,
    ) -> Result<(), EngineError> {
        self.hits.clear();
        let hits = &mut self.hits;
        among.visit_roughly(self.scored.cursor()?, |at, tf| {
            held.set(at);
            hits.push((at as u16, tf));
        });
        Ok(())
    }

    fn score<S: Scale>(
        &self,
        among: Candidates<'_, S>,
        sheet: &mut ScoreAccumulator,
        source: ScoreSource<'_>,
    ) {
        let weigh = Weigh::new(&self.scored.list, source);
        let own = self.hits.iter().map(|(at, tf)| (usize::from(*at), *tf));
        for (at, tf) in own.filter(|(at, _)| among.documents.has(*at)) {
            sheet.note(at, weigh.value(among.start + at as DocId, tf));
        }
    }
}
