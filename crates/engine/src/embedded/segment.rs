//! One segment of an index with what is read from it for every query: ordinals and lengths as plain arrays.

use super::cards::Cards;
use super::endings::Endings;
use super::executor::PhraseCache;
use super::fuzzy_terms::FuzzyTermCache;
use super::lengths::{FieldLengths, Lengths, column};
use super::memo::MemoBudget;
use super::scale::Scale;
use super::schema::{ORDINAL, SchemaFields};
use super::term_postings::TermPostingsCache;
use super::vocabulary::Vocabulary;
use crate::error::EngineError;
use domain::relevance::field::{FIELD_COUNT, FieldId};
use std::sync::{Arc, OnceLock};
use tantivy::index::SegmentId;
use tantivy::{DocId, InvertedIndexReader, Searcher, SegmentReader};

/// What never changes while a segment lives, shared by all snapshots that hold it.
pub struct SegmentData {
    id: SegmentId,
    ordinals: Vec<u32>,
    /// Documents in the order of their ordinals.
    by_ordinal: Vec<DocId>,
    lengths: Lengths,
    terms: [Option<Arc<InvertedIndexReader>>; FIELD_COUNT],
    stems: Arc<InvertedIndexReader>,
    endings: OnceLock<Endings>,
    vocabulary: OnceLock<Vocabulary>,
    cards: Cards,
    term_lists: TermPostingsCache,
    near_places: FuzzyTermCache,
    phrases: PhraseCache,
    prefixes: Arc<InvertedIndexReader>,
    code_grams: Arc<InvertedIndexReader>,
    parts: Arc<InvertedIndexReader>,
}

/// A segment as one snapshot sees it: with the deletions of that moment.
#[derive(Clone)]
pub struct SegmentView {
    /// Tantivy's reader.
    pub reader: SegmentReader,
    data: Arc<SegmentData>,
}

impl SegmentView {
    /// The views of all segments of `searcher`, with the data of `known` for those that are among them; what searches
    /// compute of the others is kept within the budget `memos`.
    pub fn all(
        searcher: &Searcher,
        fields: &SchemaFields,
        known: &[Self],
        memos: &Arc<MemoBudget>,
    ) -> Result<Vec<Self>, EngineError> {
        let readers = searcher.segment_readers().iter();
        let views = readers.map(|reader| Self::new(reader, fields, known, memos));
        views.collect()
    }

    fn new(
        reader: &SegmentReader,
        fields: &SchemaFields,
        known: &[Self],
        memos: &Arc<MemoBudget>,
    ) -> Result<Self, EngineError> {
        let same = known
            .iter()
            .find(|view| view.data.id == reader.segment_id());
        let data = match same {
            Some(view) => Arc::clone(&view.data),
            None => Arc::new(SegmentData::read(reader, fields, memos)?),
        };
        Ok(Self {
            reader: reader.clone(),
            data,
        })
    }

    /// Ordinal of a document.
    pub fn ordinal(&self, document: DocId) -> u32 {
        self.data.ordinals[document as usize]
    }

    /// The documents of an ordinal: a version that lives, and versions that were deleted.
    pub fn documents_of(&self, ordinal: u32) -> impl Iterator<Item = DocId> + '_ {
        let of = |document: &DocId| self.ordinal(*document);
        let documents = &self.data.by_ordinal;
        let from = documents.partition_point(|document| of(document) < ordinal);
        let same = documents[from..].iter().copied();
        same.take_while(move |document| self.ordinal(*document) == ordinal)
    }

    /// Number of the segment.
    pub fn id(&self) -> SegmentId {
        self.data.id
    }

    /// Whether it is a view of the same segment, with other deletions or the same.
    pub fn is_same(&self, other: &Self) -> bool {
        self.data.id == other.data.id
    }

    /// Number of words of a document's field.
    pub fn length(&self, field: FieldId, document: DocId) -> u16 {
        self.lengths(field)
            .map_or(0, |lengths| lengths.of(document))
    }

    /// The lengths of a field by document; none when no document fills it.
    pub fn lengths(&self, field: FieldId) -> Option<FieldLengths<'_>> {
        self.data.lengths.of(field)
    }

    /// The terms of a field.
    pub fn terms(&self, field: FieldId) -> Option<&Arc<InvertedIndexReader>> {
        self.data.terms[field.index()].as_ref()
    }

    /// The stems of all texts.
    pub fn stems(&self) -> &Arc<InvertedIndexReader> {
        &self.data.stems
    }

    /// The stems of all texts by their last letters; read once, and only where a language asks for it.
    pub fn endings(&self) -> Result<&Endings, EngineError> {
        if let Some(endings) = self.data.endings.get() {
            return Ok(endings);
        }
        let endings = Endings::read(self.stems())?;
        Ok(self.data.endings.get_or_init(|| endings))
    }

    /// The stems of all texts in memory; read once, when typos are looked for.
    pub fn vocabulary(&self) -> Result<&Vocabulary, EngineError> {
        if let Some(vocabulary) = self.data.vocabulary.get() {
            return Ok(vocabulary);
        }
        let vocabulary = Vocabulary::read(self.stems())?;
        Ok(self.data.vocabulary.get_or_init(|| vocabulary))
    }

    /// What is shown of its documents.
    pub fn cards(&self) -> &Cards {
        &self.data.cards
    }

    /// The lists of terms that were asked for.
    pub fn term_lists(&self) -> &TermPostingsCache {
        &self.data.term_lists
    }

    /// Where terms stand that are near a word that was asked for.
    pub fn near_places(&self) -> &FuzzyTermCache {
        &self.data.near_places
    }

    /// The rows of words that were asked for.
    pub fn phrases(&self) -> &PhraseCache {
        &self.data.phrases
    }

    /// The beginnings of words of names.
    pub fn prefixes(&self) -> &Arc<InvertedIndexReader> {
        &self.data.prefixes
    }

    /// Parts of codes.
    pub fn code_grams(&self) -> &Arc<InvertedIndexReader> {
        &self.data.code_grams
    }

    /// The parts of words of names.
    pub fn parts(&self) -> &Arc<InvertedIndexReader> {
        &self.data.parts
    }

    /// Number of its windows.
    pub fn windows<S: Scale>(&self) -> usize {
        (self.reader.max_doc() as usize).div_ceil(S::WINDOW)
    }

    /// Whether a document was not deleted.
    pub fn is_alive(&self, document: DocId) -> bool {
        !self.reader.is_deleted(document)
    }

    /// All documents that were not deleted.
    pub fn alive(&self) -> impl Iterator<Item = DocId> + '_ {
        (0..self.reader.max_doc()).filter(|document| self.is_alive(*document))
    }
}

impl SegmentData {
    fn read(
        reader: &SegmentReader,
        fields: &SchemaFields,
        memos: &Arc<MemoBudget>,
    ) -> Result<Self, EngineError> {
        let broken = |source: tantivy::TantivyError| EngineError::new("read a segment", source);
        let ordinals = column(reader, ORDINAL).map_err(broken)?;
        let mut by_ordinal: Vec<DocId> = (0..reader.max_doc()).collect();
        by_ordinal.sort_unstable_by_key(|document| ordinals[*document as usize]);
        let mut terms: [Option<Arc<InvertedIndexReader>>; FIELD_COUNT] = Default::default();
        for field in FieldId::all() {
            if let Some(place) = fields.terms(field) {
                terms[field.index()] = Some(reader.inverted_index(place).map_err(broken)?);
            }
        }
        let lengths = Lengths::read(reader).map_err(broken)?;
        let stems = reader.inverted_index(fields.stems).map_err(broken)?;
        let prefixes = reader.inverted_index(fields.prefixes).map_err(broken)?;
        let code_grams = reader.inverted_index(fields.code_grams).map_err(broken)?;
        let parts = reader.inverted_index(fields.parts).map_err(broken)?;
        let cards = Cards::read(reader).map_err(broken)?;
        Ok(Self {
            id: reader.segment_id(),
            ordinals,
            by_ordinal,
            lengths,
            terms,
            stems,
            endings: OnceLock::new(),
            vocabulary: OnceLock::new(),
            cards,
            term_lists: TermPostingsCache::new(memos),
            near_places: FuzzyTermCache::new(memos),
            phrases: PhraseCache::new(memos),
            prefixes,
            code_grams,
            parts,
        })
    }
}
