//! The walk through all segments: what is found, what is counted, what ranks.
//!
//! Where many hits are wanted, the lowest of them says little for long, and nearly every document would be scored to
//! the end. So some windows, spread over a large segment, go first, and tell what the last of the hits may be expected
//! to score at least. The others are searched under that bar. When the hits do not reach it in the end, the walk begins
//! again without it, so no answer depends on it.

use super::cutoff::Cutoff;
use super::pins::Pins;
use super::scan::{Scan, Task};
use super::sheet::Sheet;
use super::sieve::Sieve;
use super::top::Top;
use crate::{EngineError, Request};

/// Hits from which on windows are sampled. Few while debugging, so that tests of small catalogues meet it.
const HITS_MIN: usize = if cfg!(debug_assertions) { 3 } else { 100 };

/// One of so many windows goes first.
const STRIDE: usize = if cfg!(debug_assertions) { 4 } else { 16 };

/// For each hit that is wanted, so many are expected to reach the bar: enough that the bar is hardly ever missed.
const EXPECTED: usize = 2;

/// What a walk found.
pub(super) struct Walked<'a> {
    pub total: u64,
    pub sieve: Sieve,
    pub top: Top<'a>,
    pub pins: Pins,
}

/// Walks through the segments of the snapshot of `task`.
pub(super) fn walk<'a>(task: Task<'a>, request: &Request) -> Result<Walked<'a>, EngineError> {
    let (walked, complete) = attempt(task, request, true)?;
    if complete {
        return Ok(walked);
    }
    attempt(task, request, false).map(|(walked, _)| walked)
}

/// A walk, with samples or without; and whether nothing was left out that ranks.
fn attempt<'a>(
    task: Task<'a>,
    request: &Request,
    sampling: bool,
) -> Result<(Walked<'a>, bool), EngineError> {
    let columns = &task.snapshot.columns;
    // As many of the best as are shown can be left out at most.
    let wanted = request.shown.len() + request.offset + request.limit;
    let mut walked = Walked {
        total: 0,
        sieve: Sieve::new(request, columns.dictionary()),
        top: Top::new(wanted, request.sort, columns),
        pins: Pins::new(task.snapshot, &task.plan.rules.pins),
    };
    let mut cutoff = (task.plan.cutoff > 0).then(|| Cutoff::new(task.plan.cutoff));
    let mut sheet = Sheet::take(task.plan.words.len());
    let mut complete = true;
    for at in 0..task.snapshot.texts.segments.len() {
        let mut scan = Scan::new(task, at, &mut sheet)?;
        let windows = scan.windows();
        let sampled =
            sampling && wanted >= HITS_MIN && windows > STRIDE && walked.top.is_open_to_all();
        if let Some(cutoff) = &mut cutoff {
            let Walked {
                sieve, top, pins, ..
            } = &mut walked;
            walked.total += scan.collect(cutoff, sieve, top, pins)?;
        } else if sampled {
            let is_first = |window: &usize| window % STRIDE == STRIDE / 2;
            walked.search(&mut scan, (0..windows).filter(is_first))?;
            walked.top.expect(at, STRIDE, EXPECTED * wanted);
            // Lists are read forwards only.
            let mut scan = Scan::new(task, at, &mut sheet)?;
            walked.search(&mut scan, (0..windows).filter(|window| !is_first(window)))?;
            complete &= walked.top.met();
        } else {
            walked.search(&mut scan, 0..windows)?;
        }
    }
    sheet.leave();
    if let Some(cutoff) = cutoff {
        walked.total += cutoff.settle(task.view, &mut walked.sieve, &mut walked.top);
    }
    Ok((walked, complete))
}

impl Walked<'_> {
    fn search(
        &mut self,
        scan: &mut Scan<'_>,
        windows: impl Iterator<Item = usize>,
    ) -> Result<(), EngineError> {
        self.total += scan.run(windows, &mut self.sieve, &mut self.top, &mut self.pins)?;
        Ok(())
    }
}
