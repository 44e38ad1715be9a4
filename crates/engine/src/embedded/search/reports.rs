//! Reports about the words of a query: what the visitor may learn about them, only from documents that the visitor may
//! see.

use crate::embedded::expand::visible::Visible;
use crate::embedded::expand::words::ResolvedWord;
use crate::embedded::postings::posting_sources::{PostingSource, open};
use crate::embedded::scale::Scale;
use crate::embedded::topk::task::Task;
use crate::{EngineError, WordReport};
use tantivy::DocId;

/// Returns a report about every word of the query.
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
            resolved.codes[at].meaning.is_listed
        } else {
            word.meaning.idf.is_some()
        };
        Ok(WordReport {
            // Without restrictions, everything in the index is visible and nothing is read.
            found: anywhere && (!view.is_restricted() || is_visible(task, at)?),
            documents: word.meaning.documents,
        })
    });
    reports.collect()
}

/// Whether a document that the visitor may see contains word number `at` or one of its alternatives.
fn is_visible<S: Scale>(task: Task<'_, S>, at: usize) -> Result<bool, EngineError> {
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

/// Whether a text of segment number `number` that the visitor may see contains `word` or one of its alternatives.
fn shows_text<S: Scale>(
    task: Task<'_, S>,
    number: usize,
    word: &ResolvedWord,
) -> Result<bool, EngineError> {
    let segment = &task.snapshot.texts.segments[number];
    let visible = Visible::new(segment, task.view);
    let terms = word.terms_in(number).map(|(_, _, info)| info);
    let stems = word.stems[number].iter().chain(terms);
    let stems = stems.map(|info| (segment.stems(), info));
    let prefixes = word.prefixes[number].iter();
    let prefixes = prefixes.map(|(_, info)| (segment.prefixes(), info));
    let substrings = word.substrings[number].iter();
    let substrings = substrings.map(|(_, info)| (segment.substrings(), info));
    for (reader, info) in stems.chain(prefixes).chain(substrings) {
        if visible.shows_any(&mut open(reader, info)?) {
            return Ok(true);
        }
    }
    for synonym in &word.meaning.synonyms {
        let source = task.resolved.synonyms[*synonym].anywhere(number, segment);
        let list = source.as_ref().map(PostingSource::open).transpose()?;
        if list.is_some_and(|mut list| visible.shows_any(&mut list)) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether the visitor may see a document of segment number `number` with a code that word number `at` belongs to, or
/// with a code that contains it or is a fuzzy match of it.
fn shows_by_code<S: Scale>(
    task: Task<'_, S>,
    number: usize,
    at: usize,
) -> Result<bool, EngineError> {
    let visible = Visible::new(&task.snapshot.texts.segments[number], task.view);
    let codes = task.plan.codes.iter().zip(&task.resolved.codes);
    for (_, code) in codes.filter(|(code, _)| code.words.contains(&at)) {
        let fuzzy = code
            .fuzzy_in(number)
            .map(|(fuzzy, info)| (fuzzy.field, info.clone()));
        let lists: Vec<_> = code.exact[number].iter().cloned().chain(fuzzy).collect();
        let mut substrings = code.substrings.get(number).into_iter().flatten();
        let shows = |document: &DocId| visible.shows(*document);
        if visible.shows_code(&lists)?
            || substrings.any(|substring| substring.all.iter().any(shows))
        {
            return Ok(true);
        }
    }
    Ok(false)
}
