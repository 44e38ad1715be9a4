//! What rules make of a search: which documents it does not find, and what it multiplies their scores with.

use super::super::block_cache::{BlockCache, BlockQuery, BlockResults};
use super::super::memo::{Memo, MemoBudget};
use super::super::scale::Scale;
use super::super::segment::SegmentView;
use super::super::snapshot::EmbeddedSnapshot;
use super::super::succession::Succession;
use super::bits::Bits;
use super::boosts::RuleBoosts;
use super::filters::{Filters, Verdict};
use crate::columns::{Seen, View};
use domain::visitor::Visitor;
use query::breakdown::RuleMultiplier;
use query::plan::Plan;
use std::sync::Arc;
use tantivy::DocId;

/// Filters that one snapshot remembers.
const FILTERS_MAX: usize = 32;

/// What one snapshot knows of the rules of the latest searches.
pub struct RuleMemory<S: Scale> {
    meeting: BlockCache<S, Meeting, FILTERS_MAX>,
    places: Memo<String, RuledDocument>,
}

/// Which documents meet the filters of rules.
#[derive(PartialEq)]
struct Meeting {
    filters: Filters,
    visitor: Arc<Visitor>,
}

impl<S: Scale> BlockQuery<S> for Meeting {
    type BlockResult = Bits<S>;

    fn nothing(&self) -> Bits<S> {
        Bits::none()
    }

    fn note(&self, meeting: &mut Bits<S>, at: usize, seen: Option<&Seen<'_>>) {
        let verdict = seen.map(|seen| self.filters.verdict(seen));
        if verdict == Some(Verdict::Passes) {
            meeting.set(at);
        } else {
            meeting.unset(at);
        }
    }
}

/// Where the document with some id stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RuledDocument {
    /// Nowhere: there is no such document.
    Unknown,
    /// Its numbers are there and its texts are not.
    Nowhere,
    /// Number of its segment, and its place there.
    At(usize, DocId),
}

impl<S: Scale> RuleMemory<S> {
    /// Nothing, within the budget `memos`.
    pub fn new(memos: &Arc<MemoBudget>) -> Self {
        Self {
            meeting: BlockCache::default(),
            places: Memo::new(memos),
        }
    }

    /// What is known in the next state of the index; where documents stand is found anew.
    pub fn carried(&self, succession: &Succession<'_>) -> Self {
        Self {
            meeting: self.meeting.carried(succession),
            places: self.places.beside(),
        }
    }

    /// Where the document `id` stands in `snapshot`, whose memory it is.
    pub fn place(&self, snapshot: &EmbeddedSnapshot<S>, id: &str) -> RuledDocument {
        if let Some(known) = self.places.get(&(), id) {
            return known;
        }
        let place = find(snapshot, id);
        self.places.put(&(), id.to_owned(), place, id.len());
        place
    }
}

fn find<S: Scale>(snapshot: &EmbeddedSnapshot<S>, id: &str) -> RuledDocument {
    let Some(ordinal) = snapshot.columns.ordinal(id) else {
        return RuledDocument::Unknown;
    };
    let segments = snapshot.texts.segments.iter().enumerate();
    let mut places = segments.flat_map(|(at, segment)| {
        let documents = segment.documents_of(ordinal);
        let alive = documents.filter(|document| segment.is_alive(*document));
        alive.map(move |document| RuledDocument::At(at, document))
    });
    places.next().unwrap_or(RuledDocument::Nowhere)
}

/// The rules of one search.
pub struct Ruled<'a, S: Scale> {
    view: &'a View<'a>,
    /// Documents that are hidden, by segment, in order.
    hidden: Vec<Vec<DocId>>,
    meeting: Option<Arc<BlockResults<S, Meeting>>>,
    /// What multiplies scores.
    pub boosts: Arc<RuleBoosts>,
}

impl<'a, S: Scale> Ruled<'a, S> {
    /// The rules of `plan` in `snapshot` for `visitor`, who sees it by `view`.
    pub fn new(
        snapshot: &EmbeddedSnapshot<S>,
        plan: &Plan,
        view: &'a View<'a>,
        visitor: &Arc<Visitor>,
    ) -> Self {
        let rules = &plan.rules;
        let dictionary = snapshot.columns.dictionary();
        let meeting = (!rules.filters.is_empty()).then(|| {
            let question = Meeting {
                filters: Filters::new(&rules.filters, dictionary),
                visitor: Arc::clone(visitor),
            };
            snapshot.rules.meeting.of(question, &snapshot.texts)
        });
        Self {
            view,
            hidden: hidden(snapshot, &rules.hidden),
            meeting,
            boosts: Arc::new(RuleBoosts::new(&rules.boosts, dictionary)),
        }
    }

    /// Takes out of `found` what is hidden or does not meet the filters, in window `number` of segment number `at`.
    pub fn restrict(
        &self,
        (at, segment): (usize, &SegmentView),
        number: usize,
        found: &mut Bits<S>,
    ) {
        let start = (number * S::WINDOW) as DocId;
        if let Some(hidden) = self.hidden.get(at) {
            let from = hidden.partition_point(|document| *document < start);
            let own = hidden[from..]
                .iter()
                .map(|document| (document - start) as usize);
            own.take_while(|at| *at < S::WINDOW)
                .for_each(|at| found.unset(at));
        }
        if let Some(meeting) = self.meeting((at, segment), number) {
            found.keep(meeting);
        }
    }

    /// Documents of a window that meet the filters; none where there are no filters.
    pub fn meeting(&self, segment: (usize, &SegmentView), number: usize) -> Option<&Bits<S>> {
        let meeting = self.meeting.as_ref()?;
        Some(meeting.of(segment, number, self.view))
    }

    /// What every rule multiplies the score of a document with, but those that leave it as it is.
    pub fn multipliers(&self, seen: &Seen<'_>) -> Vec<RuleMultiplier> {
        self.boosts.by_rule(seen)
    }
}

fn hidden<S: Scale>(snapshot: &EmbeddedSnapshot<S>, ids: &[String]) -> Vec<Vec<DocId>> {
    if ids.is_empty() {
        return Vec::new();
    }
    let mut hidden = vec![Vec::new(); snapshot.texts.segments.len()];
    for id in ids {
        if let RuledDocument::At(segment, document) = snapshot.rules.place(snapshot, id) {
            hidden[segment].push(document);
        }
    }
    for documents in &mut hidden {
        documents.sort_unstable();
    }
    hidden
}
