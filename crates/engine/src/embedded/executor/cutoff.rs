//! The cutoff: what scores too far under the best is neither shown nor counted.
//!
//! The best score is known only at the end, so documents are scored first and counted afterwards.

use super::facet_collector::FacetCollector;
use super::top_k::TopK;
use crate::columns::View;
use query::scoring::reaches;
use tantivy::DocAddress;

/// A document that was found and scored.
#[derive(Clone, Copy, Debug)]
pub struct Scored {
    pub ordinal: u32,
    pub address: DocAddress,
    /// What comes before the score in the order.
    pub rank: u8,
    pub score: f64,
}

/// Documents that score high enough, as far as is known.
pub struct Cutoff {
    percent: u32,
    best: f64,
    kept: Vec<Scored>,
}

impl Cutoff {
    /// Keeps what reaches `percent` of the best score.
    pub fn new(percent: u32) -> Self {
        Self {
            percent,
            best: 0.0,
            kept: Vec::new(),
        }
    }

    /// What a document must score to be kept, as far as is known.
    pub fn lowest(&self) -> f64 {
        self.best * f64::from(self.percent) / 100.0 * (1.0 - 1e-6)
    }

    /// Takes a document in, unless a better one already rules it out.
    pub fn offer(&mut self, scored: Scored) {
        self.best = self.best.max(scored.score);
        if reaches(scored.score, self.best, self.percent) {
            self.kept.push(scored);
        }
    }

    /// Takes note of a score that decides what is kept of the others.
    pub fn note(&mut self, score: f64) {
        self.best = self.best.max(score);
    }

    /// Filters, counts and offers what is left; the number of documents that are found.
    pub fn settle(self, view: &View<'_>, sieve: &mut FacetCollector, top: &mut TopK<'_>) -> u64 {
        let mut total = 0;
        for scored in &self.kept {
            if !reaches(scored.score, self.best, self.percent) {
                continue;
            }
            let seen = view.see(scored.ordinal);
            if let Some(seen) = seen.filter(|seen| sieve.passes(seen.ordinal, view)) {
                total += 1;
                top.offer((scored.rank, scored.score), &seen, scored.address);
            }
        }
        total
    }
}
