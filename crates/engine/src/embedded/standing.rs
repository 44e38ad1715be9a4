//! What documents stand for before any word is looked at: whether they may be shown, and what multiplies their score.
//!
//! It is kept dense, by segment and window, so that a search reads a few bytes for each document that it finds and
//! passes over windows in which nothing can reach the best. Only what ranks at the end is read from the columns.

use super::executor::WINDOW;
use super::executor::bits::Bits;
use super::segment::SegmentView;
use super::snapshot::Texts;
use crate::columns::{Columns, View};
use domain::visitor::Visitor;
use parking_lot::Mutex;
use query::Plan;
use query::scoring::{FactorBoosts, factors};
use std::sync::{Arc, OnceLock};
use tantivy::DocId;

/// Circumstances that one snapshot remembers: those of shoppers and of the simulator's latest questions.
const REMEMBERED_MAX: usize = 6;

/// What the standing of documents depends on beside their numbers.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Circumstances {
    factors: FactorBoosts,
    hide_out_of_stock: bool,
    visitor: Arc<Visitor>,
}

impl Circumstances {
    /// The circumstances of a plan that is executed for `visitor`.
    pub fn of(plan: &Plan, visitor: &Arc<Visitor>) -> Self {
        Self {
            visitor: Arc::clone(visitor),
            factors: plan.factors,
            hide_out_of_stock: plan.hide_out_of_stock,
        }
    }

    /// The factor of a document; none when it may not be shown.
    fn factor(&self, segment: &SegmentView, document: DocId, view: &View<'_>) -> Option<f32> {
        let seen = view.see(segment.ordinal(document)).filter(|seen| {
            segment.is_alive(document) && !(self.hide_out_of_stock && seen.row().hidden_when_out())
        })?;
        Some(factors(&self.factors, &seen.factor_values()).multiplier as f32)
    }
}

/// The documents of one window.
#[derive(Clone)]
pub(super) struct Window {
    /// Those that may be shown.
    pub shown: Bits,
    /// Their factors in single precision, good for comparing with a margin; 0 for the others.
    pub factors: Vec<f32>,
    /// The highest of them.
    pub highest: f32,
}

/// The documents of a snapshot under some circumstances, by segment and window; each is worked out when it is needed.
pub(super) struct Standing {
    circumstances: Circumstances,
    segments: Vec<Vec<OnceLock<Arc<Window>>>>,
}

impl Standing {
    fn new(circumstances: Circumstances, texts: &Texts) -> Self {
        let segments = texts.segments.iter().map(unknown);
        Self {
            circumstances,
            segments: segments.collect(),
        }
    }

    /// Window number `number` of segment number `at`, which is `segment`.
    pub fn window(
        &self,
        (at, segment): (usize, &SegmentView),
        number: usize,
        view: &View<'_>,
    ) -> &Window {
        self.segments[at][number].get_or_init(|| {
            let start = number * WINDOW;
            let end = (start + WINDOW).min(segment.reader.max_doc() as usize);
            let mut window = Window {
                shown: Bits::none(),
                factors: vec![0.0; WINDOW],
                highest: 0.0,
            };
            for document in start..end {
                let factor = (self.circumstances).factor(segment, document as DocId, view);
                window.put(document - start, factor);
            }
            window.note_highest();
            Arc::new(window)
        })
    }

    /// The same after `changed` documents of segment `at` got other numbers or were deleted.
    fn changed(
        &self,
        at: usize,
        segment: &SegmentView,
        changed: &[DocId],
        view: &View<'_>,
    ) -> Vec<OnceLock<Arc<Window>>> {
        let mut windows = self.segments[at].clone();
        for own in changed.chunk_by(|a, b| *a as usize / WINDOW == *b as usize / WINDOW) {
            let number = own[0] as usize / WINDOW;
            let Some(window) = windows[number].get_mut() else {
                continue;
            };
            let window = Arc::make_mut(window);
            for document in own {
                let factor = self.circumstances.factor(segment, *document, view);
                window.put(*document as usize - number * WINDOW, factor);
            }
            window.note_highest();
        }
        windows
    }
}

impl Window {
    fn put(&mut self, at: usize, factor: Option<f32>) {
        self.factors[at] = factor.unwrap_or(0.0);
        match factor {
            Some(_) => self.shown.set(at),
            None => self.shown.unset(at),
        }
    }

    fn note_highest(&mut self) {
        // None is negative, and the bits of such numbers are ordered as they are; so many are compared at once.
        let bits = self.factors.iter().map(|factor| factor.to_bits());
        self.highest = f32::from_bits(bits.max().unwrap_or(0));
    }
}

fn unknown(segment: &SegmentView) -> Vec<OnceLock<Arc<Window>>> {
    let windows = (segment.reader.max_doc() as usize).div_ceil(WINDOW);
    vec![OnceLock::new(); windows]
}

/// The standings that a snapshot knows, the latest used first.
#[derive(Default)]
pub(super) struct Standings(Mutex<Vec<Arc<Standing>>>);

impl Standings {
    /// The standing of the documents of `texts` under `circumstances`.
    pub fn of(&self, circumstances: Circumstances, texts: &Texts) -> Arc<Standing> {
        let mut known = self.0.lock();
        let at = known
            .iter()
            .position(|standing| standing.circumstances == circumstances);
        let standing = match at {
            Some(at) => known.remove(at),
            None => Arc::new(Standing::new(circumstances, texts)),
        };
        known.insert(0, Arc::clone(&standing));
        known.truncate(REMEMBERED_MAX);
        standing
    }

    /// What is known of `new` texts and columns, which differ from the `old` ones in the documents `changed` alone.
    ///
    /// A segment that lost other documents too starts anew, as one does that is new.
    pub fn carried(&self, old: &Texts, new: &Texts, columns: &Columns, changed: &[u32]) -> Self {
        let known = self.0.lock().clone();
        if known.is_empty() {
            return Self::default();
        }
        let segments: Vec<Option<(usize, Vec<DocId>)>> = new
            .segments
            .iter()
            .map(|segment| same_segment(segment, old, changed))
            .collect();
        let carried = known.iter().map(|standing| {
            let view = View::new(columns, &standing.circumstances.visitor);
            let segments = new.segments.iter().zip(&segments);
            let windows = segments.map(|(segment, same)| match same {
                Some((at, documents)) => standing.changed(*at, segment, documents, &view),
                None => unknown(segment),
            });
            Arc::new(Standing {
                circumstances: standing.circumstances.clone(),
                segments: windows.collect(),
            })
        });
        Self(Mutex::new(carried.collect()))
    }
}

/// Where a segment was among the `old` ones, with its documents that are `changed`, in order.
fn same_segment(
    segment: &SegmentView,
    old: &Texts,
    changed: &[u32],
) -> Option<(usize, Vec<DocId>)> {
    let at = old.segments.iter().position(|view| view.is_same(segment))?;
    let former = &old.segments[at];
    let mut documents: Vec<DocId> = changed
        .iter()
        .flat_map(|ordinal| segment.documents_of(*ordinal))
        .collect();
    documents.sort_unstable();
    let lost = |document: &&DocId| former.is_alive(**document) && !segment.is_alive(**document);
    let deleted = |view: &SegmentView| view.reader.num_deleted_docs() as usize;
    let told = deleted(former) + documents.iter().filter(lost).count();
    (deleted(segment) == told).then_some((at, documents))
}
