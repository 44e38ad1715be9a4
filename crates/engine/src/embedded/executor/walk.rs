//! The walk through all segments: what is found, what is counted, what ranks.
//!
//! Where many hits are wanted, the lowest of them says little for long, and nearly every document would be scored to
//! the end. So some windows, spread over the whole index, go first, and tell what the last of the hits may be expected
//! to score at least. Everything is searched under that bar then, by several threads where cores are idle. When the
//! hits do not reach it in the end, the walk begins again without it, so no answer depends on it.

use super::super::scale::Scale;
use super::super::segment::SegmentView;
use super::cutoff::Cutoff;
use super::facet_collector::FacetCollector;
use super::pins::Pins;
use super::scan::SegmentScan;
use super::score_accumulator::ScoreAccumulator;
use super::task::Task;
use super::top_k::TopK;
use crate::parallel::{threads, together};
use crate::{EngineError, Request};
use parking_lot::Mutex;

/// For each hit that is wanted, so many are expected to reach the bar: enough that the bar is hardly ever missed.
const EXPECTED: usize = 2;

/// What a walk found.
pub(super) struct Walked<'a> {
    pub total: u64,
    pub sieve: FacetCollector,
    pub top: TopK<'a>,
    pub pins: Pins,
}

/// Number of a segment, and some of its windows, in order.
type WorkItem = (usize, Vec<usize>);

/// Walks through the segments of the snapshot of `task`.
pub(super) fn walk<'a, S: Scale>(
    task: Task<'a, S>,
    request: &Request,
) -> Result<Walked<'a>, EngineError> {
    if task.plan.cutoff > 0 {
        return walk_to_cutoff(task, request);
    }
    let segments = &task.snapshot.texts.segments;
    let windows: usize = segments.iter().map(SegmentView::windows::<S>).sum();
    let many = wanted(request) >= S::HITS_MIN && windows > S::STRIDE;
    // What becomes of pins is noted on the way, by one thread alone.
    let together = many && task.plan.rules.pins.is_empty();
    let threads = if together { threads() } else { 1 };
    let expected = if many {
        sample(task, request, threads)?
    } else {
        None
    };
    let mut walked = attempt(task, request, expected, threads)?;
    if !walked.top.met() {
        walked = attempt(task, request, None, threads)?;
    }
    Ok(walked)
}

/// As many of the best as are shown can be left out at most.
fn wanted(request: &Request) -> usize {
    request.shown.len() + request.offset + request.limit
}

/// The score that the last hit is expected to reach, where scores order them and a sample tells it.
fn sample<S: Scale>(
    task: Task<'_, S>,
    request: &Request,
    threads: usize,
) -> Result<Option<f64>, EngineError> {
    let columns = &task.snapshot.columns;
    let place = (EXPECTED * wanted(request)).div_ceil(S::STRIDE);
    let top = TopK::new(place, request.sort, columns);
    if !top.by_score() {
        return Ok(None);
    }
    let share = SharedWork::new(task, (S::STRIDE, 1), threads, top);
    let found = together(threads, &share.stretches, |own| {
        let sieve = FacetCollector::of_choices(&request.choices, columns.dictionary());
        share.search(own, sieve, Pins::new(task.snapshot, &[]))
    });
    found.into_iter().collect::<Result<Vec<_>, _>>()?;
    Ok(share.top.into_inner().worst_score())
}

/// A walk under the bar that is expected of the last hit, if any.
fn attempt<'a, S: Scale>(
    task: Task<'a, S>,
    request: &Request,
    expected: Option<f64>,
    threads: usize,
) -> Result<Walked<'a>, EngineError> {
    let columns = &task.snapshot.columns;
    let top = TopK::new(wanted(request), request.sort, columns).expecting(expected);
    let share = SharedWork::new(task, (1, S::STRETCH_MIN), threads, top);
    let found = together(threads, &share.stretches, |own| {
        let sieve = FacetCollector::new(request, columns.dictionary());
        // Where there are any, there is one thread.
        let pins = Pins::new(task.snapshot, &task.plan.rules.pins);
        share.search(own, sieve, pins)
    });
    let mut found = found.into_iter();
    let first = found.next().expect("the thread that calls answers too");
    let (mut total, mut sieve, pins) = first?;
    for others in found {
        let (more, noted, _) = others?;
        total += more;
        sieve.absorb(noted);
    }
    Ok(Walked {
        total,
        sieve,
        top: share.top.into_inner(),
        pins,
    })
}

/// The windows of a search, of which each thread takes the next stretch, and the best hits of all threads.
struct SharedWork<'a, S: Scale> {
    task: Task<'a, S>,
    stretches: Vec<WorkItem>,
    top: Mutex<TopK<'a>>,
}

impl<'a, S: Scale> SharedWork<'a, S> {
    /// One of `every` so many windows, which are numbered through all segments, so that small ones have their part as
    /// large ones have. Several threads get stretches that become shorter, so that all end at about the same time, with
    /// `least` windows.
    fn new(
        task: Task<'a, S>,
        (every, least): (usize, usize),
        threads: usize,
        top: TopK<'a>,
    ) -> Self {
        let segments = &task.snapshot.texts.segments;
        let mut left = segments
            .iter()
            .map(SegmentView::windows::<S>)
            .sum::<usize>()
            / every;
        let mut stretches = Vec::new();
        let mut next = every / 2;
        for (at, segment) in segments.iter().enumerate() {
            let windows = segment.windows::<S>();
            let mut own = (next..windows).step_by(every);
            next = next + own.len() * every - windows;
            while own.len() > 0 {
                let length = match threads {
                    1 => own.len(),
                    _ => (left / (2 * threads)).max(least),
                };
                let stretch: Vec<usize> = own.by_ref().take(length).collect();
                left = left.saturating_sub(stretch.len());
                stretches.push((at, stretch));
            }
        }
        Self {
            task,
            stretches,
            top: Mutex::new(top),
        }
    }

    /// Searches `stretches`; the number of documents that are found, and what `sieve` and `pins` met.
    fn search(
        &self,
        stretches: &mut dyn Iterator<Item = &WorkItem>,
        mut sieve: FacetCollector,
        mut pins: Pins,
    ) -> Result<(u64, FacetCollector, Pins), EngineError> {
        let mut sheet = ScoreAccumulator::take::<S>(self.task.plan.words.len());
        let mut total = 0;
        let mut next = stretches.next();
        while let Some((at, windows)) = next {
            let mut scan = SegmentScan::new(self.task, *at, &mut sheet)?;
            total += scan.run(windows, &mut sieve, &self.top, &mut pins)?;
            // A thread goes on with the lists that it has open while it stays in the segment.
            next = stretches.next();
            while let Some((_, windows)) = next.filter(|(segment, _)| segment == at) {
                total += scan.run(windows, &mut sieve, &self.top, &mut pins)?;
                next = stretches.next();
            }
        }
        sheet.leave();
        Ok((total, sieve, pins))
    }
}

/// A walk in which only what reaches a part of the best score is found.
fn walk_to_cutoff<'a, S: Scale>(
    task: Task<'a, S>,
    request: &Request,
) -> Result<Walked<'a>, EngineError> {
    let columns = &task.snapshot.columns;
    let mut walked = Walked {
        total: 0,
        sieve: FacetCollector::new(request, columns.dictionary()),
        top: TopK::new(wanted(request), request.sort, columns),
        pins: Pins::new(task.snapshot, &task.plan.rules.pins),
    };
    let Walked {
        total,
        sieve,
        top,
        pins,
    } = &mut walked;
    let mut cutoff = Cutoff::new(task.plan.cutoff);
    let mut sheet = ScoreAccumulator::take::<S>(task.plan.words.len());
    for at in 0..task.snapshot.texts.segments.len() {
        let mut scan = SegmentScan::new(task, at, &mut sheet)?;
        *total += scan.collect(&mut cutoff, sieve, top, pins)?;
    }
    sheet.leave();
    *total += cutoff.settle(task.view, sieve, top);
    Ok(walked)
}
