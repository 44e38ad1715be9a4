//! What documents stand for before any word is looked at: whether they may be shown, and what multiplies their score.
//!
//! It is kept dense, by segment and window, so that a search reads a few bytes for each document that it finds and
//! passes over windows in which nothing can reach the best. Only what ranks at the end is read from the columns.

use super::block_cache::{BlockCache, BlockQuery, BlockResults};
use super::executor::RuleBoosts;
use super::executor::bits::Bits;
use super::scale::Scale;
use crate::columns::Seen;
use domain::visitor::Visitor;
use query::Plan;
use query::scoring::{FactorBoosts, factors};
use std::sync::Arc;

/// Circumstances that one snapshot remembers: those of shoppers, of what rules boost for them, and of the simulator's
/// latest questions.
const REMEMBERED_MAX: usize = 12;

/// What the standing of documents depends on beside their numbers and values.
#[derive(PartialEq)]
pub(super) struct StaticScoreKey {
    factors: FactorBoosts,
    hide_out_of_stock: bool,
    boosts: Arc<RuleBoosts>,
    visitor: Arc<Visitor>,
}

/// The documents of a snapshot under some circumstances.
pub(super) type StaticScores<S> = BlockResults<S, StaticScoreKey>;

/// The standings that a snapshot knows.
pub(super) type StaticScoreCache<S> = BlockCache<S, StaticScoreKey, REMEMBERED_MAX>;

impl StaticScoreKey {
    /// The circumstances of a plan that is executed for `visitor`, and whose rules come to `boosts`.
    pub fn of(plan: &Plan, boosts: &Arc<RuleBoosts>, visitor: &Arc<Visitor>) -> Self {
        Self {
            factors: plan.factors,
            hide_out_of_stock: plan.hide_out_of_stock,
            boosts: Arc::clone(boosts),
            visitor: Arc::clone(visitor),
        }
    }
}

/// The documents of one window.
#[derive(Clone)]
pub(super) struct StaticScoreBlock<S: Scale> {
    /// Those that may be shown.
    pub shown: Bits<S>,
    /// What multiplies their scores, in single precision, good for comparing with a margin; 0 for the others.
    pub factors: Vec<f32>,
    /// Those whose score boosts change.
    lifted: Bits<S>,
    /// The highest factor of all others.
    highest_unlifted: f32,
    /// The highest factor of all documents.
    highest: f32,
}

impl<S: Scale> BlockQuery<S> for StaticScoreKey {
    type BlockResult = StaticScoreBlock<S>;

    fn nothing(&self) -> StaticScoreBlock<S> {
        StaticScoreBlock {
            shown: Bits::none(),
            factors: vec![0.0; S::WINDOW],
            lifted: Bits::none(),
            highest_unlifted: 0.0,
            highest: 0.0,
        }
    }

    fn note(&self, window: &mut StaticScoreBlock<S>, at: usize, seen: Option<&Seen<'_>>) {
        window.shown.unset(at);
        window.lifted.unset(at);
        window.factors[at] = 0.0;
        let shown = |seen: &&Seen<'_>| !(self.hide_out_of_stock && seen.row().hidden_when_out());
        if let Some(seen) = seen.filter(shown) {
            let multiplier = factors(&self.factors, &seen.factor_values()).multiplier;
            let boost = self.boosts.multiplier(seen);
            window.shown.set(at);
            window.factors[at] = (multiplier * boost) as f32;
            if boost != 1.0 {
                window.lifted.set(at);
            }
        }
    }

    fn settle(&self, window: &mut StaticScoreBlock<S>) {
        // None is negative, and the bits of such numbers are ordered as they are; so many are compared at once.
        let highest = |factors: &[f32]| {
            let bits = factors.iter().map(|factor| factor.to_bits());
            f32::from_bits(bits.max().unwrap_or(0))
        };
        window.highest = highest(&window.factors);
        window.highest_unlifted = if window.lifted.is_empty() {
            window.highest
        } else {
            let mut others = window.factors.clone();
            window.lifted.iter().for_each(|at| others[at] = 0.0);
            highest(&others)
        };
    }
}

impl<S: Scale> StaticScoreBlock<S> {
    /// A factor that no document exceeds.
    pub fn highest(&self) -> f32 {
        self.highest
    }

    /// Those of `documents` that boosts lift, and all others, each with a factor that none of them exceeds. Apart, for
    /// the few that are lifted much tell nothing of the others.
    pub fn apart(&self, documents: &Bits<S>) -> [(Bits<S>, f32); 2] {
        let lifted = documents.both(&self.lifted);
        let mut others = documents.clone();
        others.remove(&lifted);
        let factors = lifted.iter().map(|at| self.factors[at]);
        let highest = factors.fold(0.0, f32::max);
        [(lifted, highest), (others, self.highest_unlifted)]
    }

    /// Those of `documents` that boosts lift, if they are `least` at least and one is lifted over all others; else all.
    pub fn foremost(&self, documents: &Bits<S>, least: usize) -> Bits<S> {
        let [(lifted, highest), (_, others)] = self.apart(documents);
        if highest > others && lifted.count() >= least {
            lifted
        } else {
            documents.clone()
        }
    }
}
