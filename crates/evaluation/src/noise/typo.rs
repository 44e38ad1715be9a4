//! One typo (Damerau 1964: 80 % of misspelled words differ by one of these four edits).

use super::{alphabetic, pick, replaced};
use crate::choices::Choices;

/// Characters of a word that gets a typo, at least.
const CHARACTERS_MIN: usize = 4;
/// Leading characters that stay: the default of `fuzzyPrefixLength`.
const PREFIX: usize = 2;

/// Returns the query with one typo in one of its words.
pub(super) fn one(words: &[String], choices: &mut Choices) -> Option<String> {
    let at = pick(words, choices, |word| alphabetic(word, CHARACTERS_MIN))?;
    let word: Vec<char> = words[at].chars().collect();
    let edited = loop {
        let edited = edited(&word, choices);
        if edited != word {
            break edited;
        }
    };
    let text: String = edited.into_iter().collect();
    Some(replaced(words, at, &text))
}

/// Returns the word with one edit, which may leave it as it is.
fn edited(word: &[char], choices: &mut Choices) -> Vec<char> {
    let mut edited = word.to_vec();
    let at = PREFIX + choices.below(word.len() - PREFIX);
    let other = char::from(b'a' + choices.below(26) as u8);
    match choices.below(4) {
        0 => {
            edited.remove(at);
        }
        1 => edited.insert(at, other),
        2 => edited[at] = other,
        _ if at + 1 < word.len() => edited.swap(at, at + 1),
        _ => {}
    }
    edited
}
