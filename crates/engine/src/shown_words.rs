//! Shows matches in their surface forms instead of stems.

use crate::Card;
use crate::card::CardWord;
use query::breakdown::{WordMatch, WordMatchKind};
use std::sync::Arc;

/// Words of a common name, for which room is reserved.
const NAME_WORDS: usize = 12;

/// Replaces matched prefixes and stems by words as they are written in the card.
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
            // The text of the synonym group shows which group it was.
            WordMatchKind::Synonym => None,
            _ => words.iter().find(|word| word.stem == met),
        };
        match (shown, found.kind) {
            (Some(word), _) => found.matched = shared(word.form, found, before),
            // In other fields the stem matched, and the word of the query shows it best.
            (None, WordMatchKind::Exact) if !found.is_code() => {
                found.matched = Arc::clone(&found.word);
            }
            (None, _) => {}
        }
    }
}

/// Returns `form`, shared with the texts of `found` or of the match `before` it if one of them is equal.
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
