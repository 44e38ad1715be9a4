//! Passes analysed terms to tantivy: as one text with marks for positions, split by a tokenizer that changes nothing.
//!
//! Positions are increments from term to term, as the `PositionIncrementAttribute` of Lucene.

use tantivy::tokenizer::{Token, TokenStream, Tokenizer};

/// Name under which the tokenizer is registered.
pub const TOKENIZER: &str = "placed_terms";

/// Gap in positions between two values of a field, so that no phrase match crosses values.
pub const VALUE_GAP: u32 = 100;

/// `TERM` precedes every term; before it, one `NEXT_POSITION` for each position, and one `NEXT_VALUE` for each
/// [`VALUE_GAP`] of positions, since the previous term.
const TERM: char = '\u{1f}';
const NEXT_POSITION: char = '\u{1e}';
const NEXT_VALUE: char = '\u{1d}';
const TERM_BYTE: u8 = TERM as u8;
const NEXT_POSITION_BYTE: u8 = NEXT_POSITION as u8;
const NEXT_VALUE_BYTE: u8 = NEXT_VALUE as u8;

/// Terms with positions, as one text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PositionedTerms {
    text: String,
    position: u32,
}

impl PositionedTerms {
    /// Advances to `position`, which is not before the current one.
    pub fn go_to(&mut self, position: u32) {
        let distance = position - self.position;
        for _ in 0..distance / VALUE_GAP {
            self.text.push(NEXT_VALUE);
        }
        for _ in 0..distance % VALUE_GAP {
            self.text.push(NEXT_POSITION);
        }
        self.position = position;
    }

    /// Adds a term at the current position.
    pub fn push(&mut self, term: &str) {
        self.text.push(TERM);
        self.text.push_str(term);
    }

    /// Adds a term that starts with `mark`.
    pub fn push_marked(&mut self, mark: char, term: &str) {
        self.text.extend([TERM, mark]);
        self.text.push_str(term);
    }

    /// The encoded terms.
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

/// Terms without positions, as one text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TermSet(String);

impl TermSet {
    /// Adds a term.
    pub fn push(&mut self, term: &str) {
        self.0.push(TERM);
        self.0.push_str(term);
    }

    /// Appends characters to the last term.
    pub fn extend(&mut self, characters: [char; 2]) {
        self.0.extend(characters);
    }

    /// The encoded terms.
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

/// Splits an encoded text into its terms.
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

/// The terms of an encoded text.
pub struct PositionedTermStream<'a> {
    rest: &'a str,
    token: &'a mut Token,
}

impl TokenStream for PositionedTermStream<'_> {
    fn advance(&mut self) -> bool {
        // Marks are ASCII, so they never occur within a multi-byte character.
        let bytes = self.rest.as_bytes();
        let mut start = 0;
        loop {
            match bytes.get(start) {
                None => return false,
                Some(&NEXT_POSITION_BYTE) => self.token.position += 1,
                Some(&NEXT_VALUE_BYTE) => self.token.position += VALUE_GAP as usize,
                Some(_) => break,
            }
            start += 1;
        }
        // The mark before the term only separates it.
        start += usize::from(bytes[start] == TERM_BYTE);
        let is_mark = |byte: &u8| (NEXT_VALUE_BYTE..=TERM_BYTE).contains(byte);
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
    fn terms_and_positions_round_trip() {
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
