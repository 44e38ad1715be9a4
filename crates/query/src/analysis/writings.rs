//! The writings under which terms of synonyms and triggers of rules are compared with a query: each unit written together,
//! and each unit apart. Spelled umlauts are umlauts.

use super::{Analyser, Token};
use std::borrow::Cow;
use std::ops::Range;

/// A word as it is compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenWord {
    /// Folded, with one spelling of umlauts.
    pub key: String,
    /// Index of the token that it belongs to.
    pub token: usize,
    /// Whether it starts its token.
    pub starts: bool,
    /// Whether it ends its token.
    pub ends: bool,
    /// Whether it belongs to the word of the token before, which is matched by bigrams.
    pub continues: bool,
}

/// Whether `range` of `words` starts and ends at word boundaries, and not within a word that is matched by bigrams.
pub(crate) fn is_whole(words: &[WrittenWord], range: &Range<usize>) -> bool {
    let continues = |at: usize| words.get(at).is_some_and(|word| word.continues);
    !continues(range.start) && !continues(range.end)
}

impl Analyser {
    /// The words of `tokens`, each unit together.
    pub fn joined_units(&self, tokens: &[&Token]) -> Vec<WrittenWord> {
        let words = tokens.iter().enumerate();
        let words = words.map(|(at, token)| WrittenWord {
            key: self.key(&token.folded).into_owned(),
            token: at,
            starts: true,
            ends: true,
            continues: token.continues,
        });
        words.collect()
    }

    /// The words of `tokens`, each unit split; none if no unit can be split.
    pub fn apart(&self, tokens: &[&Token]) -> Option<Vec<WrittenWord>> {
        /// Signs that make a word another one are no border: it has one part.
        const PARTS_MIN: usize = 2;
        let is_split = |token: &&Token| token.parts.len() >= PARTS_MIN;
        if !tokens.iter().any(is_split) {
            return None;
        }
        let mut words = Vec::new();
        for (word, token) in self.joined_units(tokens).into_iter().zip(tokens) {
            if !is_split(token) {
                words.push(word);
                continue;
            }
            let last = token.parts.len() - 1;
            words.extend(
                token
                    .parts
                    .iter()
                    .enumerate()
                    .map(|(at, part)| WrittenWord {
                        key: self.key(&part.folded).into_owned(),
                        token: word.token,
                        starts: at == 0,
                        ends: at == last,
                        continues: false,
                    }),
            );
        }
        Some(words)
    }

    /// The form of a folded word in which spelled umlauts are umlauts, in the languages that have them.
    pub fn key<'a>(&self, folded: &'a str) -> Cow<'a, str> {
        if !self.spells_umlauts
            || !["ae", "oe", "ue"]
                .iter()
                .any(|spelled| folded.contains(spelled))
        {
            return Cow::Borrowed(folded);
        }
        let umlauts = [("ae", "a"), ("oe", "o"), ("ue", "u")];
        let key = umlauts
            .iter()
            .fold(folded.to_owned(), |key, (spelled, umlaut)| {
                key.replace(spelled, umlaut)
            });
        Cow::Owned(key)
    }
}
