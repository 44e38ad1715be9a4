//! By what synonym groups are compared: their words, folded as the analyser folds them.

use crate::key_text::digest;
use domain::Language;
use domain::synonym::SynonymGroup;
use query::Analyser;

/// Compares the groups of one language.
pub(super) struct Likeness(Analyser);

impl Likeness {
    pub fn in_language(language: &Language) -> Self {
        Self(Analyser::new(language))
    }

    /// The words of `text`, folded and not stemmed, by single spaces; empty when it has none.
    pub fn form(&self, text: &str) -> String {
        let words = self.0.words(text);
        let folded: Vec<&str> = words.iter().map(|word| word.folded.as_str()).collect();
        folded.join(" ")
    }

    /// A short text that is equal for duplicates only.
    pub fn of(&self, group: &SynonymGroup) -> String {
        digest(&group.duplicate_key(&|text| self.form(text)))
    }
}
