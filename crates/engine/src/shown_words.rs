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
            // A code that is a stem of the name by chance is shown as the code that it is.
            _ if found.is_code() => None,
            WordMatchKind::Prefix => shortest(&words, |word| word.folded.starts_with(met)),
            WordMatchKind::Partial => shortest(&words, |word| word.folded.contains(met)),
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

#[cfg(test)]
mod tests {
    //! A stem is shown as the name writes its word, a code as it is.

    use super::*;
    use crate::card::CardTexts;
    use domain::relevance::field::FieldId;

    #[test]
    fn a_code_is_no_word_of_the_name() {
        let mut card = Card::new(CardTexts::default());
        card.push(CardWord {
            form: "backpacks",
            folded: "backpacks",
            stem: "backpack",
        });
        let code = FieldId::codes().next().expect("a field of codes");
        let shown = |field: FieldId, kind| {
            let mut matches = [WordMatch {
                word: "backpacs".into(),
                field,
                matched: "backpack".into(),
                kind,
                distance: 1,
                boost: 1.0,
                score: 1.0,
            }];
            show_words(&mut matches, &card);
            let [found] = matches;
            found.matched.to_string()
        };
        assert_eq!(shown(FieldId::NAME, WordMatchKind::Typo), "backpacks");
        assert_eq!(shown(FieldId::NAME, WordMatchKind::Joined), "backpacks");
        assert_eq!(shown(code, WordMatchKind::Typo), "backpack");
        assert_eq!(shown(code, WordMatchKind::Exact), "backpack");
    }
}
