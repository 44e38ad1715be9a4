//! A segment of an index, with the data that every search reads in memory: ordinals, lengths and dictionaries.
//!
//! What does not change with deletions is shared by all views of a segment, as the `SegmentCoreReaders` of Lucene
//! are by its readers.

use super::endings::Endings;
use super::lengths::{FieldLengths, Lengths, column};
use super::vocabulary::Vocabulary;
use crate::embedded::scale::Scale;
use crate::embedded::write::cards::Cards;
use crate::embedded::write::schema::{ORDINAL, SchemaFields};
use crate::error::EngineError;
use domain::relevance::field::{FIELD_COUNT, FieldId};
use std::sync::{Arc, OnceLock};
use tantivy::index::SegmentId;
use tantivy::{DocId, InvertedIndexReader, Searcher, SegmentReader};

/// The immutable data of a segment, shared by all snapshots that contain it.
pub struct SegmentData {
    id: SegmentId,
    ordinals: Vec<u32>,
    /// Documents sorted by ordinal.
    by_ordinal: Vec<DocId>,
    lengths: Lengths,
    terms: [Option<Arc<InvertedIndexReader>>; FIELD_COUNT],
    stems: Arc<InvertedIndexReader>,
    endings: OnceLock<Endings>,
    vocabulary: OnceLock<Vocabulary>,
    cards: Cards,
    prefixes: Arc<InvertedIndexReader>,
    code_grams: Arc<InvertedIndexReader>,
    substrings: Arc<InvertedIndexReader>,
}

/// A segment in one snapshot, with its deletions.
#[derive(Clone)]
pub struct SegmentView {
    /// Tantivy's reader.
    pub reader: SegmentReader,
    data: Arc<SegmentData>,
}

impl SegmentView {
    /// The views of all segments of `searcher`. Data of segments in `known` is reused.
    pub fn all(
        searcher: &Searcher,
        fields: &SchemaFields,
        known: &[Self],
    ) -> Result<Vec<Self>, EngineError> {
        let readers = searcher.segment_readers().iter();
        let views = readers.map(|reader| Self::new(reader, fields, known));
        views.collect()
    }

    fn new(
        reader: &SegmentReader,
        fields: &SchemaFields,
        known: &[Self],
    ) -> Result<Self, EngineError> {
        let same = known
            .iter()
            .find(|view| view.data.id == reader.segment_id());
        let data = match same {
            Some(view) => Arc::clone(&view.data),
            None => Arc::new(SegmentData::read(reader, fields)?),
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

    /// The documents of an ordinal: at most one live version, and deleted versions.
    pub fn documents_of(&self, ordinal: u32) -> impl Iterator<Item = DocId> + '_ {
        let ordinal_of = |document: &DocId| self.ordinal(*document);
        let documents = &self.data.by_ordinal;
        let from = documents.partition_point(|document| ordinal_of(document) < ordinal);
        let same = documents[from..].iter().copied();
        same.take_while(move |document| self.ordinal(*document) == ordinal)
    }

    /// Id of the segment.
    pub fn id(&self) -> SegmentId {
        self.data.id
    }

    /// Whether `other` is a view of the same segment, whatever its deletions.
    pub fn is_same(&self, other: &Self) -> bool {
        self.data.id == other.data.id
    }

    /// Number of words in a field of a document.
    pub fn length(&self, field: FieldId, document: DocId) -> u16 {
        self.lengths(field)
            .map_or(0, |lengths| lengths.of(document))
    }

    /// The lengths of a field by document; none when no document has a value.
    pub fn lengths(&self, field: FieldId) -> Option<FieldLengths<'_>> {
        self.data.lengths.of(field)
    }

    /// The inverted index of a field.
    pub fn terms(&self, field: FieldId) -> Option<&Arc<InvertedIndexReader>> {
        self.data.terms[field.index()].as_ref()
    }

    /// The inverted index of the stems of all texts.
    pub fn stems(&self) -> &Arc<InvertedIndexReader> {
        &self.data.stems
    }

    /// The stems of all texts sorted by their ending; read on first use, for languages with compounds.
    pub fn endings(&self) -> Result<&Endings, EngineError> {
        if let Some(endings) = self.data.endings.get() {
            return Ok(endings);
        }
        let endings = Endings::read(self.stems())?;
        Ok(self.data.endings.get_or_init(|| endings))
    }

    /// The stems of all texts in memory; read on first use, for fuzzy matching.
    pub fn vocabulary(&self) -> Result<&Vocabulary, EngineError> {
        if let Some(vocabulary) = self.data.vocabulary.get() {
            return Ok(vocabulary);
        }
        let vocabulary = Vocabulary::read(self.stems())?;
        Ok(self.data.vocabulary.get_or_init(|| vocabulary))
    }

    /// The cards of the documents.
    pub fn cards(&self) -> &Cards {
        &self.data.cards
    }

    /// The inverted index of the prefixes of words of names.
    pub fn prefixes(&self) -> &Arc<InvertedIndexReader> {
        &self.data.prefixes
    }

    /// The inverted index of the trigrams of codes.
    pub fn code_grams(&self) -> &Arc<InvertedIndexReader> {
        &self.data.code_grams
    }

    /// The inverted index of the substrings of words of names.
    pub fn substrings(&self) -> &Arc<InvertedIndexReader> {
        &self.data.substrings
    }

    /// Number of blocks.
    pub fn blocks<S: Scale>(&self) -> usize {
        (self.reader.max_doc() as usize).div_ceil(S::BLOCK)
    }

    /// Whether a document is not deleted.
    pub fn is_alive(&self, document: DocId) -> bool {
        !self.reader.is_deleted(document)
    }

    /// All documents that are not deleted.
    pub fn alive(&self) -> impl Iterator<Item = DocId> + '_ {
        (0..self.reader.max_doc()).filter(|document| self.is_alive(*document))
    }
}

impl SegmentData {
    fn read(reader: &SegmentReader, fields: &SchemaFields) -> Result<Self, EngineError> {
        let broken = |source: tantivy::TantivyError| EngineError::new("read a segment", source);
        let ordinals = column(reader, ORDINAL).map_err(broken)?;
        let mut by_ordinal: Vec<DocId> = (0..reader.max_doc()).collect();
        by_ordinal.sort_unstable_by_key(|document| ordinals[*document as usize]);
        let mut terms: [Option<Arc<InvertedIndexReader>>; FIELD_COUNT] = Default::default();
        for field in FieldId::all() {
            if let Some(terms_field) = fields.terms(field) {
                terms[field.index()] = Some(reader.inverted_index(terms_field).map_err(broken)?);
            }
        }
        let lengths = Lengths::read(reader).map_err(broken)?;
        let stems = reader.inverted_index(fields.stems).map_err(broken)?;
        let prefixes = reader.inverted_index(fields.prefixes).map_err(broken)?;
        let code_grams = reader.inverted_index(fields.code_grams).map_err(broken)?;
        let parts = reader.inverted_index(fields.substrings).map_err(broken)?;
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
            prefixes,
            code_grams,
            substrings: parts,
        })
    }
}
