//! The walk through all segments: what is found, what is counted, what ranks.
//!
//! Where many hits are wanted, the lowest of them says little for long, and nearly every document would be scored to
//! the end. So some windows, spread over the whole index, go first, and tell what the last of the hits may be expected
//! to score at least. Everything is searched under that bar then. When the hits do not reach it in the end, the walk
//! begins again without it, so no answer depends on it.

use super::super::segment::SegmentView;
use super::cutoff::Cutoff;
use super::pins::Pins;
use super::scan::{Scan, Task};
use super::sheet::Sheet;
use super::sieve::Sieve;
use super::top::Top;
use crate::{EngineError, Request};

/// Hits from which on windows are sampled. Few while debugging, so that tests of small catalogues meet it.
const HITS_MIN: usize = if cfg!(debug_assertions) { 3 } else { 100 };

/// One of so many windows is in the sample.
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
    let mut sheet = Sheet::take(task.plan.words.len());
    let expected = sample(task, request, &mut sheet)?;
    let mut walked = attempt(task, request, expected, &mut sheet)?;
    if !walked.top.met() {
        walked = attempt(task, request, None, &mut sheet)?;
    }
    sheet.leave();
    Ok(walked)
}

/// As many of the best as are shown can be left out at most.
fn wanted(request: &Request) -> usize {
    request.shown.len() + request.offset + request.limit
}

/// The score that the last hit is expected to reach, where many are wanted and a sample tells it.
fn sample(
    task: Task<'_>,
    request: &Request,
    sheet: &mut Sheet,
) -> Result<Option<f64>, EngineError> {
    let segments = &task.snapshot.texts.segments;
    let windows: usize = segments.iter().map(SegmentView::windows).sum();
    let place = (EXPECTED * wanted(request)).div_ceil(STRIDE);
    let mut top = Top::new(place, request.sort, &task.snapshot.columns);
    let worth = wanted(request) >= HITS_MIN && windows > STRIDE && top.by_score();
    if !worth || task.plan.cutoff > 0 {
        return Ok(None);
    }
    let mut sieve = Sieve::of_choices(&request.choices, task.snapshot.columns.dictionary());
    let mut pins = Pins::new(task.snapshot, &[]);
    // Windows are numbered through all segments, so that small ones are in the sample as large ones are.
    let mut next = STRIDE / 2;
    for (at, segment) in segments.iter().enumerate() {
        let windows = segment.windows();
        let sampled = (next..windows).step_by(STRIDE);
        next = next + sampled.len() * STRIDE - windows;
        if sampled.len() > 0 {
            Scan::new(task, at, sheet)?.run(sampled, &mut sieve, &mut top, &mut pins)?;
        }
    }
    Ok(top.worst_score())
}

/// A walk under the bar that is expected of the last hit, if any.
fn attempt<'a>(
    task: Task<'a>,
    request: &Request,
    expected: Option<f64>,
    sheet: &mut Sheet,
) -> Result<Walked<'a>, EngineError> {
    let columns = &task.snapshot.columns;
    let mut walked = Walked {
        total: 0,
        sieve: Sieve::new(request, columns.dictionary()),
        top: Top::new(wanted(request), request.sort, columns).expecting(expected),
        pins: Pins::new(task.snapshot, &task.plan.rules.pins),
    };
    let Walked {
        total,
        sieve,
        top,
        pins,
    } = &mut walked;
    let mut cutoff = (task.plan.cutoff > 0).then(|| Cutoff::new(task.plan.cutoff));
    for at in 0..task.snapshot.texts.segments.len() {
        let mut scan = Scan::new(task, at, sheet)?;
        *total += match &mut cutoff {
            Some(cutoff) => scan.collect(cutoff, sieve, top, pins)?,
            None => scan.run(
                0..task.snapshot.texts.segments[at].windows(),
                sieve,
                top,
                pins,
            )?,
        };
    }
    if let Some(cutoff) = cutoff {
        *total += cutoff.settle(task.view, sieve, top);
    }
    Ok(walked)
}
