//! The forms in which queries and triggers are compared: the words of the analysis for phrases; lower case without accents
//! and with single spaces for regular expressions.

use crate::analysis::{Analyser, Token, WrittenWord, unaccented};

/// The normalised text of a query or trigger.
pub(super) struct TriggerText {
    text: String,
    writings: Vec<Vec<WrittenWord>>,
    /// Whether it has words, and none that signs make another word, such as `c++`.
    has_alternatives: bool,
}

impl TriggerText {
    /// Normalises `text`.
    pub fn new(text: &str, analyser: &Analyser) -> Self {
        let tokens = analyser.words(text);
        let tokens: Vec<&Token> = tokens.iter().collect();
        let text = unaccented(text);
        let words: Vec<&str> = text.split_whitespace().collect();
        let text = words.join(" ");
        let has_alternatives = !tokens.is_empty() && !tokens.iter().any(|token| token.is_marked());
        let mut together = analyser.joined_units(&tokens);
        if together.is_empty() && !text.is_empty() {
            // Signs alone, as they are.
            together.push(WrittenWord {
                key: text.clone(),
                token: 0,
                starts: true,
                ends: true,
                continues: false,
            });
        }
        let mut writings = vec![together];
        writings.extend(analyser.apart(&tokens));
        Self {
            text,
            writings,
            has_alternatives,
        }
    }

    /// Lower case, no accents, single spaces.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Its words, written together and apart where the two differ.
    pub fn writings(&self) -> impl Iterator<Item = &[WrittenWord]> {
        self.writings.iter().map(Vec::as_slice)
    }

    /// The writings of which there may be alternatives: that with signs that make another word matches alone.
    pub fn writings_with_alternatives(&self) -> impl Iterator<Item = &[WrittenWord]> {
        self.writings().filter(|_| self.has_alternatives)
    }

    /// Each of its writings as one text.
    pub fn lines(&self) -> impl Iterator<Item = String> {
        self.writings().map(|words| {
            let keys: Vec<&str> = words.iter().map(|word| word.key.as_str()).collect();
            keys.join(" ")
        })
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
