//! The cutoff: hits below a percentage of the best score are neither shown nor counted.
//!
//! The best score is known only at the end, so documents are scored first and counted afterwards.

use super::collector::Collector;
use super::heap::TopK;
use crate::columns::View;
use query::scoring::{reaches, threshold};
use tantivy::DocAddress;

/// A document that matches, with its score.
#[derive(Clone, Copy, Debug)]
pub struct Scored {
    pub ordinal: u32,
    pub address: DocAddress,
    /// What comes before the score in the order of hits.
    pub rank: u8,
    pub score: f64,
}

/// The documents that score high enough so far.
pub struct Cutoff {
    percent: u32,
    best: f64,
    kept: Vec<Scored>,
}

impl Cutoff {
    /// Returns an empty cutoff at `percent` of the best score.
    pub fn new(percent: u32) -> Self {
        Self {
            percent,
            best: 0.0,
            kept: Vec::new(),
        }
    }

    /// Returns the lowest score that reaches the cutoff so far.
    pub fn min_score(&self) -> f64 {
        threshold(self.best, self.percent)
    }

    /// Adds a document, unless a better one already rules it out.
    pub fn offer(&mut self, scored: Scored) {
        self.best = self.best.max(scored.score);
        if reaches(scored.score, self.best, self.percent) {
            self.kept.push(scored);
        }
    }

    /// Records a score that counts as a best score, of a document that is not collected.
    pub fn record_score(&mut self, score: f64) {
        self.best = self.best.max(score);
    }

    /// Filters, counts and offers the documents above the cutoff, and returns their number.
    pub fn finish(
        self,
        view: &View<'_>,
        collector: &mut impl Collector,
        top_k: &mut TopK<'_>,
    ) -> u64 {
        let mut total = 0;
        for scored in &self.kept {
            if !reaches(scored.score, self.best, self.percent) {
                continue;
            }
            let seen = view.see(scored.ordinal);
            if let Some(seen) = seen.filter(|seen| collector.passes(seen.ordinal, view)) {
                total += 1;
                top_k.offer((scored.rank, scored.score), &seen, scored.address);
            }
        }
        total
    }
}
