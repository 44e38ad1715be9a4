//! Phrases that also occur by alternatives: in the other number, joined or split, or misspelled.

use crate::analysis::{Analyser, WrittenWord};
use crate::mistyped_words::{MistypedWords, TriggerVocabulary};
use crate::phrases::Phrases;
use domain::{TriggerAlternative, TriggerAlternatives};
use std::collections::HashMap;
use std::ops::Range;

/// Words of a query that may be one phrase, or part of one, written apart.
const JOINED_WORDS_MAX: usize = 6;

/// Phrases, each with a value and its alternatives.
#[derive(Clone, Debug)]
pub(crate) struct AlternativePhrases<T> {
    plurals: Phrases<T>,
    /// By their words without blanks.
    joined: HashMap<String, Vec<T>>,
    typos: Phrases<T>,
    vocabulary: TriggerVocabulary,
}

/// A phrase in a sequence of words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct AlternativeOccurrence<T> {
    /// Range of its words.
    pub words: Range<usize>,
    /// Its value.
    pub value: T,
    /// By which alternative it occurs.
    pub alternative: TriggerAlternative,
}

impl<T> Default for AlternativePhrases<T> {
    fn default() -> Self {
        Self {
            plurals: Phrases::default(),
            joined: HashMap::new(),
            typos: Phrases::default(),
            vocabulary: TriggerVocabulary::default(),
        }
    }
}

impl<T: Copy> AlternativePhrases<T> {
    /// The words of the phrases that may be misspelled.
    pub fn vocabulary(&self) -> &TriggerVocabulary {
        &self.vocabulary
    }

    /// Adds a phrase with at least one word.
    pub fn insert<'a>(
        &mut self,
        words: impl Iterator<Item = &'a str> + Clone,
        alternatives: TriggerAlternatives,
        value: T,
    ) {
        if alternatives.contains(TriggerAlternative::Plurals) {
            self.plurals.insert(words.clone(), value);
        }
        if alternatives.contains(TriggerAlternative::Joined) {
            let joined: String = words.clone().collect();
            self.joined.entry(joined).or_default().push(value);
        }
        if alternatives.contains(TriggerAlternative::Typos) {
            for word in words.clone() {
                self.vocabulary.insert(word);
            }
            self.typos.insert(words, value);
        }
    }

    /// The phrases that occur in `words` by an alternative, or as they are, overlapping or not: those by the nearest
    /// alternative first.
    pub fn occurrences(
        &self,
        words: &[WrittenWord],
        analyser: &Analyser,
        mistyped: &MistypedWords,
    ) -> Vec<AlternativeOccurrence<T>> {
        let mut found = Vec::new();
        if !self.plurals.is_empty() {
            let forms = words.iter().map(|word| {
                let others = analyser.other_numbers(&word.key);
                std::iter::once(word.key.clone()).chain(others)
            });
            self.plurals
                .add_occurrences(forms, TriggerAlternative::Plurals, &mut found);
        }
        if !self.joined.is_empty() {
            self.add_joined(words, &mut found);
        }
        if !mistyped.is_empty() {
            let forms = words.iter().map(|word| {
                let own = std::iter::once(word.key.as_str());
                own.chain(mistyped.of(&word.key))
            });
            self.typos
                .add_occurrences(forms, TriggerAlternative::Typos, &mut found);
        }
        found
    }

    fn add_joined(&self, words: &[WrittenWord], found: &mut Vec<AlternativeOccurrence<T>>) {
        for start in 0..words.len() {
            let mut joined = String::new();
            for (at, word) in words.iter().enumerate().skip(start).take(JOINED_WORDS_MAX) {
                joined.push_str(&word.key);
                let values = self.joined.get(&joined).into_iter().flatten();
                found.extend(values.map(|value| AlternativeOccurrence {
                    words: start..at + 1,
                    value: *value,
                    alternative: TriggerAlternative::Joined,
                }));
            }
        }
    }
}

impl<T: Copy> Phrases<T> {
    fn add_occurrences<F: IntoIterator<Item: AsRef<str>>>(
        &self,
        words: impl IntoIterator<Item = F>,
        alternative: TriggerAlternative,
        found: &mut Vec<AlternativeOccurrence<T>>,
    ) {
        for at in self.occurrences_of_any(words) {
            let values = at.values.iter();
            found.extend(values.map(|value| AlternativeOccurrence {
                words: at.start..at.start + at.words,
                value: *value,
                alternative,
            }));
        }
    }
}
