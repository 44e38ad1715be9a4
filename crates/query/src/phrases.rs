//! Finds phrases in a sequence of words in one pass: a trie of words in which a path from the root may be a phrase.

use std::collections::HashMap;

/// Id of a word or of a node of the trie.
type Id = u32;
const ROOT: Id = 0;

/// Phrases, each with its values.
#[derive(Clone, Debug)]
pub struct Phrases<T> {
    words: HashMap<Box<str>, Id>,
    /// The next node, by node and word.
    steps: HashMap<(Id, Id), Id>,
    /// Values of the phrases that end at a node.
    ends: Vec<Vec<T>>,
}

/// A phrase in a sequence of words.
#[derive(Debug, PartialEq, Eq)]
pub struct Occurrence<'a, T> {
    /// Index of the first word.
    pub start: usize,
    /// Number of words.
    pub words: usize,
    /// The values of the phrase.
    pub values: &'a [T],
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
    /// Whether there are no phrases.
    pub fn is_empty(&self) -> bool {
        self.ends.iter().all(Vec::is_empty)
    }

    /// Adds a phrase; one without words occurs once in every text, at its start.
    pub fn insert<'a>(&mut self, phrase: impl IntoIterator<Item = &'a str>, value: T) {
        let mut node = ROOT;
        for word in phrase {
            let fresh = self.words.len() as Id;
            let word = *self.words.entry(word.into()).or_insert(fresh);
            let fresh = self.ends.len() as Id;
            node = *self.steps.entry((node, word)).or_insert(fresh);
            if node == fresh {
                self.ends.push(Vec::new());
            }
        }
        self.ends[node as usize].push(value);
    }

    /// All phrases that occur in `text`, overlapping or not, ordered by their end.
    pub fn occurrences<'a>(
        &self,
        text: impl IntoIterator<Item = &'a str>,
    ) -> Vec<Occurrence<'_, T>> {
        self.occurrences_of_any(text.into_iter().map(std::iter::once))
    }

    /// All phrases that occur in a text of which each word may be any of several, each once at a place, ordered by their
    /// end.
    pub fn occurrences_of_any<F: IntoIterator<Item: AsRef<str>>>(
        &self,
        text: impl IntoIterator<Item = F>,
    ) -> Vec<Occurrence<'_, T>> {
        let mut found = Vec::new();
        self.push_occurrence(ROOT, 0, 0, &mut found);
        // Phrases that have started and may continue: the node, and the index of the first word.
        let mut started: Vec<(Id, usize)> = Vec::new();
        let mut next = Vec::new();
        for (at, forms) in text.into_iter().enumerate() {
            started.push((ROOT, at));
            for form in forms {
                let Some(word) = self.words.get(form.as_ref()) else {
                    continue;
                };
                let steps = started
                    .iter()
                    .filter_map(|(node, start)| Some((*self.steps.get(&(*node, *word))?, *start)));
                next.extend(steps);
            }
            started.clear();
            std::mem::swap(&mut started, &mut next);
            for (node, start) in &started {
                self.push_occurrence(*node, *start, at + 1, &mut found);
            }
        }
        found
    }

    fn push_occurrence<'a>(
        &'a self,
        node: Id,
        start: usize,
        end: usize,
        found: &mut Vec<Occurrence<'a, T>>,
    ) {
        let values = self.ends[node as usize].as_slice();
        if !values.is_empty() {
            found.push(Occurrence {
                start,
                words: end - start,
                values,
            });
        }
    }
}

#[cfg(test)]
mod tests {
    //! 1. Every phrase is found wherever it occurs, and nothing else, as by looking for each phrase at each position.

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
                .flat_map(|at| at.values.iter().map(|number| (*number, at.start)))
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
