//! The texts of an index in one state: its segments, their average lengths, and what searches computed about them.

use super::forms::SameForms;
use super::lookups::terms;
use super::norms::Norms;
use super::posting_sources::open;
use super::segment::SegmentView;
use super::segment_memos::SegmentMemos;
use crate::embedded::memo::{Memo, MemoBudget};
use crate::embedded::write::averages::Averages;
use crate::embedded::write::cards::Cards;
use crate::embedded::write::generations::Generation;
use crate::{Card, EngineError, Facts};
use query::Analyser;
use query::meaning::lookups::FormsFound;
use std::io;
use std::sync::{Arc, OnceLock};
use tantivy::postings::TermInfo;
use tantivy::{DocAddress, Searcher};

/// The part of a snapshot that changes only with a commit.
pub struct TextIndex {
    pub searcher: Searcher,
    pub segments: Vec<SegmentView>,
    /// The memo tables of the segments, in their order.
    pub memos: Vec<Arc<SegmentMemos>>,
    pub averages: Averages,
    pub norms: Vec<Norms>,
    pub analyser: Arc<Analyser>,
    /// Live document frequencies of stems in segments with deletions, which must be counted.
    frequencies: Memo<Box<str>, u64>,
    /// What live documents contain of the stems of words, by the forms that are the word itself.
    forms: Memo<SameForms, FormsFound>,
    /// Whether the substrings of the words of names are indexed.
    pub partial: bool,
    /// Facts about the index, computed when they are first asked for.
    pub facts: OnceLock<Arc<Facts>>,
    /// Keeps the folder alive while it is read.
    _generation: Option<Arc<Generation>>,
}

impl TextIndex {
    /// The texts of `searcher` and its `segments` under `averages`. Memo tables of segments in `known` are reused; others
    /// are within the budget `memos`.
    pub fn new(
        searcher: Searcher,
        segments: Vec<SegmentView>,
        averages: Averages,
        analyser: &Arc<Analyser>,
        (memos, known): (&Arc<MemoBudget>, Option<&Self>),
    ) -> Self {
        if analyser.compounds().is_some() {
            // Read in advance; a search reports what cannot be read.
            segments.iter().for_each(|segment| drop(segment.endings()));
        }
        let of_segment = |segment| {
            let same = known.and_then(|known| known.memos_of(segment));
            same.map_or_else(|| Arc::new(SegmentMemos::new(memos)), Arc::clone)
        };
        Self {
            searcher,
            memos: segments.iter().map(of_segment).collect(),
            segments,
            norms: Norms::all(&averages),
            averages,
            analyser: Arc::clone(analyser),
            frequencies: Memo::new(memos),
            forms: Memo::new(memos),
            partial: false,
            facts: OnceLock::new(),
            _generation: None,
        }
    }

    fn memos_of(&self, segment: &SegmentView) -> Option<&Arc<SegmentMemos>> {
        let mut segments = self.segments.iter();
        let at = segments.position(|own| own.is_same(segment))?;
        self.memos.get(at)
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
    fn frequency(
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

    /// Returns what the live documents contain of the stem of a word.
    pub fn forms(&self, word: SameForms) -> Result<FormsFound, EngineError> {
        if let Some(cached) = self.forms.get(&(), &word) {
            return Ok(cached);
        }
        let mut found = FormsFound::default();
        for segment in &self.segments {
            word.find(segment, &mut found)?;
        }
        let bytes = word.bytes();
        self.forms.put(&(), word, found, bytes);
        Ok(found)
    }

    /// Counts, for each of `stems`, the live documents that contain it.
    pub fn documents_of(&self, stems: &[String]) -> Result<Vec<u64>, EngineError> {
        let count = |stem: &String| self.documents_with(stem, &terms(&self.segments, stem)?);
        stems.iter().map(count).collect()
    }

    /// Counts the live documents that contain a stem.
    pub fn documents_with(
        &self,
        stem: &str,
        postings: &[Option<TermInfo>],
    ) -> Result<u64, EngineError> {
        let has_deletes = self
            .segments
            .iter()
            .zip(postings)
            .any(|(segment, list)| list.is_some() && segment.reader.has_deletes());
        if !has_deletes {
            return Ok(postings
                .iter()
                .flatten()
                .map(|info| u64::from(info.doc_freq))
                .sum());
        }
        self.frequency(stem, || {
            let mut count = 0;
            for (segment, list) in self.segments.iter().zip(postings) {
                let Some(info) = list else { continue };
                open(segment.stems(), info)?.visit_before(segment.reader.max_doc(), |d, _| {
                    count += u64::from(segment.is_alive(d));
                });
            }
            Ok(count)
        })
    }
}
