//! How analysed terms reach the index: as one text with marks for places, split by a tokenizer that changes nothing.

use crate::indexed_document::VALUE_GAP;
use tantivy::tokenizer::{Token, TokenStream, Tokenizer};

/// Name under which the tokenizer is registered.
pub const TOKENIZER: &str = "placed_terms";

/// Before a term at the place of the former term; before any other, as many marks as places lie between.
const SAME_PLACE: char = '\u{1f}';
const NEXT_PLACE: char = '\u{1e}';
const NEXT_VALUE: char = '\u{1d}';
const SAME_PLACE_BYTE: u8 = SAME_PLACE as u8;
const NEXT_PLACE_BYTE: u8 = NEXT_PLACE as u8;
const NEXT_VALUE_BYTE: u8 = NEXT_VALUE as u8;

/// Terms with their places, as one text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PositionedTerms {
    text: String,
    place: u32,
}

impl PositionedTerms {
    /// Goes on to `place`, which is not before the present one.
    pub fn go_to(&mut self, place: u32) {
        let distance = place - self.place;
        for _ in 0..distance / VALUE_GAP {
            self.text.push(NEXT_VALUE);
        }
        for _ in 0..distance % VALUE_GAP {
            self.text.push(NEXT_PLACE);
        }
        self.place = place;
    }

    /// Adds a term at the present place.
    pub fn push(&mut self, term: &str) {
        self.text.push(SAME_PLACE);
        self.text.push_str(term);
    }

    /// Adds a term that starts with `mark`.
    pub fn push_marked(&mut self, mark: char, term: &str) {
        self.text.extend([SAME_PLACE, mark]);
        self.text.push_str(term);
    }

    /// All of them.
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

/// Terms without places, as one text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TermSet(String);

impl TermSet {
    /// Adds a term.
    pub fn push(&mut self, term: &str) {
        self.0.push(SAME_PLACE);
        self.0.push_str(term);
    }

    /// Adds letters to the last term.
    pub fn extend(&mut self, letters: [char; 2]) {
        self.0.extend(letters);
    }

    /// All of them.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl<'a> FromIterator<&'a String> for TermSet {
    fn from_iter<I: IntoIterator<Item = &'a String>>(terms: I) -> Self {
        let mut set = Self::default();
        terms.into_iter().for_each(|term| set.push(term));
        set
    }
}

/// Splits a text of terms.
#[derive(Clone, Default)]
pub struct PositionedTermsTokenizer {
    token: Token,
}

impl Tokenizer for PositionedTermsTokenizer {
    type TokenStream<'a> = PositionedTermStream<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> PositionedTermStream<'a> {
        self.token.reset();
        self.token.position = 0;
        PositionedTermStream {
            rest: text,
            token: &mut self.token,
        }
    }
}

/// The terms of one text.
pub struct PositionedTermStream<'a> {
    rest: &'a str,
    token: &'a mut Token,
}

impl TokenStream for PositionedTermStream<'_> {
    fn advance(&mut self) -> bool {
        // Marks are single bytes, and no letter of several bytes has one among them.
        let bytes = self.rest.as_bytes();
        let mut start = 0;
        loop {
            match bytes.get(start) {
                None => return false,
                Some(&NEXT_PLACE_BYTE) => self.token.position += 1,
                Some(&NEXT_VALUE_BYTE) => self.token.position += VALUE_GAP as usize,
                Some(_) => break,
            }
            start += 1;
        }
        // The sign before the term says only that it starts here.
        start += usize::from(bytes[start] == SAME_PLACE_BYTE);
        let is_mark = |byte: &u8| (NEXT_VALUE_BYTE..=SAME_PLACE_BYTE).contains(byte);
        let length = bytes[start..].iter().position(is_mark);
        let (body, rest) = self.rest[start..].split_at(length.unwrap_or(bytes.len() - start));
        self.token.text.clear();
        self.token.text.push_str(body);
        self.rest = rest;
        true
    }

    fn token(&self) -> &Token {
        self.token
    }

    fn token_mut(&mut self) -> &mut Token {
        self.token
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terms_and_places_come_back() {
        let terms = [("a", 0), ("\u{1}a", 0), ("b", 1), ("c", 103), ("é", 207)];
        let mut placed = PositionedTerms::default();
        for (term, place) in terms {
            placed.go_to(place);
            match term.strip_prefix('\u{1}') {
                Some(rest) => placed.push_marked('\u{1}', rest),
                None => placed.push(term),
            }
        }
        let mut tokenizer = PositionedTermsTokenizer::default();
        let mut stream = tokenizer.token_stream(placed.as_str());
        let mut back = Vec::new();
        while stream.advance() {
            let token = stream.token();
            back.push((token.text.clone(), token.position as u32));
        }
        assert_eq!(back, terms.map(|(term, place)| (term.to_owned(), place)));
    }
}
