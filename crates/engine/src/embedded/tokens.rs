//! How analysed terms reach the index: as one text with marks for places, split by a tokenizer that changes nothing.

use crate::indexed_document::PlacedTerm;
use tantivy::tokenizer::{Token, TokenStream, Tokenizer};

/// Name under which the tokenizer is registered.
pub const TOKENIZER: &str = "placed_terms";

/// Before a term at the place of the former term; before any other, as many marks as places lie between.
const SAME_PLACE: char = '\u{1f}';
const NEXT_PLACE: char = '\u{1e}';
const NEXT_VALUE: char = '\u{1d}';

/// The terms as one text. Terms must stand in the order of their places.
pub fn encode(terms: &[PlacedTerm]) -> String {
    let mut text = String::with_capacity(terms.iter().map(|t| t.term.len() + 1).sum());
    let mut place = 0;
    for term in terms {
        push_distance(term.position - place, &mut text);
        text.push_str(&term.term);
        place = term.position;
    }
    text
}

/// Terms without places as one text.
pub fn encode_set<'a>(terms: impl IntoIterator<Item = &'a String>) -> String {
    let mut text = String::new();
    for term in terms {
        text.push(SAME_PLACE);
        text.push_str(term);
    }
    text
}

fn push_distance(distance: u32, text: &mut String) {
    let gap = crate::indexed_document::VALUE_GAP;
    for _ in 0..distance / gap {
        text.push(NEXT_VALUE);
    }
    for _ in 0..distance % gap {
        text.push(NEXT_PLACE);
    }
    text.push(SAME_PLACE);
}

/// Splits what [`encode`] joined.
#[derive(Clone, Default)]
pub struct PlacedTerms {
    token: Token,
}

impl Tokenizer for PlacedTerms {
    type TokenStream<'a> = PlacedTermStream<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> PlacedTermStream<'a> {
        self.token.reset();
        self.token.position = 0;
        PlacedTermStream {
            rest: text,
            token: &mut self.token,
        }
    }
}

/// The terms of one text.
pub struct PlacedTermStream<'a> {
    rest: &'a str,
    token: &'a mut Token,
}

impl TokenStream for PlacedTermStream<'_> {
    fn advance(&mut self) -> bool {
        loop {
            let mut letters = self.rest.chars();
            match letters.next() {
                None => return false,
                Some(NEXT_PLACE) => self.token.position += 1,
                Some(NEXT_VALUE) => {
                    self.token.position += crate::indexed_document::VALUE_GAP as usize;
                }
                Some(_) => break,
            }
            self.rest = letters.as_str();
        }
        // The sign before the term says only that it starts here.
        let body = self.rest.strip_prefix(SAME_PLACE).unwrap_or(self.rest);
        let end = body
            .find([SAME_PLACE, NEXT_PLACE, NEXT_VALUE])
            .unwrap_or(body.len());
        self.token.text.clear();
        self.token.text.push_str(&body[..end]);
        self.rest = &body[end..];
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
        let terms: Vec<PlacedTerm> = [("a", 0), ("\u{1}a", 0), ("b", 1), ("c", 103), ("é", 207)]
            .map(|(term, position)| PlacedTerm {
                term: term.to_owned(),
                position,
            })
            .to_vec();
        let text = encode(&terms);
        let mut tokenizer = PlacedTerms::default();
        let mut stream = tokenizer.token_stream(&text);
        let mut back = Vec::new();
        while stream.advance() {
            let token = stream.token();
            back.push(PlacedTerm {
                term: token.text.clone(),
                position: token.position as u32,
            });
        }
        assert_eq!(back, terms);
    }
}
