//! The names of a catalogue: their words, which products share one, and every word that the catalogue has.

use std::collections::{BTreeMap, HashSet};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// The names of the products of one language, and the words of all their texts.
#[derive(Clone, Debug, Default)]
pub struct ProductNames {
    language: String,
    /// A name and the ids of its products, by the folded name.
    products: BTreeMap<String, (String, Vec<String>)>,
    vocabulary: HashSet<String>,
}

impl ProductNames {
    /// Creates an empty list of names in the language with this code.
    pub fn new(language: &str) -> Self {
        Self {
            language: language.to_owned(),
            ..Self::default()
        }
    }

    /// Adds a product. Products whose names differ in case and accents alone are one known item.
    pub fn add(&mut self, id: &str, name: &str) {
        self.add_text(name);
        let name = single_spaces(name);
        let products = self.products.entry(folded(&name));
        let (_, ids) = products.or_insert_with(|| (name, Vec::new()));
        ids.push(id.to_owned());
    }

    /// Adds the words of another text of a product to the vocabulary.
    pub fn add_text(&mut self, text: &str) {
        let words = words(text).into_iter().map(|word| folded(&word));
        self.vocabulary.extend(words);
    }

    /// Returns the code of the language.
    pub fn language(&self) -> &str {
        &self.language
    }

    /// Returns the distinct names, in the order of their folded forms.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.products.values().map(|(name, _)| name.as_str())
    }

    /// Returns the ids of the products with this name, whatever its case and accents.
    pub fn ids(&self, name: &str) -> &[String] {
        let products = self.products.get(&folded(name));
        products.map_or(&[], |(_, ids)| ids.as_slice())
    }

    /// Returns whether any text has this word.
    pub fn has_word(&self, word: &str) -> bool {
        self.vocabulary.contains(&folded(word))
    }
}

/// Returns the words of a text between blanks, in lower case, without signs at their ends.
pub fn words(text: &str) -> Vec<String> {
    let words = text.split_whitespace();
    let words = words.map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()));
    words
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect()
}

/// Returns the text in lower case without accents.
pub fn folded(text: &str) -> String {
    let decomposed = text.nfd().filter(|c| !is_combining_mark(*c));
    decomposed.nfc().flat_map(char::to_lowercase).collect()
}

/// Returns the text with single blanks and none at its ends.
pub fn single_spaces(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
