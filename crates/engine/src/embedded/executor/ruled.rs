//! What rules make of a search: which documents it does not find, and what it multiplies their scores with.
//!
//! Both are worked out once for all documents of a window and remembered by the snapshot, so that a rule that fires
//! often costs a search next to nothing.

use super::super::by_window::{ByWindow, Latest};
use super::super::segment::SegmentView;
use super::super::snapshot::EmbeddedSnapshot;
use super::WINDOW;
use super::bits::Bits;
use super::boosts::Boosts;
use super::filters::{Filters, Verdict};
use crate::columns::{Seen, View};
use domain::search::Choice;
use domain::visitor::Visitor;
use parking_lot::Mutex;
use query::breakdown::RuleMultiplier;
use query::plan::Plan;
use query::rules::BoostRule;
use std::collections::HashMap;
use std::sync::Arc;
use tantivy::DocId;

/// Filters, and sets of boosts, that one snapshot remembers.
const FILTERS_MAX: usize = 32;
const BOOSTS_MAX: usize = 8;
/// Ids whose places it remembers.
const PLACES_MAX: usize = 20_000;

/// Documents of a window that meet filters.
type Meeting = Latest<(Vec<Choice>, Arc<Visitor>), Bits, FILTERS_MAX>;
/// Multipliers of a window; none when all are 1.
type Multipliers = Option<Box<[f64]>>;
type Lifts = Latest<(Vec<BoostRule>, Arc<Visitor>), Multipliers, BOOSTS_MAX>;

/// What one snapshot knows of the rules of the latest searches.
#[derive(Default)]
pub struct RuleMemory {
    meeting: Meeting,
    lifts: Lifts,
    places: Mutex<HashMap<String, Place>>,
}

/// Where the document with some id stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Nowhere: there is no such document.
    Unknown,
    /// Its numbers are there and its texts are not.
    Nowhere,
    /// Number of its segment, and its place there.
    At(usize, DocId),
}

impl RuleMemory {
    /// Where the document `id` stands in `snapshot`, whose memory it is.
    pub fn place(&self, snapshot: &EmbeddedSnapshot, id: &str) -> Place {
        if let Some(known) = self.places.lock().get(id) {
            return *known;
        }
        let place = find(snapshot, id);
        let mut places = self.places.lock();
        if places.len() >= PLACES_MAX {
            places.clear();
        }
        places.insert(id.to_owned(), place);
        place
    }
}

fn find(snapshot: &EmbeddedSnapshot, id: &str) -> Place {
    let Some(ordinal) = snapshot.columns.ordinal(id) else {
        return Place::Unknown;
    };
    let segments = snapshot.texts.segments.iter().enumerate();
    let mut places = segments.flat_map(|(at, segment)| {
        let documents = segment.documents_of(ordinal);
        let alive = documents.filter(|document| segment.is_alive(*document));
        alive.map(move |document| Place::At(at, document))
    });
    places.next().unwrap_or(Place::Nowhere)
}

/// The rules of one search.
pub struct Ruled<'a> {
    view: &'a View<'a>,
    /// Documents that are hidden, by segment, in order.
    hidden: Vec<Vec<DocId>>,
    filters: Option<(Filters, Arc<ByWindow<Bits>>)>,
    boosts: Option<(Boosts, Arc<ByWindow<Multipliers>>)>,
}

/// Factors of some documents of a window with what rules multiply.
pub struct Lifted {
    /// By document, in single precision as those of the window.
    pub factors: Vec<f32>,
    /// The highest of them.
    pub highest: f32,
}

impl Lifted {
    /// The factors of `documents` that `factor` tells, in the given room; what stands there of others means nothing.
    pub fn new(mut factors: Vec<f32>, documents: &Bits, factor: impl Fn(usize) -> f32) -> Self {
        factors.resize(WINDOW, 0.0);
        let mut highest = 0.0f32;
        for at in documents.iter() {
            factors[at] = factor(at);
            highest = highest.max(factors[at]);
        }
        Self { factors, highest }
    }
}

impl<'a> Ruled<'a> {
    /// The rules of `plan` in `snapshot` for `visitor`, who sees it by `view`.
    pub fn new(
        snapshot: &EmbeddedSnapshot,
        plan: &Plan,
        view: &'a View<'a>,
        visitor: &Arc<Visitor>,
    ) -> Self {
        let rules = &plan.rules;
        let dictionary = snapshot.columns.dictionary();
        let (texts, memory) = (&snapshot.texts, &snapshot.rules);
        let filters = (!rules.filters.is_empty()).then(|| {
            let question = (rules.filters.clone(), Arc::clone(visitor));
            let known = memory.meeting.of(question, texts);
            (Filters::new(&rules.filters, dictionary), known)
        });
        let boosts = (!rules.boosts.is_empty()).then(|| {
            let question = (rules.boosts.clone(), Arc::clone(visitor));
            let known = memory.lifts.of(question, texts);
            (Boosts::new(&rules.boosts, dictionary), known)
        });
        Self {
            view,
            hidden: hidden(snapshot, &rules.hidden),
            filters,
            boosts,
        }
    }

    /// Takes out of `found` what is hidden or does not meet the filters, in window `number` of segment number `at`.
    pub fn restrict(&self, (at, segment): (usize, &SegmentView), number: usize, found: &mut Bits) {
        let start = (number * WINDOW) as DocId;
        if let Some(hidden) = self.hidden.get(at) {
            let from = hidden.partition_point(|document| *document < start);
            let own = hidden[from..]
                .iter()
                .map(|document| (document - start) as usize);
            own.take_while(|at| *at < WINDOW)
                .for_each(|at| found.unset(at));
        }
        if let Some(meeting) = self.meeting((at, segment), number) {
            found.keep(meeting);
        }
    }

    /// Documents of a window that meet the filters; none where there are no filters.
    pub fn meeting(&self, (at, segment): (usize, &SegmentView), number: usize) -> Option<&Bits> {
        let (filters, known) = self.filters.as_ref()?;
        Some(known.of(at, number, || {
            let mut meeting = Bits::none();
            for (place, seen) in self.documents(segment, number) {
                if filters.verdict(&seen) == Verdict::Passes {
                    meeting.set(place);
                }
            }
            meeting
        }))
    }

    /// What scores of a window are multiplied with; none where all stay as they are.
    pub fn lifts(&self, (at, segment): (usize, &SegmentView), number: usize) -> Option<&[f64]> {
        let (boosts, known) = self.boosts.as_ref()?;
        let lifts = known.of(at, number, || {
            let mut lifts = vec![1.0; WINDOW];
            let mut any = false;
            for (place, seen) in self.documents(segment, number) {
                lifts[place] = boosts.multiplier(&seen);
                any |= lifts[place] != 1.0;
            }
            any.then(|| lifts.into_boxed_slice())
        });
        lifts.as_deref()
    }

    fn documents(
        &self,
        segment: &SegmentView,
        number: usize,
    ) -> impl Iterator<Item = (usize, Seen<'_>)> {
        let start = number * WINDOW;
        let end = (start + WINDOW).min(segment.reader.max_doc() as usize);
        (start..end).filter_map(move |document| {
            let seen = self.view.see(segment.ordinal(document as DocId))?;
            Some((document - start, seen))
        })
    }

    /// What every rule multiplies the score of a document with, but those that leave it as it is.
    pub fn multipliers(&self, seen: &Seen<'_>) -> Vec<RuleMultiplier> {
        let boosts = self.boosts.as_ref().map(|(boosts, _)| boosts);
        boosts.map_or_else(Vec::new, |boosts| boosts.by_rule(seen))
    }
}

fn hidden(snapshot: &EmbeddedSnapshot, ids: &[String]) -> Vec<Vec<DocId>> {
    if ids.is_empty() {
        return Vec::new();
    }
    let mut hidden = vec![Vec::new(); snapshot.texts.segments.len()];
    for id in ids {
        if let Place::At(segment, document) = snapshot.rules.place(snapshot, id) {
            hidden[segment].push(document);
        }
    }
    for documents in &mut hidden {
        documents.sort_unstable();
    }
    hidden
}
