//! Static scores: the visibility of documents and the multiplier of their score, which do not depend on the query.
//!
//! They are cached densely by segment and block, so that a search reads a few bytes per candidate and skips blocks that
//! cannot reach the threshold. Only the columns of the final hits are read.
//!
//! Static quality scores (Manning, Raghavan & Schütze, "Introduction to Information Retrieval", 2008, section
//! 7.1.4), as the feature fields of Lucene (`FeatureField`), with their maximum for each block.

use super::block_cache::{BlockCache, BlockQuery, BlockResults};
use super::boosts::RuleBoosts;
use crate::columns::Seen;
use crate::embedded::postings::bits::Bits;
use crate::embedded::scale::Scale;
use domain::visitor::Visitor;
use query::Plan;
use query::scoring::{FactorBoosts, factors};
use std::sync::Arc;

/// Keys that a snapshot caches: those of shoppers, with and without boosts of rules, and of the simulator's latest
/// queries.
const CACHED_MAX: usize = 12;

/// What static scores depend on, besides the documents.
#[derive(PartialEq)]
pub struct StaticScoreKey {
    factors: FactorBoosts,
    hide_out_of_stock: bool,
    boosts: Arc<RuleBoosts>,
    visitor: Arc<Visitor>,
}

/// The static scores of a snapshot for one key.
pub type StaticScores<S> = BlockResults<S, StaticScoreKey>;

/// The cache of static scores of a snapshot.
pub type StaticScoreCache<S> = BlockCache<S, StaticScoreKey, CACHED_MAX>;

impl StaticScoreKey {
    /// The key of `plan` for `visitor`, whose rules compile to `boosts`.
    pub fn of(plan: &Plan, boosts: &Arc<RuleBoosts>, visitor: &Arc<Visitor>) -> Self {
        Self {
            factors: plan.factors,
            hide_out_of_stock: plan.hide_out_of_stock,
            boosts: Arc::clone(boosts),
            visitor: Arc::clone(visitor),
        }
    }
}

/// The static scores of one block.
#[derive(Clone)]
pub struct StaticScoreBlock<S: Scale> {
    /// The visible documents.
    pub shown: Bits<S>,
    /// Multipliers of their scores, in single precision, for comparisons with a margin; 0 for the others.
    pub factors: Vec<f32>,
    /// The documents that a rule boosts.
    boosted: Bits<S>,
    /// The highest multiplier of all other documents.
    highest_unboosted: f32,
    /// The highest multiplier of all documents.
    highest: f32,
}

impl<S: Scale> BlockQuery<S> for StaticScoreKey {
    type BlockResult = StaticScoreBlock<S>;

    fn empty(&self) -> StaticScoreBlock<S> {
        StaticScoreBlock {
            shown: Bits::none(),
            factors: vec![0.0; S::BLOCK],
            boosted: Bits::none(),
            highest_unboosted: 0.0,
            highest: 0.0,
        }
    }

    fn record(&self, block: &mut StaticScoreBlock<S>, at: usize, seen: Option<&Seen<'_>>) {
        block.shown.unset(at);
        block.boosted.unset(at);
        block.factors[at] = 0.0;
        let shown = |seen: &&Seen<'_>| !(self.hide_out_of_stock && seen.row().hidden_when_out());
        if let Some(seen) = seen.filter(shown) {
            let multiplier = factors(&self.factors, &seen.factor_values()).multiplier;
            let boost = self.boosts.multiplier(seen);
            block.shown.set(at);
            block.factors[at] = (multiplier * boost) as f32;
            if boost != 1.0 {
                block.boosted.set(at);
            }
        }
    }

    fn finish(&self, block: &mut StaticScoreBlock<S>) {
        // No multiplier is negative, and the bits of such floats have the order of their values, so the loop vectorises.
        let highest = |factors: &[f32]| {
            let bits = factors.iter().map(|factor| factor.to_bits());
            f32::from_bits(bits.max().unwrap_or(0))
        };
        block.highest = highest(&block.factors);
        block.highest_unboosted = if block.boosted.is_empty() {
            block.highest
        } else {
            let mut others = block.factors.clone();
            block.boosted.iter().for_each(|at| others[at] = 0.0);
            highest(&others)
        };
    }
}

impl<S: Scale> StaticScoreBlock<S> {
    /// An upper bound of the multipliers of all documents.
    pub fn highest(&self) -> f32 {
        self.highest
    }

    /// Splits `documents` into boosted and other ones, each with an upper bound of their multipliers, so that a few
    /// highly boosted documents do not raise the bound of the others.
    pub fn split_boosted(&self, documents: &Bits<S>) -> [(Bits<S>, f32); 2] {
        let boosted = documents.both(&self.boosted);
        let mut others = documents.clone();
        others.remove(&boosted);
        let factors = boosted.iter().map(|at| self.factors[at]);
        let highest = factors.fold(0.0, f32::max);
        [(boosted, highest), (others, self.highest_unboosted)]
    }

    /// The boosted ones of `documents`, if there are at least `least` and one has a higher multiplier than all others;
    /// else all.
    pub fn boosted_first(&self, documents: &Bits<S>, least: usize) -> Bits<S> {
        let [(boosted, highest), (_, others)] = self.split_boosted(documents);
        if highest > others && boosted.count() >= least {
            boosted
        } else {
            documents.clone()
        }
    }
}
