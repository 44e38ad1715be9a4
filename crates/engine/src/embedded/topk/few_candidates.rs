//! Block-max pruning one document at a time, for blocks with few candidates.
//!
//! The upper bound of a document starts with the maximum scores of all words that it matches, and falls with each field
//! in which it does not match. So a field is only read for documents that can still reach the threshold.
//!
//! MaxScore by document: Turtle & Flood, "Query evaluation: strategies and optimizations", 1995.

use super::block_pruning::Bounds;
use super::candidates::Candidates;
use super::score_accumulator::BlockThreshold;
use super::upper_bounds::WordUpperBounds;
use super::word::WordScan;
use crate::EngineError;
use crate::embedded::postings::bits::Bits;
use crate::embedded::scale::Scale;

/// A document of the block.
#[derive(Clone, Copy)]
struct OpenCandidate {
    at: usize,
    /// The most that it can score.
    upper_bound: f64,
}

/// The score that candidates must reach, except for those that are kept anyway.
#[derive(Clone, Copy)]
pub struct CandidateThreshold<'a, S: Scale> {
    pub threshold: BlockThreshold<'a, S>,
    pub kept: &'a Bits<S>,
}

impl<S: Scale> CandidateThreshold<'_, S> {
    fn admits(&self, document: OpenCandidate) -> bool {
        self.kept.has(document.at) || self.threshold.admits(document.at, document.upper_bound)
    }
}

/// Returns those of `found`, which are some of the `candidates`, that may reach the threshold.
pub fn prune_few<S: Scale>(
    bounds: &Bounds,
    words: &mut [WordScan<'_, S>],
    found: &Bits<S>,
    candidates: Candidates<'_, S>,
    threshold: CandidateThreshold<'_, S>,
) -> Result<Bits<S>, EngineError> {
    let mut open: Vec<OpenCandidate> = (found.iter())
        .map(|at| OpenCandidate {
            at,
            upper_bound: bounds.upper_bound_of(words, at),
        })
        .collect();
    // A loop of its own, so that the cache misses of several factors overlap.
    open.retain(|own| threshold.admits(*own));
    for index in bounds.order() {
        if open.is_empty() {
            break;
        }
        let alive = bits(&open);
        descend(
            &mut words[*index].upper_bounds,
            &mut open,
            candidates.only(&alive),
            threshold,
        )?;
    }
    Ok(bits(&open))
}

/// Finds the best field of the `open` documents that match a word by an essential list, and drops those that cannot
/// reach the threshold any more.
fn descend<S: Scale>(
    upper_bounds: &mut WordUpperBounds<S>,
    open: &mut Vec<OpenCandidate>,
    candidates: Candidates<'_, S>,
    threshold: CandidateThreshold<'_, S>,
) -> Result<(), EngineError> {
    // Documents whose best field is not known yet come last.
    let essential =
        |upper_bounds: &WordUpperBounds<S>, own: &OpenCandidate| upper_bounds.essential.has(own.at);
    open.sort_by_key(|own| essential(upper_bounds, own));
    let mut known = open.partition_point(|own| !essential(upper_bounds, own));
    for field in 0..upper_bounds.count() {
        if known == open.len() {
            break;
        }
        let lost = upper_bounds.max_score(field) - upper_bounds.max_score(field + 1);
        let held = upper_bounds.mark(field, candidates)?;
        let mut at = known;
        while at < open.len() {
            if held.has(open[at].at) {
                open.swap(known, at);
                known += 1;
                at += 1;
                continue;
            }
            open[at].upper_bound -= lost;
            if threshold.admits(open[at]) {
                at += 1;
            } else {
                open.swap_remove(at);
            }
        }
    }
    Ok(())
}

fn bits<S: Scale>(open: &[OpenCandidate]) -> Bits<S> {
    let mut bits = Bits::none();
    open.iter().for_each(|own| bits.set(own.at));
    bits
}
