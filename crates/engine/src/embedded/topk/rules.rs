//! What rules do to a search: which documents they exclude, and by what they multiply scores.

use super::block_cache::{BlockCache, BlockQuery, BlockResults};
use super::boosts::RuleBoosts;
use super::filters::{Filters, Verdict};
use super::snapshot::EmbeddedSnapshot;
use super::succession::Succession;
use crate::columns::{Seen, View};
use crate::embedded::memo::{Memo, MemoBudget};
use crate::embedded::postings::bits::Bits;
use crate::embedded::postings::segment::SegmentView;
use crate::embedded::scale::Scale;
use domain::visitor::Visitor;
use query::breakdown::RuleMultiplier;
use query::plan::Plan;
use std::sync::Arc;
use tantivy::DocId;

/// Rule filters that one snapshot caches.
const FILTERS_MAX: usize = 32;

/// A cache for the rules of recent searches in one snapshot.
pub struct RuleCache<S: Scale> {
    filter_matches: BlockCache<S, RuleFilterQuery, FILTERS_MAX>,
    locations: Memo<String, RuledDocument>,
}

/// The filters of rules as a query whose matches are cached.
#[derive(PartialEq)]
struct RuleFilterQuery {
    filters: Filters,
    visitor: Arc<Visitor>,
}

impl<S: Scale> BlockQuery<S> for RuleFilterQuery {
    type BlockResult = Bits<S>;

    fn empty(&self) -> Bits<S> {
        Bits::none()
    }

    fn record(&self, filter_matches: &mut Bits<S>, at: usize, seen: Option<&Seen<'_>>) {
        let verdict = seen.map(|seen| self.filters.verdict(seen));
        if verdict == Some(Verdict::Passes) {
            filter_matches.set(at);
        } else {
            filter_matches.unset(at);
        }
    }
}

/// Where a document is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RuledDocument {
    /// There is no such document.
    Unknown,
    /// Its numbers are stored, but its texts are not indexed.
    NotIndexed,
    /// Number of the segment, and doc id in it.
    At(usize, DocId),
}

impl<S: Scale> RuleCache<S> {
    /// Returns an empty cache within the budget `memos`.
    pub fn new(memos: &Arc<MemoBudget>) -> Self {
        Self {
            filter_matches: BlockCache::default(),
            locations: Memo::new(memos),
        }
    }

    /// Returns the cache for the next snapshot, without doc addresses, which may have changed.
    pub fn carried(&self, succession: &Succession<'_>) -> Self {
        Self {
            filter_matches: self.filter_matches.carried(succession),
            locations: self.locations.beside(),
        }
    }

    /// Returns where the document `id` is in `snapshot`, which this cache belongs to.
    pub fn locate(&self, snapshot: &EmbeddedSnapshot<S>, id: &str) -> RuledDocument {
        if let Some(known) = self.locations.get(&(), id) {
            return known;
        }
        let location = find(snapshot, id);
        self.locations.put(&(), id.to_owned(), location, id.len());
        location
    }
}

fn find<S: Scale>(snapshot: &EmbeddedSnapshot<S>, id: &str) -> RuledDocument {
    let Some(ordinal) = snapshot.columns.ordinal(id) else {
        return RuledDocument::Unknown;
    };
    let segments = snapshot.texts.segments.iter().enumerate();
    let mut locations = segments.flat_map(|(at, segment)| {
        let documents = segment.documents_of(ordinal);
        let alive = documents.filter(|document| segment.is_alive(*document));
        alive.map(move |document| RuledDocument::At(at, document))
    });
    locations.next().unwrap_or(RuledDocument::NotIndexed)
}

/// The rules of one search.
pub struct Ruled<'a, S: Scale> {
    view: &'a View<'a>,
    /// Hidden documents by segment, in order.
    hidden: Vec<Vec<DocId>>,
    filter_matches: Option<Arc<BlockResults<S, RuleFilterQuery>>>,
    /// The boosts.
    pub boosts: Arc<RuleBoosts>,
}

impl<'a, S: Scale> Ruled<'a, S> {
    /// Returns the rules of `plan` in `snapshot` for `visitor`, to whom `view` belongs.
    pub fn new(
        snapshot: &EmbeddedSnapshot<S>,
        plan: &Plan,
        view: &'a View<'a>,
        visitor: &Arc<Visitor>,
    ) -> Self {
        let rules = &plan.rules;
        let dictionary = snapshot.columns.dictionary();
        let filter_matches = (!rules.filters.is_empty()).then(|| {
            let filter_query = RuleFilterQuery {
                filters: Filters::new(&rules.filters, dictionary),
                visitor: Arc::clone(visitor),
            };
            snapshot
                .rules
                .filter_matches
                .of(filter_query, &snapshot.texts)
        });
        Self {
            view,
            hidden: hidden(snapshot, &rules.hidden),
            filter_matches,
            boosts: Arc::new(RuleBoosts::new(&rules.boosts, dictionary)),
        }
    }

    /// Removes hidden documents and those that fail the filters from `found`, in block `number` of segment number `at`.
    pub fn restrict(
        &self,
        (at, segment): (usize, &SegmentView),
        number: usize,
        found: &mut Bits<S>,
    ) {
        let start = (number * S::BLOCK) as DocId;
        if let Some(hidden) = self.hidden.get(at) {
            let from = hidden.partition_point(|document| *document < start);
            let own = hidden[from..]
                .iter()
                .map(|document| (document - start) as usize);
            own.take_while(|at| *at < S::BLOCK)
                .for_each(|at| found.unset(at));
        }
        if let Some(filter_matches) = self.filter_matches((at, segment), number) {
            found.keep(filter_matches);
        }
    }

    /// Returns the documents of a block that pass the filters; none if there are no filters.
    pub fn filter_matches(
        &self,
        segment: (usize, &SegmentView),
        number: usize,
    ) -> Option<&Bits<S>> {
        let filter_matches = self.filter_matches.as_ref()?;
        Some(filter_matches.of(segment, number, self.view))
    }

    /// Returns the factor by which each rule multiplies the score of a document, without factors of 1.
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
        if let RuledDocument::At(segment, document) = snapshot.rules.locate(snapshot, id) {
            hidden[segment].push(document);
        }
    }
    for documents in &mut hidden {
        documents.sort_unstable();
    }
    hidden
}
