//! Searches all segments: matches, counts, ranks.
//!
//! If many hits are requested, the threshold of the top-k stays low for long, and nearly every document would be scored
//! completely. So a sample of blocks, spread over the whole index, is searched first to estimate the score of the last
//! hit. All blocks are then searched with this estimate as the initial threshold, in parallel if cores are idle. If the
//! hits do not reach it in the end, the search is repeated without it, so no result depends on the sample.
//!
//! Of the ways to estimate a threshold in Mallia, Siedlaczek, Sun & Suel, "A comparison of top-k threshold
//! estimation techniques for disjunctive query processing", 2020, this is the one by sampling.

use super::collector::Collector;
use super::cutoff::Cutoff;
use super::heap::TopK;
use super::pins::Pins;
use super::scan::SegmentScan;
use super::score_accumulator::ScoreAccumulator;
use super::task::Task;
use crate::embedded::postings::segment::SegmentView;
use crate::embedded::scale::Scale;
use crate::parallel::{run_parallel, threads};
use crate::{EngineError, Request};
use parking_lot::Mutex;

/// Hits that are expected above the estimated threshold, per requested hit: enough that it hardly ever fails.
const EXPECTED_PER_HIT: usize = 2;

/// The result of a search of all segments.
pub struct Walked<'a, C> {
    pub total: u64,
    pub collector: C,
    pub top_k: TopK<'a>,
    pub pins: Pins,
}

/// The number of a segment and some of its blocks, in order.
type WorkItem = (usize, Vec<usize>);

/// Searches all segments of the snapshot of `task`.
pub fn walk<'a, S: Scale, C: Collector>(
    task: Task<'a, S>,
    request: &Request,
) -> Result<Walked<'a, C>, EngineError> {
    if task.plan.cutoff > 0 {
        return walk_to_cutoff(task, request);
    }
    let segments = &task.snapshot.texts.segments;
    let blocks: usize = segments.iter().map(SegmentView::blocks::<S>).sum();
    let many = hits_needed(request) >= S::PARALLEL_HITS_MIN && blocks > S::SAMPLE_STRIDE;
    // The state of pins is recorded during the search, by one thread.
    let parallel = many && task.plan.rules.pins.is_empty();
    let threads = if parallel { threads() } else { 1 };
    let expected = if many {
        sample::<S, C>(task, request, threads)?
    } else {
        None
    };
    let mut walked = search_from(task, request, expected, threads)?;
    if !walked.top_k.reached_expected() {
        walked = search_from(task, request, None, threads)?;
    }
    Ok(walked)
}

/// Returns the size of the top-k: at most as many of the best hits as were shown before are left out.
fn hits_needed(request: &Request) -> usize {
    request.exclude.len() + request.offset + request.limit
}

/// Estimates the score of the last hit from a sample; none if the order is not by score or the sample is too small.
fn sample<S: Scale, C: Collector>(
    task: Task<'_, S>,
    request: &Request,
    threads: usize,
) -> Result<Option<f64>, EngineError> {
    let columns = &task.snapshot.columns;
    let limit = (EXPECTED_PER_HIT * hits_needed(request)).div_ceil(S::SAMPLE_STRIDE);
    let top_k = TopK::new(limit, request.sort, columns);
    if !top_k.by_score() {
        return Ok(None);
    }
    let work = SharedWork::new(task, (S::SAMPLE_STRIDE, 1), threads, top_k);
    let found = run_parallel(threads, &work.work_items, |own| {
        let collector = C::of_choices(request, columns.dictionary());
        work.search(own, collector, Pins::new(task.snapshot, &[]))
    });
    found.into_iter().collect::<Result<Vec<_>, _>>()?;
    Ok(work.top_k.into_inner().threshold())
}

/// Searches all segments, with `expected` as the initial threshold if there is one.
fn search_from<'a, S: Scale, C: Collector>(
    task: Task<'a, S>,
    request: &Request,
    expected: Option<f64>,
    threads: usize,
) -> Result<Walked<'a, C>, EngineError> {
    let columns = &task.snapshot.columns;
    let top_k =
        TopK::new(hits_needed(request), request.sort, columns).with_expected_threshold(expected);
    let work = SharedWork::new(task, (1, S::WORK_ITEM_BLOCKS_MIN), threads, top_k);
    let found = run_parallel(threads, &work.work_items, |own| {
        let collector = C::new(request, columns.dictionary());
        // If there are pins, there is one thread.
        let pins = Pins::new(task.snapshot, &task.plan.rules.pins);
        work.search(own, collector, pins)
    });
    let mut found = found.into_iter();
    let first = found.next().expect("the calling thread takes part");
    let (mut total, mut collector, pins) = first?;
    for others in found {
        let (more, counted, _) = others?;
        total += more;
        collector.merge(counted);
    }
    Ok(Walked {
        total,
        collector,
        top_k: work.top_k.into_inner(),
        pins,
    })
}

/// The work items of a search, which threads take one after the other, and the top-k of all threads.
struct SharedWork<'a, S: Scale> {
    task: Task<'a, S>,
    work_items: Vec<WorkItem>,
    top_k: Mutex<TopK<'a>>,
}

impl<'a, S: Scale> SharedWork<'a, S> {
    /// Takes one of `every` blocks, counted through all segments so that small segments are sampled too. For several
    /// threads, work items become shorter towards the end, down to `least` blocks, so that all threads end at about the
    /// same time.
    fn new(
        task: Task<'a, S>,
        (every, least): (usize, usize),
        threads: usize,
        top_k: TopK<'a>,
    ) -> Self {
        let segments = &task.snapshot.texts.segments;
        let mut remaining = segments.iter().map(SegmentView::blocks::<S>).sum::<usize>() / every;
        let mut work_items = Vec::new();
        let mut next = every / 2;
        for (at, segment) in segments.iter().enumerate() {
            let blocks = segment.blocks::<S>();
            let mut own = (next..blocks).step_by(every);
            next = next + own.len() * every - blocks;
            while own.len() > 0 {
                let length = match threads {
                    1 => own.len(),
                    _ => (remaining / (2 * threads)).max(least),
                };
                let work_item: Vec<usize> = own.by_ref().take(length).collect();
                remaining = remaining.saturating_sub(work_item.len());
                work_items.push((at, work_item));
            }
        }
        Self {
            task,
            work_items,
            top_k: Mutex::new(top_k),
        }
    }

    /// Searches `work_items` and returns the number of matching documents, and the `collector` and `pins` with what
    /// they recorded.
    fn search<C: Collector>(
        &self,
        work_items: &mut dyn Iterator<Item = &WorkItem>,
        mut collector: C,
        mut pins: Pins,
    ) -> Result<(u64, C, Pins), EngineError> {
        let mut accumulator = ScoreAccumulator::take::<S>(self.task.plan.words.len());
        let mut total = 0;
        let mut next = work_items.next();
        while let Some((at, blocks)) = next {
            let mut scan = SegmentScan::new(self.task, *at, &mut accumulator)?;
            total += scan.run(blocks, &mut collector, &self.top_k, &mut pins)?;
            // The posting lists stay open while the thread stays in the segment.
            next = work_items.next();
            while let Some((_, blocks)) = next.filter(|(segment, _)| segment == at) {
                total += scan.run(blocks, &mut collector, &self.top_k, &mut pins)?;
                next = work_items.next();
            }
        }
        accumulator.give_back();
        Ok((total, collector, pins))
    }
}

/// Searches all segments for hits that reach a percentage of the best score.
fn walk_to_cutoff<'a, S: Scale, C: Collector>(
    task: Task<'a, S>,
    request: &Request,
) -> Result<Walked<'a, C>, EngineError> {
    let columns = &task.snapshot.columns;
    let mut walked = Walked {
        total: 0,
        collector: C::new(request, columns.dictionary()),
        top_k: TopK::new(hits_needed(request), request.sort, columns),
        pins: Pins::new(task.snapshot, &task.plan.rules.pins),
    };
    let Walked {
        total,
        collector,
        top_k,
        pins,
    } = &mut walked;
    let mut cutoff = Cutoff::new(task.plan.cutoff);
    let mut accumulator = ScoreAccumulator::take::<S>(task.plan.words.len());
    for at in 0..task.snapshot.texts.segments.len() {
        let mut scan = SegmentScan::new(task, at, &mut accumulator)?;
        *total += scan.collect(&mut cutoff, collector, top_k, pins)?;
    }
    accumulator.give_back();
    *total += cutoff.finish(task.view, collector, top_k);
    Ok(walked)
}
