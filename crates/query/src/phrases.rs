//! Phrases found in a row of words in one pass: a tree of words in which every path from the root may be a phrase.

use std::collections::HashMap;

/// Number of a word, and of a place in the tree.
type Number = u32;
const ROOT: Number = 0;

/// Phrases, each with what it stands for.
#[derive(Clone, Debug)]
pub struct Phrases<T> {
    words: HashMap<Box<str>, Number>,
    /// From a place, by a word, to the next place.
    steps: HashMap<(Number, Number), Number>,
    /// What the phrases that end at a place stand for.
    ends: Vec<Vec<T>>,
}

/// A phrase in a row of words.
#[derive(Debug, PartialEq, Eq)]
pub struct Occurrence<'a, T> {
    /// Its first word.
    pub start: usize,
    /// Its number of words.
    pub words: usize,
    /// What it stands for.
    pub meanings: &'a [T],
}

impl<T> Default for Phrases<T> {
    fn default() -> Self {
        Self {
            words: HashMap::new(),
            steps: HashMap::new(),
            ends: vec![Vec::new()],
        }
    }
}

impl<T> Phrases<T> {
    /// Whether there is no phrase.
    pub fn is_empty(&self) -> bool {
        self.ends.iter().all(Vec::is_empty)
    }

    /// Adds a phrase; one without words occurs once in every row, at its start.
    pub fn insert<'a>(&mut self, phrase: impl IntoIterator<Item = &'a str>, meaning: T) {
        let mut place = ROOT;
        for word in phrase {
            let fresh = self.words.len() as Number;
            let word = *self.words.entry(word.into()).or_insert(fresh);
            let fresh = self.ends.len() as Number;
            place = *self.steps.entry((place, word)).or_insert(fresh);
            if place == fresh {
                self.ends.push(Vec::new());
            }
        }
        self.ends[place as usize].push(meaning);
    }

    /// All phrases that occur in `row`, whether or not they overlap, by their end.
    pub fn occurrences<'a>(
        &self,
        row: impl IntoIterator<Item = &'a str>,
    ) -> Vec<Occurrence<'_, T>> {
        let mut found = Vec::new();
        self.note(ROOT, 0, 0, &mut found);
        // Where phrases have begun that may go on: the place in the tree, and the first word.
        let mut begun: Vec<(Number, usize)> = Vec::new();
        for (at, word) in row.into_iter().enumerate() {
            let Some(word) = self.words.get(word) else {
                begun.clear();
                continue;
            };
            begun.push((ROOT, at));
            begun.retain_mut(|(place, _)| match self.steps.get(&(*place, *word)) {
                Some(next) => {
                    *place = *next;
                    true
                }
                None => false,
            });
            for (place, start) in &begun {
                self.note(*place, *start, at + 1, &mut found);
            }
        }
        found
    }

    fn note<'a>(
        &'a self,
        place: Number,
        start: usize,
        end: usize,
        found: &mut Vec<Occurrence<'a, T>>,
    ) {
        let meanings = self.ends[place as usize].as_slice();
        if !meanings.is_empty() {
            found.push(Occurrence {
                start,
                words: end - start,
                meanings,
            });
        }
    }
}

#[cfg(test)]
mod tests {
    //! 1. Every phrase is found wherever it stands, and nothing else, as by a look at every place for every phrase.

    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;
    use proptest::sample::select;

    fn words() -> impl Strategy<Value = &'static str> {
        select(vec!["a", "b", "c", "unknown"])
    }

    proptest! {
        #[test]
        fn all_phrases_are_found(
            phrases in vec(vec(select(vec!["a", "b", "c"]), 0..4), 0..8),
            row in vec(words(), 0..9),
        ) {
            let mut tree = Phrases::default();
            for (number, phrase) in phrases.iter().enumerate() {
                tree.insert(phrase.iter().copied(), number);
            }
            let mut found: Vec<(usize, usize)> = tree
                .occurrences(row.iter().copied())
                .iter()
                .flat_map(|at| at.meanings.iter().map(|number| (*number, at.start)))
                .collect();
            found.sort_unstable();
            let mut expected = Vec::new();
            for (number, phrase) in phrases.iter().enumerate() {
                if phrase.is_empty() {
                    expected.push((number, 0));
                    continue;
                }
                let places = row.windows(phrase.len()).enumerate();
                expected.extend(places.filter(|(_, own)| own == phrase).map(|(at, _)| (number, at)));
            }
            prop_assert_eq!(found, expected);
        }
    }
}
