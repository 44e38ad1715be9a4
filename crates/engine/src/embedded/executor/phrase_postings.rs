//! In which documents of a segment several words stand side by side, or in one field where the index knows no places;
//! remembered once it was asked for, for shoppers ask for the same synonyms over and over.

use super::super::memo::{Memo, MemoBudget};
use super::super::schema::has_positions;
use super::super::segment::SegmentView;
use super::cursor::Cursor;
use super::phrase::PhraseField;
use super::posting_sources::open;
use super::resolve::term;
use crate::EngineError;
use domain::relevance::field::FieldId;
use query::plan::SynonymWord;
use std::sync::Arc;
use tantivy::DocId;
use tantivy::postings::TermInfo;

/// The documents of one row of words, deleted ones among them.
#[derive(Default)]
pub struct PhrasePostings {
    /// Documents whose texts hold all words, anywhere.
    pub anywhere: Vec<DocId>,
    /// Documents of which a field holds them as it must, by field.
    pub by_field: Vec<FieldPhrasePostings>,
}

/// The documents of one field.
pub struct FieldPhrasePostings {
    /// The field.
    pub field: FieldId,
    /// Its documents, in order.
    pub documents: Arc<[DocId]>,
    /// The lowest number of words that the field has in any of them.
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

    /// Bytes of memory that its lists take.
    fn bytes(&self) -> usize {
        let by_field = self.by_field.iter();
        let by_field = by_field.map(|list| size_of_val(list) + size_of_val(&*list.documents));
        size_of::<Self>() + size_of_val(&*self.anywhere) + by_field.sum::<usize>()
    }
}

/// The rows of words that one segment remembers, by their stems and positions.
pub struct PhraseCache(Memo<Vec<(Box<str>, u32)>, Arc<PhrasePostings>>);

impl PhraseCache {
    /// No rows, within the budget `memos`.
    pub fn new(memos: &Arc<MemoBudget>) -> Self {
        Self(Memo::new(memos))
    }

    /// The lists of `words` in `segment`, whose memory it is.
    pub fn of(
        &self,
        segment: &SegmentView,
        words: &[SynonymWord],
    ) -> Result<Arc<PhrasePostings>, EngineError> {
        let placed = words.iter().map(|word| (&*word.stem, word.position));
        let key: Vec<(Box<str>, u32)> = placed.map(|(stem, at)| (stem.into(), at)).collect();
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

/// Which of the documents `among` hold the words in `field`, side by side where places are known.
fn documents_in(
    segment: &SegmentView,
    field: FieldId,
    words: &[SynonymWord],
    among: &[DocId],
) -> Result<Vec<DocId>, EngineError> {
    if has_positions(field) {
        let places = words.iter().map(|word| (word.stem.as_str(), word.position));
        let Some(mut phrase) = PhraseField::new(segment, field, places)? else {
            return Ok(Vec::new());
        };
        return Ok(among.iter().copied().filter(|d| phrase.holds(*d)).collect());
    }
    let mut cursors = Vec::with_capacity(words.len());
    for word in words {
        match (term(segment, field, &word.stem)?, segment.terms(field)) {
            (Some(info), Some(reader)) => cursors.push(open(reader, &info)?),
            _ => return Ok(Vec::new()),
        }
    }
    Ok(held_by_all(&mut cursors, among.iter().copied()))
}

/// The documents whose texts hold all `words`, anywhere.
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
    Ok(held_by_all(&mut others, documents.into_iter()))
}

fn held_by_all(cursors: &mut [Cursor], documents: impl Iterator<Item = DocId>) -> Vec<DocId> {
    let held = |document: &DocId| {
        let mut cursors = cursors.iter_mut();
        cursors.all(|cursor| cursor.frequency(*document).is_some())
    };
    documents.filter(held).collect()
}
