//! An immutable state of an index: consistent postings, numbers, labels and average lengths.

use super::averages::{Averages, Norms};
use super::cards::Cards;
use super::executor::{self, RuleMemory};
use super::generations::Generation;
use super::memo::{Memo, MemoBudget};
use super::scale::Scale;
use super::schema::FINGERPRINT;
use super::segment::SegmentView;
use super::static_scores::StaticScoreCache;
use crate::columns::{Columns, FieldNumber, View};
use crate::{Card, EngineError, FilterFieldUse, HitSink, Request, SearchResult, Snapshot};
use domain::relevance::field::{FieldId, FieldKind};
use domain::search::FilterField;
use domain::visitor::Visitor;
use query::{Analyser, Plan};
use std::io;
use std::sync::Arc;
use tantivy::{DocAddress, Searcher};

/// The state that a search reads. A change of numbers creates a new snapshot with the same texts.
pub(super) struct EmbeddedSnapshot<S: Scale> {
    /// Postings, lengths and cards.
    pub texts: Arc<TextIndex>,
    /// Numbers and labels.
    pub columns: Columns,
    /// The cache of static scores, by the keys of the latest searches.
    pub standings: StaticScoreCache<S>,
    /// The cache of rule results of the latest searches.
    pub rules: RuleMemory<S>,
}

/// The part of a snapshot that changes only with a commit.
pub(super) struct TextIndex {
    pub searcher: Searcher,
    pub segments: Vec<SegmentView>,
    pub averages: Averages,
    pub norms: Vec<Norms>,
    pub analyser: Arc<Analyser>,
    /// Live document frequencies of stems in segments with deletions, which must be counted.
    frequencies: Memo<Box<str>, u64>,
    /// Whether the substrings of the words of names are indexed.
    pub partial: bool,
    /// Keeps the folder alive while it is read.
    _generation: Option<Arc<Generation>>,
}

impl TextIndex {
    /// The texts of `searcher` and its `segments` under `averages`; caches are within the budget `memos`.
    pub fn new(
        searcher: Searcher,
        segments: Vec<SegmentView>,
        averages: Averages,
        analyser: &Arc<Analyser>,
        memos: &Arc<MemoBudget>,
    ) -> Self {
        if analyser.compounds().is_some() {
            // Read in advance; a search reports what cannot be read.
            segments.iter().for_each(|segment| drop(segment.endings()));
        }
        Self {
            searcher,
            segments,
            norms: Norms::all(&averages),
            averages,
            analyser: Arc::clone(analyser),
            frequencies: Memo::new(memos),
            partial: false,
            _generation: None,
        }
    }

    /// Sets whether substrings are indexed, and the generation to keep alive.
    pub fn of(self, partial: bool, generation: &Arc<Generation>) -> Self {
        Self {
            partial,
            _generation: Some(Arc::clone(generation)),
            ..self
        }
    }

    /// Whether they contain a live document with this ordinal.
    pub fn holds(&self, ordinal: u32) -> bool {
        let mut segments = self.segments.iter();
        segments.any(|segment| {
            let mut documents = segment.documents_of(ordinal);
            documents.any(|document| segment.is_alive(document))
        })
    }

    /// Whether the averages were computed from a much smaller or larger index.
    pub fn outdated(&self) -> bool {
        self.averages.outdated(self.searcher.num_docs())
    }

    /// The cards of documents.
    pub fn cards(
        &self,
        addresses: impl Iterator<Item = DocAddress>,
    ) -> Result<Vec<Card>, EngineError> {
        let read = |at: DocAddress| {
            let cards = self.segments[at.segment_ord as usize].cards();
            Ok((cards, cards.get(at.doc_id)?))
        };
        // All addresses are read first, so that cache misses of several cards overlap.
        let read = addresses.map(read).collect::<io::Result<Vec<_>>>();
        let card =
            |(cards, bytes): (&Cards, &[u8])| Card::from_bytes(bytes).ok_or_else(|| cards.broken());
        let cards = read.and_then(|read| read.into_iter().map(card).collect());
        cards.map_err(EngineError::during("read cards"))
    }

    /// The cached document frequency of `stem`, or the one that `count` returns.
    pub fn frequency(
        &self,
        stem: &str,
        count: impl FnOnce() -> Result<u64, EngineError>,
    ) -> Result<u64, EngineError> {
        if let Some(cached) = self.frequencies.get(&(), stem) {
            return Ok(cached);
        }
        let counted = count()?;
        self.frequencies.put(&(), stem.into(), counted, stem.len());
        Ok(counted)
    }
}

impl<S: Scale> Snapshot for EmbeddedSnapshot<S> {
    fn search_each(
        &self,
        plan: &Plan,
        request: &Request,
        sink: &HitSink<'_>,
    ) -> Result<SearchResult, EngineError> {
        executor::search(self, plan, request, sink)
    }

    fn documents(&self) -> u64 {
        self.texts.searcher.num_docs()
    }

    fn bytes(&self) -> u64 {
        self.texts
            .searcher
            .space_usage()
            .map_or(0, |usage| usage.total().get_bytes())
    }

    fn fingerprints(&self) -> Result<Vec<(u32, u64)>, EngineError> {
        let mut all = Vec::new();
        for segment in &self.texts.segments {
            let column = segment
                .reader
                .fast_fields()
                .u64(FINGERPRINT)
                .map_err(EngineError::during("read fingerprints"))?;
            let alive = segment.alive();
            all.extend(alive.map(|at| (segment.ordinal(at), column.first(at).unwrap_or(0))));
        }
        Ok(all)
    }

    fn holds_parts(&self) -> bool {
        self.texts.partial
    }

    fn fills(&self, field: FieldId) -> bool {
        let has_values = |segment: &SegmentView| match field.kind() {
            FieldKind::Short | FieldKind::Long => segment.lengths(field).is_some(),
            FieldKind::Code => segment
                .terms(field)
                .is_some_and(|t| t.terms().num_terms() > 0),
            FieldKind::Autocomplete => segment.reader.num_docs() > 0,
            FieldKind::Partial => self.texts.partial && segment.reader.num_docs() > 0,
        };
        self.texts.segments.iter().any(has_values)
    }

    fn filter_fields(&self, visitor: &Visitor) -> Vec<FilterFieldUse> {
        let carriers = View::new(&self.columns, visitor).all_carriers();
        let documents = |number: FieldNumber| carriers.get(number as usize).copied();
        let entries = self.columns.dictionary().read();
        let uses = entries
            .fields()
            .map(|(number, field, group)| FilterFieldUse {
                field: field.clone(),
                group: group.to_owned(),
                documents: u64::from(documents(number).unwrap_or(0)),
            });
        uses.filter(|of| of.documents > 0).collect()
    }

    fn carries(&self, field: &FilterField, visitor: &Visitor) -> bool {
        let number = self.columns.dictionary().read().number(field);
        number.is_some_and(|number| View::new(&self.columns, visitor).carriers(number) > 0)
    }

    fn hidden_from(&self, visitor: &Visitor) -> Vec<String> {
        let view = View::new(&self.columns, visitor);
        let hidden = view.hidden();
        hidden.map(|at| self.columns.id(at).to_owned()).collect()
    }

    fn averages(&self) -> Vec<(FieldId, f64)> {
        FieldId::texts()
            .map(|field| (field, self.texts.averages.length(field)))
            .collect()
    }
}
