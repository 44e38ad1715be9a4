//! How what was met is spelled for people, who know no stems.

use crate::Card;
use crate::card::CardWord;
use query::breakdown::{WordMatch, WordMatchKind};
use std::sync::Arc;

/// Words of a common name: so many find room at once.
const NAME_WORDS: usize = 12;

/// Puts words as people write them in place of what the index knows: beginnings and stems.
pub fn show_words(matches: &mut [WordMatch], card: &Card) {
    let mut words: Vec<CardWord<'_>> = Vec::with_capacity(NAME_WORDS);
    words.extend(card.words());
    for at in 0..matches.len() {
        let (before, from_here) = matches.split_at_mut(at);
        let found = &mut from_here[0];
        let met = &*found.matched;
        let shown = match found.kind {
            WordMatchKind::Prefix => shortest(&words, |word| word.folded.starts_with(met)),
            WordMatchKind::Partial if !found.is_code() => {
                shortest(&words, |word| word.folded.contains(met))
            }
            // What the owner wrote tells which group it was.
            WordMatchKind::Synonym => None,
            _ => words.iter().find(|word| word.stem == met),
        };
        match (shown, found.kind) {
            (Some(word), _) => found.matched = shared(word.form, found, before),
            // In other fields the word was met by its stem, and the question's own word says it best.
            (None, WordMatchKind::Exact) if !found.is_code() => {
                found.matched = Arc::clone(&found.word);
            }
            (None, _) => {}
        }
    }
}

/// The text `form`, which mostly stands in `found` already, or in what came `before` it.
fn shared(form: &str, found: &WordMatch, before: &[WordMatch]) -> Arc<str> {
    let known = [&found.word, &found.matched].into_iter();
    let known = known.chain(before.last().map(|other| &other.matched));
    let mut same = known.filter(|text| ***text == *form);
    same.next().map_or_else(|| form.into(), Arc::clone)
}

fn shortest<'a>(
    words: &'a [CardWord<'a>],
    fits: impl Fn(&CardWord<'_>) -> bool,
) -> Option<&'a CardWord<'a>> {
    words
        .iter()
        .filter(|word| fits(word))
        .min_by_key(|word| word.folded.chars().count())
}
