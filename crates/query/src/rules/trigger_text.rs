//! The form in which questions and triggers are compared: lower case, no accents, single spaces.

use crate::analysis::{Analyser, unaccented};

/// A question or the text of a trigger.
pub(super) struct TriggerText(String);

impl TriggerText {
    pub fn new(text: &str) -> Self {
        let text = unaccented(text);
        let words: Vec<&str> = text.split_whitespace().collect();
        Self(words.join(" "))
    }

    pub fn text(&self) -> &str {
        &self.0
    }

    pub fn into_text(self) -> String {
        self.0
    }

    /// Its words, signs and blanks: a phrase of them is a part of the text that begins and ends where words do.
    pub fn units<'a>(&'a self, analyser: &Analyser) -> Vec<&'a str> {
        analyser.units(&self.0)
    }
}

/// A pattern whose own letters have no accents; nothing of its syntax is a letter with one.
pub(super) fn without_accents(pattern: &str) -> String {
    let letter = |letter: char| {
        if letter.is_ascii() || !letter.is_alphabetic() {
            return letter.to_string();
        }
        unaccented(letter.encode_utf8(&mut [0; 4]))
    };
    pattern.chars().map(letter).collect()
}
