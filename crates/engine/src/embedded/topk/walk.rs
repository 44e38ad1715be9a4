//! Searches all segments: matches, counts, ranks.
//!
//! If many hits are requested, the threshold of the top-k stays low for long, and nearly every document would be scored
//! completely. So a sample of blocks, spread over the whole index, is searched first to estimate the score of the last
//! hit. All blocks are then searched with this estimate as the initial threshold. If the hits do not reach it in the end,
//! the search is repeated without it, so no result depends on the sample.
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
use crate::{EngineError, Request};

/// Hits that are expected above the estimated threshold, per requested hit: enough that it hardly ever fails.
const EXPECTED_PER_HIT: usize = 2;

/// The result of a search of all segments.
pub struct Walked<'a, C> {
    pub total: u64,
    pub collector: C,
    pub top_k: TopK<'a>,
    pub pins: Pins,
}

impl<'a, C: Collector> Walked<'a, C> {
    /// Returns the state before the first block, for the hits that `request` needs.
    fn new<S: Scale>(task: Task<'a, S>, request: &Request) -> Self {
        let columns = &task.snapshot.columns;
        Self {
            total: 0,
            collector: C::new(request, columns.dictionary()),
            top_k: TopK::new(hits_needed(request), request.sort, columns),
            pins: Pins::new(task.snapshot, &task.plan.rules.pins),
        }
    }
}

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
    let many = hits_needed(request) >= S::SAMPLE_HITS_MIN && blocks > S::SAMPLE_STRIDE;
    let expected = if many {
        sample::<S, C>(task, request)?
    } else {
        None
    };
    let mut walked = walk_from(task, request, expected)?;
    if !walked.top_k.reached_expected() {
        walked = walk_from(task, request, None)?;
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
) -> Result<Option<f64>, EngineError> {
    let columns = &task.snapshot.columns;
    let limit = (EXPECTED_PER_HIT * hits_needed(request)).div_ceil(S::SAMPLE_STRIDE);
    let mut walked = Walked {
        total: 0,
        collector: C::of_choices(request, columns.dictionary()),
        top_k: TopK::new(limit, request.sort, columns),
        pins: Pins::new(task.snapshot, &[]),
    };
    if !walked.top_k.by_score() {
        return Ok(None);
    }
    search(task, S::SAMPLE_STRIDE, &mut walked)?;
    Ok(walked.top_k.threshold())
}

/// Searches all blocks, with `expected` as the initial threshold if there is one.
fn walk_from<'a, S: Scale, C: Collector>(
    task: Task<'a, S>,
    request: &Request,
    expected: Option<f64>,
) -> Result<Walked<'a, C>, EngineError> {
    let mut walked = Walked::new(task, request);
    walked.top_k = walked.top_k.with_expected_threshold(expected);
    search(task, 1, &mut walked)?;
    Ok(walked)
}

/// Searches one of `every` blocks, counted through all segments so that small segments are sampled too.
fn search<S: Scale, C: Collector>(
    task: Task<'_, S>,
    every: usize,
    walked: &mut Walked<'_, C>,
) -> Result<(), EngineError> {
    let Walked {
        total,
        collector,
        top_k,
        pins,
    } = walked;
    let mut accumulator = ScoreAccumulator::take::<S>(task.plan.words.len());
    let mut next = every / 2;
    for (at, segment) in task.snapshot.texts.segments.iter().enumerate() {
        let blocks = segment.blocks::<S>();
        let own = (next..blocks).step_by(every);
        next = next + own.len() * every - blocks;
        if own.len() > 0 {
            let mut scan = SegmentScan::new(task, at, &mut accumulator)?;
            *total += scan.run(own, collector, top_k, pins)?;
        }
    }
    accumulator.give_back();
    Ok(())
}

/// Searches all segments for hits that reach a percentage of the best score.
fn walk_to_cutoff<'a, S: Scale, C: Collector>(
    task: Task<'a, S>,
    request: &Request,
) -> Result<Walked<'a, C>, EngineError> {
    let mut walked = Walked::new(task, request);
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
