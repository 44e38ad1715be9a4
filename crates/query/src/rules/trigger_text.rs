//! The form in which queries and triggers are compared: lower case, no accents, single spaces.

use crate::analysis::{Analyser, unaccented};

/// The normalised text of a query or trigger.
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

    /// The words, punctuation and spaces: a phrase of units starts and ends at word boundaries.
    pub fn units<'a>(&'a self, analyser: &Analyser) -> Vec<&'a str> {
        analyser.units(&self.0)
    }
}

/// Removes the accents of the literals of a pattern; its syntax contains no accented character.
pub(super) fn without_accents(pattern: &str) -> String {
    let plain = |c: char| {
        if c.is_ascii() || !c.is_alphabetic() {
            return c.to_string();
        }
        unaccented(c.encode_utf8(&mut [0; 4]))
    };
    pattern.chars().map(plain).collect()
}
