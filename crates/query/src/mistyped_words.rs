//! Words of a query that may be misspelled words of triggers: those of groups and rules with the alternative `typos`.
//!
//! Only an index knows whether a word exists, so the caller looks up the stems and keeps the words that do not.

use crate::analysis::{Analyser, Token};
use crate::typo_tolerance::typos_allowed;
use domain::relevance::SearchSettings;
use std::collections::BTreeSet;
use strsim::osa_distance;

/// Words of a query that are compared; the time is proportional to it.
const COMPARED_WORDS_MAX: usize = 8;

/// Words of a query with the words of triggers that each may be.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MistypedWords(Vec<MistypedWord>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct MistypedWord {
    /// As it is compared with triggers.
    key: String,
    stem: String,
    may_be: BTreeSet<String>,
}

impl MistypedWords {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The stems to look up.
    pub fn stems(&self) -> Vec<String> {
        self.0.iter().map(|word| word.stem.clone()).collect()
    }

    /// Keeps the words whose stem does not exist; `exists` is in the order of [`Self::stems`].
    #[must_use]
    pub fn that_do_not_exist(self, exists: &[bool]) -> Self {
        let words = self.0.into_iter().zip(exists);
        Self(
            words
                .filter(|(_, exists)| !**exists)
                .map(|(word, _)| word)
                .collect(),
        )
    }

    /// The words of triggers that the word `key` may be.
    pub(crate) fn of(&self, key: &str) -> impl Iterator<Item = &str> {
        let word = self.0.iter().find(|word| word.key == key);
        word.into_iter()
            .flat_map(|word| word.may_be.iter().map(String::as_str))
    }

    /// Adds the words of `query` that may be words of `vocabulary`.
    pub(crate) fn add(
        &mut self,
        query: &str,
        vocabulary: &TriggerVocabulary,
        analyser: &Analyser,
        settings: &SearchSettings,
    ) {
        if vocabulary.is_empty() {
            return;
        }
        let tokens = analyser.words(query);
        let compared = tokens.iter().filter(|token| may_be_misspelled(token));
        for token in compared.take(COMPARED_WORDS_MAX) {
            let key = analyser.key(&token.folded);
            let may_be = vocabulary.fuzzy(&key, settings);
            if may_be.is_empty() {
                continue;
            }
            match self.0.iter_mut().find(|word| word.key == key) {
                Some(word) => word.may_be.extend(may_be),
                None => self.0.push(MistypedWord {
                    key: key.into_owned(),
                    stem: token.stem.clone(),
                    may_be,
                }),
            }
        }
    }
}

/// Whether a typed word is alphabetic, and no part of a word that is matched by bigrams.
fn may_be_misspelled(token: &Token) -> bool {
    is_alphabetic(&token.folded) && !token.is_bigram()
}

fn is_alphabetic(text: &str) -> bool {
    text.chars().all(char::is_alphabetic)
}

/// The words of triggers that may be misspelled.
#[derive(Clone, Debug, Default)]
pub(crate) struct TriggerVocabulary {
    words: BTreeSet<ComparedTriggerWord>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct ComparedTriggerWord {
    characters: usize,
    word: String,
    character_set: u64,
}

impl TriggerVocabulary {
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// Adds a word, unless it has a digit or another sign.
    pub fn insert(&mut self, word: &str) {
        if is_alphabetic(word) {
            self.words.insert(ComparedTriggerWord {
                characters: word.chars().count(),
                word: word.to_owned(),
                character_set: character_set(word),
            });
        }
    }

    /// The words of which `typed` is a misspelling that `settings` tolerate. A word without an edit is none.
    fn fuzzy(&self, typed: &str, settings: &SearchSettings) -> BTreeSet<String> {
        let (length, own) = (typed.chars().count(), character_set(typed));
        let prefix = settings.fuzzy_prefix_length as usize;
        let near = self.words.iter().filter(|word| {
            let allowed = typos_allowed(settings.fuzziness, word.characters);
            // An edit changes the set by two characters at most.
            length.abs_diff(word.characters) <= allowed as usize
                && (own ^ word.character_set).count_ones() <= 2 * allowed
                && typed
                    .chars()
                    .take(prefix)
                    .eq(word.word.chars().take(prefix))
                && (1..=allowed as usize).contains(&osa_distance(typed, &word.word))
        });
        near.map(|word| word.word.clone()).collect()
    }
}

/// The characters of a word as a set, modulo 64.
fn character_set(word: &str) -> u64 {
    word.chars()
        .fold(0, |set, c| set | 1 << (u32::from(c) % 64))
}

#[cfg(test)]
mod tests {
    //! 1. A word is near another within the tolerance of the settings, with their prefix; itself, and words with digits, are
    //!    not.
    //! 2. Words that exist are not kept.

    use super::*;
    use domain::Language;
    use domain::relevance::Fuzziness;

    fn mistyped(words: &[&str], query: &str, settings: &SearchSettings) -> MistypedWords {
        let analyser = Analyser::new(&Language::parse("en").expect("a code"));
        let mut vocabulary = TriggerVocabulary::default();
        for word in words {
            vocabulary.insert(word);
        }
        let mut mistyped = MistypedWords::default();
        mistyped.add(query, &vocabulary, &analyser, settings);
        mistyped
    }

    #[test]
    fn words_are_near_within_the_tolerance() {
        let settings = |fuzziness, fuzzy_prefix_length| SearchSettings {
            fuzziness,
            fuzzy_prefix_length,
            ..SearchSettings::default()
        };
        let auto = settings(Fuzziness::Auto, 1);
        for (query, may_be) in [
            ("sfoa", "sofa"),
            ("soffa", "sofa"),
            ("sofa", ""),
            ("sofa2", ""),
            ("ofa", ""),
            ("sooffa", ""),
            ("tb", ""),
            ("televsion", "television"),
            ("telvsion", "television"),
        ] {
            let found = mistyped(&["sofa", "tv", "television", "4k"], query, &auto);
            let found: Vec<&str> = found.of(query).collect();
            assert_eq!(found.join(" "), may_be, "{query}");
        }
        let found = |settings: &SearchSettings| !mistyped(&["sofa"], "ofa", settings).is_empty();
        assert!(found(&settings(Fuzziness::Auto, 0)));
        assert!(!found(&settings(Fuzziness::None, 0)));
    }

    #[test]
    fn words_that_exist_are_not_kept() {
        let words = mistyped(&["sofa", "lamp"], "soffa lanp", &SearchSettings::default());
        assert_eq!(words.stems(), ["soffa", "lanp"]);
        assert_eq!(words.that_do_not_exist(&[true, false]).stems(), ["lanp"]);
    }
}
