//! The stop words of one language.

use super::fold;
use super::languages::LanguageRow;

/// Folded stop words, sorted.
pub(super) struct StopWords(Vec<String>);

impl StopWords {
    pub fn of(row: &LanguageRow) -> Self {
        let mut words: Vec<String> = row.stop_words.split_whitespace().map(fold).collect();
        words.sort_unstable();
        Self(words)
    }

    pub fn holds(&self, folded: &str) -> bool {
        let word = |word: &String| word.as_str().cmp(folded);
        self.0.binary_search_by(word).is_ok()
    }
}
