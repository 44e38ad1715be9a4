//! An immutable state of an index: postings, numbers, labels and average lengths that belong together.

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

/// What a search reads. A change of numbers alone makes a new one over the same texts.
pub(super) struct EmbeddedSnapshot<S: Scale> {
    /// Postings, lengths and cards.
    pub texts: Arc<TextIndex>,
    /// Numbers and labels.
    pub columns: Columns,
    /// Which documents may be shown, and their factors, under the circumstances of the latest searches.
    pub standings: StaticScoreCache<S>,
    /// What is known of the rules of the latest searches.
    pub rules: RuleMemory<S>,
}

/// What changes with a commit only.
pub(super) struct TextIndex {
    pub searcher: Searcher,
    pub segments: Vec<SegmentView>,
    pub averages: Averages,
    pub norms: Vec<Norms>,
    pub analyser: Arc<Analyser>,
    /// Live document frequencies of stems in segments with deletions, which must be counted.
    frequencies: Memo<Box<str>, u64>,
    /// Whether the parts of the words of names are among them.
    pub partial: bool,
    /// The folder that is read, which must outlive its readers.
    _generation: Option<Arc<Generation>>,
}

impl TextIndex {
    /// What `searcher` and its `segments` hold, under `averages`; what is counted of them is kept within the budget `memos`.
    pub fn new(
        searcher: Searcher,
        segments: Vec<SegmentView>,
        averages: Averages,
        analyser: &Arc<Analyser>,
        memos: &Arc<MemoBudget>,
    ) -> Self {
        if analyser.compounds().is_some() {
            // Read before anybody asks; what cannot be read is told to who asks.
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

    /// The same texts of an index with or without parts of words, which keep the folder that they are read from.
    pub fn of(self, partial: bool, generation: &Arc<Generation>) -> Self {
        Self {
            partial,
            _generation: Some(Arc::clone(generation)),
            ..self
        }
    }

    /// Whether they hold a document of this ordinal.
    pub fn holds(&self, ordinal: u32) -> bool {
        let mut segments = self.segments.iter();
        segments.any(|segment| {
            let mut documents = segment.documents_of(ordinal);
            documents.any(|document| segment.is_alive(document))
        })
    }

    /// Whether the averages were taken of a much smaller or larger index.
    pub fn outdated(&self) -> bool {
        self.averages.outdated(self.searcher.num_docs())
    }

    /// What is shown of documents.
    pub fn cards(
        &self,
        addresses: impl Iterator<Item = DocAddress>,
    ) -> Result<Vec<Card>, EngineError> {
        let read = |at: DocAddress| {
            let cards = self.segments[at.segment_ord as usize].cards();
            Ok((cards, cards.get(at.doc_id)?))
        };
        // Places are read for all first, so that the memory of several cards is waited for at the same time.
        let read = addresses.map(read).collect::<io::Result<Vec<_>>>();
        let card =
            |(cards, bytes): (&Cards, &[u8])| Card::from_bytes(bytes).ok_or_else(|| cards.broken());
        let cards = read.and_then(|read| read.into_iter().map(card).collect());
        cards.map_err(EngineError::during("read cards"))
    }

    /// A remembered frequency, or the one that `count` finds.
    pub fn frequency(
        &self,
        stem: &str,
        count: impl FnOnce() -> Result<u64, EngineError>,
    ) -> Result<u64, EngineError> {
        if let Some(known) = self.frequencies.get(&(), stem) {
            return Ok(known);
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
        shown: &HitSink<'_>,
    ) -> Result<SearchResult, EngineError> {
        executor::search(self, plan, request, shown)
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
        let filled = |segment: &SegmentView| match field.kind() {
            FieldKind::Short | FieldKind::Long => segment.lengths(field).is_some(),
            FieldKind::Code => segment
                .terms(field)
                .is_some_and(|t| t.terms().num_terms() > 0),
            FieldKind::Autocomplete => segment.reader.num_docs() > 0,
            FieldKind::Partial => self.texts.partial && segment.reader.num_docs() > 0,
        };
        self.texts.segments.iter().any(filled)
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
