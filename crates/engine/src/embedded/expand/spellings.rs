//! Words of the index that a misspelled word may be, as documents that the visitor may see write them.

use super::fuzzy_terms::{FuzzyTerm, fuzzy_stems};
use super::visible::Visible;
use crate::EngineError;
use crate::columns::View;
use crate::embedded::postings::posting_sources::open;
use crate::embedded::postings::text_index::TextIndex;
use crate::embedded::postings::vocabulary::ComparedWord;
use query::correction::{SpelledWord, Spelling};
use std::cell::Cell;
use tantivy::DocAddress;

/// Fuzzy terms of a word that are looked at, the nearest and commonest first.
const TERMS_MAX: usize = 16;

/// Returns the words of `texts` that `word` may be, wherever they differ from it.
pub fn spellings(
    texts: &TextIndex,
    view: &View<'_>,
    word: &SpelledWord,
) -> Result<Vec<Spelling>, EngineError> {
    let compared = ComparedWord::new(&word.stem, word.typos, 0);
    let mut found = Vec::new();
    for term in fuzzy_stems(texts, &compared)?.into_iter().take(TERMS_MAX) {
        if let Some(form) = visible_form(texts, view, &term)? {
            found.push(Spelling {
                form,
                stem: term.counted.term.to_string(),
                distance: term.counted.distance,
                documents: term.counted.documents,
            });
        }
    }
    Ok(found)
}

/// How the first document of a segment that the visitor may see writes `term`: in its name, or elsewhere where the term is a word as it stands;
/// none if there is no such document.
fn visible_form(
    texts: &TextIndex,
    view: &View<'_>,
    term: &FuzzyTerm,
) -> Result<Option<String>, EngineError> {
    let stem = &*term.counted.term;
    let mut seen = Vec::new();
    for (number, (segment, info)) in texts.segments.iter().zip(&term.postings).enumerate() {
        let Some(info) = info else {
            continue;
        };
        let visible = Visible::new(segment, view);
        let shown = Cell::new(None);
        open(segment.stems(), info)?.any(|document| {
            let shows = visible.shows(document);
            shown.set(shows.then_some(document));
            shows
        });
        seen.extend(
            shown
                .get()
                .map(|document| DocAddress::new(number as u32, document)),
        );
    }
    let is_visible = !seen.is_empty();
    for card in texts.cards(seen.into_iter())? {
        let mut words = card.words();
        if let Some(word) = words.find(|word| word.stem == stem) {
            return Ok(Some(word.form.to_owned()));
        }
    }
    let is_word = is_visible && texts.analyser.stem(stem) == stem;
    Ok(is_word.then(|| stem.to_owned()))
}
