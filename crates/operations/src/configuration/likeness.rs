//! Comparison of synonym groups, by their words as the analyser folds them.

use crate::runtime::content_hash::digest;
use domain::Language;
use domain::synonym::SynonymGroup;
use query::Analyser;

/// Compares the groups of one language.
pub struct Likeness(Analyser);

impl Likeness {
    pub fn in_language(language: &Language) -> Self {
        Self(Analyser::new(language))
    }

    /// Returns the words of `text`, folded and not stemmed, joined by single spaces; empty if it has none.
    pub fn form(&self, text: &str) -> String {
        let words = self.0.words(text);
        let folded: Vec<&str> = words.iter().map(|word| word.folded.as_str()).collect();
        folded.join(" ")
    }

    /// Returns a digest that is equal for duplicates only.
    pub fn of(&self, group: &SynonymGroup) -> String {
        digest(&group.duplicate_key(&|text| self.form(text)))
    }
}
