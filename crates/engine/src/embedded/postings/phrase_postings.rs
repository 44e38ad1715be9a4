//! The documents of a segment that contain several words as a phrase, or in one field if the field has no positions.
//! They are cached, because shoppers search for the same synonyms again and again.

use super::cursor::Cursor;
use super::lookups::term;
use super::phrase_field::PhraseField;
use super::posting_sources::open;
use super::segment::SegmentView;
use crate::EngineError;
use crate::embedded::memo::{Memo, MemoBudget};
use domain::relevance::field::FieldId;
use query::plan::{SynonymWord, has_positions};
use std::sync::Arc;
use tantivy::DocId;
use tantivy::postings::TermInfo;

/// The documents of one phrase, including deleted ones.
#[derive(Default)]
pub struct PhrasePostings {
    /// Documents whose texts contain all words, anywhere.
    pub anywhere: Vec<DocId>,
    /// Documents with a match in one field, by field.
    pub by_field: Vec<FieldPhrasePostings>,
}

/// The documents of one field.
#[derive(Clone)]
pub struct FieldPhrasePostings {
    /// The field.
    pub field: FieldId,
    /// The documents, in order.
    pub documents: Arc<[DocId]>,
    /// The shortest length of the field in any of them, in words.
    pub shortest: u16,
}

impl PhrasePostings {
    fn read(segment: &SegmentView, words: &[SynonymWord]) -> Result<Self, EngineError> {
        let anywhere = documents_of_all(segment, words)?;
        let mut by_field = Vec::new();
        for field in FieldId::texts().filter(|_| !anywhere.is_empty()) {
            let documents = documents_in(segment, field, words, &anywhere)?;
            let lengths = documents.iter().map(|at| segment.length(field, *at));
            if let Some(shortest) = lengths.min() {
                by_field.push(FieldPhrasePostings {
                    field,
                    documents: documents.into(),
                    shortest,
                });
            }
        }
        Ok(Self { anywhere, by_field })
    }

    /// Returns those in which the words stand side by side: only fields that have positions.
    pub fn side_by_side(&self) -> Self {
        let by_field = self
            .by_field
            .iter()
            .filter(|list| has_positions(list.field));
        let by_field: Vec<FieldPhrasePostings> = by_field.cloned().collect();
        let documents = by_field
            .iter()
            .flat_map(|list| list.documents.iter().copied());
        let mut anywhere: Vec<DocId> = documents.collect();
        anywhere.sort_unstable();
        anywhere.dedup();
        Self { anywhere, by_field }
    }

    /// Returns the size in bytes.
    fn bytes(&self) -> usize {
        let by_field = self.by_field.iter();
        let by_field = by_field.map(|list| size_of_val(list) + size_of_val(&*list.documents));
        size_of::<Self>() + size_of_val(&*self.anywhere) + by_field.sum::<usize>()
    }
}

/// A cache of the phrases of one segment, by their stems and positions.
pub struct PhraseCache(Memo<Vec<(Box<str>, u32)>, Arc<PhrasePostings>>);

impl PhraseCache {
    /// Returns an empty cache within the budget `memos`.
    pub fn new(memos: &Arc<MemoBudget>) -> Self {
        Self(Memo::new(memos))
    }

    /// Returns the postings of `words` in `segment`, which this cache belongs to.
    pub fn of(
        &self,
        segment: &SegmentView,
        words: &[SynonymWord],
    ) -> Result<Arc<PhrasePostings>, EngineError> {
        let positioned = words.iter().map(|word| (&*word.stem, word.position));
        let key: Vec<(Box<str>, u32)> = positioned.map(|(stem, at)| (stem.into(), at)).collect();
        if let Some(lists) = self.0.get(&(), &key) {
            return Ok(lists);
        }
        let lists = Arc::new(PhrasePostings::read(segment, words)?);
        let stems = words.iter().map(|word| word.stem.len());
        let bytes = stems.sum::<usize>() + size_of_val(&*key) + lists.bytes();
        self.0.put(&(), key, Arc::clone(&lists), bytes);
        Ok(lists)
    }
}

/// Returns the `candidates` that contain the words in `field`: as a phrase if the field has positions.
fn documents_in(
    segment: &SegmentView,
    field: FieldId,
    words: &[SynonymWord],
    candidates: &[DocId],
) -> Result<Vec<DocId>, EngineError> {
    if has_positions(field) {
        let positioned = words.iter().map(|word| (word.stem.as_str(), word.position));
        let Some(mut phrase) = PhraseField::new(segment, field, positioned)? else {
            return Ok(Vec::new());
        };
        return Ok(candidates
            .iter()
            .copied()
            .filter(|d| phrase.holds(*d))
            .collect());
    }
    let mut cursors = Vec::with_capacity(words.len());
    for word in words {
        match (term(segment, field, &word.stem)?, segment.terms(field)) {
            (Some(info), Some(reader)) => cursors.push(open(reader, &info)?),
            _ => return Ok(Vec::new()),
        }
    }
    Ok(in_all(&mut cursors, candidates.iter().copied()))
}

/// Returns the documents whose texts contain all `words`, anywhere.
fn documents_of_all(
    segment: &SegmentView,
    words: &[SynonymWord],
) -> Result<Vec<DocId>, EngineError> {
    let stems = segment.stems();
    let mut lists: Vec<TermInfo> = Vec::with_capacity(words.len());
    for word in words {
        let info = stems.terms().get(&word.stem);
        match info.map_err(EngineError::during("look up a word"))? {
            Some(info) => lists.push(info),
            None => return Ok(Vec::new()),
        }
    }
    lists.sort_by_key(|info| info.doc_freq);
    let Some((rarest, others)) = lists.split_first() else {
        return Ok(Vec::new());
    };
    let mut documents = Vec::with_capacity(rarest.doc_freq as usize);
    open(stems, rarest)?.visit_before(segment.reader.max_doc(), |d, _| documents.push(d));
    let others = others.iter().map(|info| open(stems, info));
    let mut others = others.collect::<Result<Vec<Cursor>, _>>()?;
    Ok(in_all(&mut others, documents.into_iter()))
}

fn in_all(cursors: &mut [Cursor], documents: impl Iterator<Item = DocId>) -> Vec<DocId> {
    let held = |document: &DocId| {
        let mut cursors = cursors.iter_mut();
        cursors.all(|cursor| cursor.frequency(*document).is_some())
    };
    documents.filter(held).collect()
}
