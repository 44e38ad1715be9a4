//! Which of few documents of a window cannot matter, told one by one.
//!
//! Each begins with the most that the words it matches can give at all, and loses what a level gives more than the next
//! where it does not stand at it. So a level is marked only for documents that can still reach the bar.

use super::super::scale::Scale;
use super::bits::Bits;
use super::block_pruning::Bounds;
use super::candidates::Candidates;
use super::score_accumulator::BlockThreshold;
use super::upper_bounds::WordUpperBounds;
use super::word::WordScan;
use crate::EngineError;

/// A document of the window.
#[derive(Clone, Copy)]
struct OpenCandidate {
    at: usize,
    /// The most that it can score.
    most: f64,
}

/// What documents must reach, but for those that stay in any case.
#[derive(Clone, Copy)]
pub struct CandidateThreshold<'a, S: Scale> {
    pub bar: BlockThreshold<'a, S>,
    pub staying: &'a Bits<S>,
}

impl<S: Scale> CandidateThreshold<'_, S> {
    fn admits(&self, document: OpenCandidate) -> bool {
        self.staying.has(document.at) || self.bar.admits(document.at, document.most)
    }
}

/// Those of `found`, which are some of `among`, that may pass the hurdle.
pub fn narrow_few<S: Scale>(
    bounds: &Bounds,
    words: &mut [WordScan<S>],
    found: &Bits<S>,
    among: Candidates<'_, S>,
    hurdle: CandidateThreshold<'_, S>,
) -> Result<Bits<S>, EngineError> {
    let mut open: Vec<OpenCandidate> = (found.iter())
        .map(|at| OpenCandidate {
            at,
            most: bounds.most_of(words, at),
        })
        .collect();
    // Apart from the above, so that the factors of several documents are waited for at the same time.
    open.retain(|own| hurdle.admits(*own));
    for place in bounds.order() {
        if open.is_empty() {
            break;
        }
        let alive = bits(&open);
        descend(
            &mut words[*place].levels,
            &mut open,
            among.only(&alive),
            hurdle,
        )?;
    }
    Ok(bits(&open))
}

/// Finds the level of the `open` documents that match a word strongly; takes out those that cannot pass any more.
fn descend<S: Scale>(
    levels: &mut WordUpperBounds<S>,
    open: &mut Vec<OpenCandidate>,
    among: Candidates<'_, S>,
    hurdle: CandidateThreshold<'_, S>,
) -> Result<(), EngineError> {
    // Those whose level is not known stand at the end.
    let strong = |levels: &WordUpperBounds<S>, own: &OpenCandidate| levels.strong.has(own.at);
    open.sort_by_key(|own| strong(levels, own));
    let mut known = open.partition_point(|own| !strong(levels, own));
    for level in 0..levels.count() {
        if known == open.len() {
            break;
        }
        let lost = levels.most(level) - levels.most(level + 1);
        let held = levels.mark(level, among)?;
        let mut at = known;
        while at < open.len() {
            if held.has(open[at].at) {
                open.swap(known, at);
                known += 1;
                at += 1;
                continue;
            }
            open[at].most -= lost;
            if hurdle.admits(open[at]) {
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
