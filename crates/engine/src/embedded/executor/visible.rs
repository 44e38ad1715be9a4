//! What the visitor may learn of words and codes: only what a document holds that he may see.

use super::super::scale::Scale;
use super::super::segment::SegmentView;
use super::cursor::Cursor;
use super::posting_sources::{PostingSource, open};
use super::resolve::ResolvedWord;
use super::task::Task;
use crate::columns::View;
use crate::{EngineError, WordReport};
use domain::relevance::field::FieldId;
use tantivy::DocId;
use tantivy::postings::TermInfo;

/// A segment as the visitor sees it.
#[derive(Clone, Copy)]
pub struct Visible<'a> {
    segment: &'a SegmentView,
    view: &'a View<'a>,
}

impl<'a> Visible<'a> {
    pub fn new(segment: &'a SegmentView, view: &'a View<'a>) -> Self {
        Self { segment, view }
    }

    /// Whether a document is there and may be seen.
    pub fn shows(self, document: DocId) -> bool {
        let restricted = self.view.is_restricted();
        let seen = || self.view.see(self.segment.ordinal(document)).is_some();
        self.segment.is_alive(document) && (!restricted || seen())
    }

    /// Whether it shows any document of a list. The first one that it shows ends the reading.
    pub fn shows_any(self, list: &mut Cursor) -> bool {
        list.any(|document| self.shows(document))
    }

    /// Whether it shows any document in one of the lists of a code.
    pub fn shows_code(self, lists: &[(FieldId, TermInfo)]) -> Result<bool, EngineError> {
        for (field, info) in lists {
            if let Some(reader) = self.segment.terms(*field)
                && self.shows_any(&mut open(reader, info)?)
            {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// What became of the words of a search.
pub fn reports<S: Scale>(task: Task<'_, S>) -> Result<Vec<WordReport>, EngineError> {
    let Task {
        plan,
        resolved,
        view,
        ..
    } = task;
    let words = resolved.words.iter().enumerate();
    let reports = words.map(|(at, word)| {
        let anywhere = if plan.listed {
            resolved.codes[at].is_listed
        } else {
            word.idf.is_some()
        };
        Ok(WordReport {
            // Where all is open to all, what is anywhere is seen, so nothing is read.
            found: anywhere && (!view.is_restricted() || is_seen(task, at)?),
            documents: word.documents,
        })
    });
    reports.collect()
}

/// Whether a document that the visitor may see holds word number `at`, or what stands for it.
fn is_seen<S: Scale>(task: Task<'_, S>, at: usize) -> Result<bool, EngineError> {
    for (number, segment) in task.snapshot.texts.segments.iter().enumerate() {
        let visible = Visible::new(segment, task.view);
        let seen = if task.plan.listed {
            let exact = task.resolved.codes[at].exact[number].iter();
            let searched = exact.filter(|(field, _)| task.plan.searches(*field));
            visible.shows_code(&searched.cloned().collect::<Vec<_>>())?
        } else {
            let word = &task.resolved.words[at];
            shows_text(task, number, word)? || shows_by_code(task, number, at)?
        };
        if seen {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether a text of segment number `number` that the visitor may see holds `word`, or what stands for it.
fn shows_text<S: Scale>(
    task: Task<'_, S>,
    number: usize,
    word: &ResolvedWord,
) -> Result<bool, EngineError> {
    let segment = &task.snapshot.texts.segments[number];
    let visible = Visible::new(segment, task.view);
    let near = word.typos.iter().map(|near| near.places[number].as_ref());
    let stems = std::iter::once(word.stems[number].as_ref()).chain(near);
    let stems = stems.flatten().map(|info| (segment.stems(), info));
    let longer = word.longer[number].iter();
    let longer = longer.map(|(_, info)| (segment.prefixes(), info));
    let holding = word.holding[number].iter();
    let holding = holding.map(|(_, info)| (segment.parts(), info));
    for (reader, info) in stems.chain(longer).chain(holding) {
        if visible.shows_any(&mut open(reader, info)?) {
            return Ok(true);
        }
    }
    for synonym in &word.synonyms {
        let place = task.resolved.synonyms[*synonym].anywhere(number, segment);
        let list = place.as_ref().map(PostingSource::open).transpose()?;
        if list.is_some_and(|mut list| visible.shows_any(&mut list)) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether a code of segment number `number` that the visitor may see is what word number `at` is a part of, or near it.
fn shows_by_code<S: Scale>(
    task: Task<'_, S>,
    number: usize,
    at: usize,
) -> Result<bool, EngineError> {
    let visible = Visible::new(&task.snapshot.texts.segments[number], task.view);
    let codes = task.plan.codes.iter().zip(&task.resolved.codes);
    for (_, code) in codes.filter(|(code, _)| code.words.contains(&at)) {
        let near = code.typos.iter();
        let near = near.filter_map(|(field, near)| Some((*field, near.places[number].clone()?)));
        let lists: Vec<_> = code.exact[number].iter().cloned().chain(near).collect();
        let mut parts = code.parts.get(number).into_iter().flatten();
        let shows = |document: &DocId| visible.shows(*document);
        if visible.shows_code(&lists)? || parts.any(|part| part.all.iter().any(shows)) {
            return Ok(true);
        }
    }
    Ok(false)
}
