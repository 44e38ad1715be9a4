//! Block-max pruning: finds the documents of a block that may still reach the threshold, by the words and fields in
//! which they match. After Ding & Suel, "Faster top-k document retrieval using block-max indexes", 2011.
//!
//! The words are processed in descending order of their upper bounds. Documents that match every word in the same best
//! field have the same upper bound and are kept or dropped together.

use super::candidates::Candidates;
use super::few_candidates::{CandidateThreshold, prune_few};
use super::score_accumulator::BlockThreshold;
use super::word::WordScan;
use crate::EngineError;
use crate::embedded::postings::bits::Bits;
use crate::embedded::scale::Scale;
use query::Clauses;
use query::clauses::Coordination;

/// Sets of documents that are examined per block. What is left then is kept without further checks.
const SETS_MAX: u32 = 400;

/// Upper bounds of scores, by the words that a document matches.
pub struct Bounds {
    /// Indices of the words, the highest upper bound first.
    order: Vec<usize>,
    /// The rarities of the words, in that order.
    rarities: Vec<f64>,
    /// The sum of the upper bounds of the words from each index of the order on, and 0 after the last.
    text_after: Vec<f64>,
    /// The sum of the rarities from each index of the order on, and 0 after the last.
    rarity_after: Vec<f64>,
    coordination: Option<Coordination>,
    /// The phrase bonus; 0 if no document earns it.
    phrase: f64,
}

/// What is known about a set of documents after some words.
#[derive(Clone, Copy)]
struct GroupBound {
    text: f64,
    rarity: f64,
    /// Whether they match every word so far.
    all: bool,
}

/// The state before the first word.
const NOTHING: GroupBound = GroupBound {
    text: 0.0,
    rarity: 0.0,
    all: true,
};

/// A block while it is pruned.
struct BlockPruning<'a, 'b, S: Scale> {
    words: &'a mut [WordScan<'b, S>],
    candidates: Candidates<'a, S>,
    threshold: BlockThreshold<'a, S>,
    /// The highest static factor of the documents in process.
    highest: f32,
    live: Bits<S>,
    sets: u32,
}

impl Bounds {
    /// Returns the bounds of a query; `phrase_possible` is whether some document may contain its words as a phrase.
    pub fn new<S: Scale>(
        words: &[WordScan<'_, S>],
        clauses: &Clauses,
        phrase_possible: bool,
    ) -> Self {
        let mut order: Vec<usize> = (0..words.len()).collect();
        order.sort_by(|a, b| words[*b].max_score().total_cmp(&words[*a].max_score()));
        let rarities: Vec<f64> = (order.iter()).map(|at| clauses.words[*at].rarity).collect();
        let phrase = clauses.bonuses.phrase.as_ref();
        let phrase = phrase.filter(|_| phrase_possible);
        Self {
            text_after: sums_after(order.iter().map(|at| words[*at].max_score())),
            rarity_after: sums_after(rarities.iter().copied()),
            order,
            rarities,
            coordination: clauses.bonuses.coordination,
            phrase: phrase.map_or(0.0, |bonus| bonus.score),
        }
    }

    /// Returns the indices of the words, the highest upper bound first.
    pub fn order(&self) -> &[usize] {
        &self.order
    }

    /// Whether any document of the block may reach `threshold`, whatever it matches. In most blocks none does.
    pub fn may_be_reached<S: Scale>(&self, threshold: BlockThreshold<'_, S>) -> bool {
        threshold.admits_any(self.upper_bound(0, NOTHING), threshold.block.highest())
    }

    /// Returns those of `found`, which are some of the `candidates`, that may reach the threshold or are kept anyway.
    pub fn prune<S: Scale>(
        &self,
        words: &mut [WordScan<'_, S>],
        found: &Bits<S>,
        candidates: Candidates<'_, S>,
        candidate_threshold: CandidateThreshold<'_, S>,
    ) -> Result<Bits<S>, EngineError> {
        let CandidateThreshold { threshold, kept } = candidate_threshold;
        if !self.may_be_reached(threshold) {
            return Ok(found.both(kept));
        }
        if found.count() < Candidates::<S>::CROWDED {
            return prune_few(self, words, found, candidates, candidate_threshold);
        }
        let mut block = BlockPruning {
            words,
            candidates,
            threshold,
            highest: 0.0,
            live: found.both(kept),
            sets: 0,
        };
        for (documents, highest) in threshold.block.split_boosted(found) {
            (block.highest, block.sets) = (highest, SETS_MAX);
            self.descend(&mut block, 0, &documents, NOTHING)?;
        }
        Ok(block.live)
    }

    /// Returns the upper bound of document `at` of the block, by the words that it matches.
    pub fn upper_bound_of<S: Scale>(&self, words: &[WordScan<'_, S>], at: usize) -> f64 {
        let (mut text, mut covered, mut all) = (0.0, 0.0, true);
        for (index, rarity) in self.order.iter().zip(&self.rarities) {
            let word = &words[*index];
            if word.upper_bounds.essential.has(at) {
                text += word.upper_bounds.max_score(0);
            } else if word.upper_bounds.found.has(at) {
                text += word.upper_bounds.non_essential_max();
            }
            if word.covered.has(at) {
                covered += rarity;
            } else if word.counts {
                all = false;
            }
        }
        text + self.coordination(covered) + if all { self.phrase } else { 0.0 }
    }

    /// Returns the upper bound of documents of which `known` is known about the words before index `depth`.
    fn upper_bound(&self, depth: usize, known: GroupBound) -> f64 {
        let covered = known.rarity + self.rarity_after[depth];
        let phrase = if known.all { self.phrase } else { 0.0 };
        known.text + self.text_after[depth] + self.coordination(covered) + phrase
    }

    /// Returns the most that coordination adds to documents that contain words exactly of at most this rarity.
    fn coordination(&self, covered: f64) -> f64 {
        self.coordination.map_or(0.0, |bonus| bonus.score(covered))
    }

    fn descend<S: Scale>(
        &self,
        block: &mut BlockPruning<'_, '_, S>,
        depth: usize,
        set: &Bits<S>,
        known: GroupBound,
    ) -> Result<(), EngineError> {
        let upper_bound = self.upper_bound(depth, known);
        if set.is_empty() || !block.threshold.admits_any(upper_bound, block.highest) {
            return Ok(());
        }
        if depth == self.order.len() || block.sets == 0 {
            let admitted = set
                .iter()
                .filter(|at| block.threshold.admits(*at, upper_bound));
            admitted.for_each(|at| block.live.set(at));
            return Ok(());
        }
        block.sets -= 1;
        self.descend_by_fields(block, depth, set, known)?;
        let upper_bounds = &block.words[self.order[depth]].upper_bounds;
        let (mut non_essential, mut without) = (set.both(&upper_bounds.found), set.clone());
        non_essential.remove(&upper_bounds.essential);
        without.remove(&upper_bounds.found);
        let by_non_essential = known.with(upper_bounds.non_essential_max(), self.rarities[depth]);
        self.descend(block, depth + 1, &non_essential, by_non_essential)?;
        let unmatched = GroupBound {
            all: false,
            ..known
        };
        self.descend(block, depth + 1, &without, unmatched)
    }

    fn descend_by_fields<S: Scale>(
        &self,
        block: &mut BlockPruning<'_, '_, S>,
        depth: usize,
        set: &Bits<S>,
        known: GroupBound,
    ) -> Result<(), EngineError> {
        let index = self.order[depth];
        let mut rest = set.both(&block.words[index].upper_bounds.essential);
        for field in 0.. {
            let upper_bounds = &mut block.words[index].upper_bounds;
            let here = known.with(upper_bounds.max_score(field), self.rarities[depth]);
            // Further fields give less, so none of them reaches the threshold either.
            if rest.is_empty()
                || !(block.threshold).admits_any(self.upper_bound(depth + 1, here), block.highest)
            {
                return Ok(());
            }
            if field == upper_bounds.count() {
                return self.descend(block, depth + 1, &rest, here);
            }
            let held = upper_bounds.mark(field, block.candidates)?;
            let own = rest.both(held);
            rest.remove(held);
            self.descend(block, depth + 1, &own, here)?;
        }
        Ok(())
    }
}

impl GroupBound {
    fn with(self, text: f64, rarity: f64) -> Self {
        Self {
            text: self.text + text,
            rarity: self.rarity + rarity,
            ..self
        }
    }
}

/// Returns the sum of the values from each index on, and 0 after the last.
fn sums_after(values: impl DoubleEndedIterator<Item = f64>) -> Vec<f64> {
    let mut sums = vec![0.0];
    for value in values.rev() {
        sums.push(value + sums[sums.len() - 1]);
    }
    sums.reverse();
    sums
}
