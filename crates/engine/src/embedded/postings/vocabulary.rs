//! The stems of a segment in memory, for fuzzy matching by bit-parallel edit distance (Myers 1999, "A fast bit-vector
//! algorithm for approximate string matching based on dynamic programming"; with transpositions, Hyyrö 2003).
//!
//! Most terms are ruled out by their length and their set of characters; only the others are compared.

use crate::EngineError;
use std::ops::Range;
use tantivy::InvertedIndexReader;
use tantivy::postings::TermInfo;

/// The terms of a dictionary, in its order.
#[derive(Debug, Default)]
pub struct Vocabulary {
    text: String,
    terms: Vec<TermEntry>,
    lists: Vec<PostingAddress>,
}

/// The address of the posting list of a term; stems have no positions.
#[derive(Clone, Copy, Debug)]
struct PostingAddress {
    start: usize,
    bytes: usize,
    documents: u32,
}

/// The data of a term that is compared first.
#[derive(Clone, Copy, Debug)]
struct TermEntry {
    end: u32,
    /// Length in characters.
    length: u8,
    /// The set of its characters, see [`set_of`].
    set: u32,
}

/// A word prepared for comparison with terms.
pub struct ComparedWord {
    characters: Vec<char>,
    set: u32,
    distance: u32,
    start: String,
}

impl ComparedWord {
    /// Prepares `word` for terms within `distance` edits that share its first `prefix` characters.
    pub fn new(word: &str, distance: u32, prefix: usize) -> Self {
        Self {
            characters: word.chars().collect(),
            set: set_of(word),
            distance,
            start: word.chars().take(prefix).collect(),
        }
    }

    fn may_be_within_distance(&self, term: &TermEntry) -> bool {
        u32::from(term.length).abs_diff(self.characters.len() as u32) <= self.distance
            && at_most(self.distance, term.set & !self.set)
            && at_most(self.distance, self.set & !term.set)
    }
}

impl Vocabulary {
    /// Reads the terms of `dictionary`.
    pub fn read(dictionary: &InvertedIndexReader) -> Result<Self, EngineError> {
        let mut vocabulary = Self::default();
        let mut stream = dictionary
            .terms()
            .stream()
            .map_err(EngineError::during("read the terms of a segment"))?;
        while stream.advance() {
            vocabulary.push(&String::from_utf8_lossy(stream.key()));
            vocabulary.lists.push(PostingAddress::of(stream.value()));
        }
        Ok(vocabulary)
    }

    fn push(&mut self, term: &str) {
        self.text.push_str(term);
        self.terms.push(TermEntry {
            end: u32::try_from(self.text.len()).expect("the terms of a segment fit in memory"),
            length: u8::try_from(term.chars().count()).unwrap_or(u8::MAX),
            set: set_of(term),
        });
    }

    /// The posting list of the term with index `at`.
    pub fn postings(&self, at: usize) -> TermInfo {
        let list = self.lists[at];
        TermInfo {
            doc_freq: list.documents,
            postings_range: list.start..list.start + list.bytes,
            positions_range: 0..0,
        }
    }

    /// The fuzzy terms of `word`, at edit distance 1 or more, in order: index, term and distance.
    pub fn fuzzy_terms(&self, word: &ComparedWord) -> Vec<(usize, &str, u32)> {
        let mut found = Vec::new();
        let Some(pattern) =
            EditDistancePattern::new(&word.characters).filter(|pattern| pattern.length > 0)
        else {
            return found;
        };
        for at in self.starting_with(&word.start) {
            if !word.may_be_within_distance(&self.terms[at]) {
                continue;
            }
            let text = self.text(at);
            let distance = pattern.distance(text);
            if (1..=word.distance).contains(&distance) {
                found.push((at, text, distance));
            }
        }
        found
    }

    /// Indices of the terms that start with `start`.
    fn starting_with(&self, start: &str) -> Range<usize> {
        let first_where = |from: usize, holds: &dyn Fn(&str) -> bool| {
            let (mut low, mut high) = (from, self.terms.len());
            while low < high {
                let middle = low.midpoint(high);
                if holds(self.text(middle)) {
                    high = middle;
                } else {
                    low = middle + 1;
                }
            }
            low
        };
        let first = first_where(0, &|text| text >= start);
        first..first_where(first, &|text| !text.starts_with(start))
    }

    fn text(&self, at: usize) -> &str {
        let start = match at {
            0 => 0,
            _ => self.terms[at - 1].end,
        };
        &self.text[start as usize..self.terms[at].end as usize]
    }
}

impl PostingAddress {
    fn of(info: &TermInfo) -> Self {
        Self {
            start: info.postings_range.start,
            bytes: info.postings_range.len(),
            documents: info.doc_freq,
        }
    }
}

/// Whether at most `count` bits are set; faster than counting all.
fn at_most(count: u32, mut bits: u32) -> bool {
    for _ in 0..count {
        bits &= bits.wrapping_sub(1);
    }
    bits == 0
}

/// A bit set of the characters of `word`, some of which share a bit. A character that only one of two words contains
/// adds at least one to their distance.
fn set_of(word: &str) -> u32 {
    word.chars().fold(0, |set, c| set | 1 << (c as u32 % 32))
}

/// The pattern word of the bit-parallel edit distance, one bit per character.
struct EditDistancePattern {
    /// Positions of each ASCII character in the word.
    ascii: [u64; 128],
    /// Positions of its other characters.
    others: Vec<(char, u64)>,
    length: u32,
}

impl EditDistancePattern {
    /// None for a word of more than 64 characters; analysed words are shorter.
    fn new(word: &[char]) -> Option<Self> {
        let mut pattern = Self {
            ascii: [0; 128],
            others: Vec::new(),
            length: u32::try_from(word.len()).ok().filter(|n| *n <= u64::BITS)?,
        };
        for (at, c) in word.iter().enumerate() {
            let bit = 1 << at;
            match pattern.ascii.get_mut(*c as usize) {
                Some(positions) => *positions |= bit,
                None => match pattern.others.iter_mut().find(|(other, _)| other == c) {
                    Some((_, positions)) => *positions |= bit,
                    None => pattern.others.push((*c, bit)),
                },
            }
        }
        Some(pattern)
    }

    fn positions(&self, c: char) -> u64 {
        let other = || self.others.iter().find(|(other, _)| *other == c);
        match self.ascii.get(c as usize) {
            Some(positions) => *positions,
            None => other().map_or(0, |(_, positions)| *positions),
        }
    }

    /// The edit distance to `other` with insertions, deletions, substitutions and transpositions of neighbours (optimal
    /// string alignment).
    ///
    /// A column of the distance matrix is encoded in two words of vertical differences, +1 and -1 (Hyyrö, "A bit-vector
    /// algorithm for computing Levenshtein and Damerau edit distances", 2003).
    fn distance(&self, other: &str) -> u32 {
        let last = 1u64 << (self.length - 1);
        let mut distance = self.length;
        let (mut rises, mut falls, mut same, mut before) = (u64::MAX, 0u64, 0u64, 0u64);
        for c in other.chars() {
            let positions = self.positions(c);
            let swapped = ((!same & positions) << 1) & before;
            same =
                (((positions & rises).wrapping_add(rises)) ^ rises) | positions | falls | swapped;
            let (up, down) = (falls | !(same | rises), same & rises);
            distance += u32::from(up & last != 0);
            distance -= u32::from(down & last != 0);
            let (up, down) = (up << 1 | 1, down << 1);
            rises = down | !(same | up);
            falls = up & same;
            before = positions;
        }
        distance
    }
}

#[cfg(test)]
mod tests {
    //! 1. The fuzzy terms equal those of a Levenshtein automaton, with any prefix and script.
    //! 2. Terms are numbered in order.

    use super::*;
    use levenshtein_automata::{Distance, LevenshteinAutomatonBuilder};
    use proptest::prelude::*;

    fn vocabulary(terms: &[String]) -> Vocabulary {
        let mut vocabulary = Vocabulary::default();
        terms.iter().for_each(|term| vocabulary.push(term));
        vocabulary
    }

    proptest! {
        #[test]
        fn fuzzy_terms_equal_those_of_an_automaton(
            terms in proptest::collection::btree_set("[abcéñü語]{1,7}", 0..60),
            word in "[abcéñü語]{1,7}",
            distance in 1u32..=2,
            prefix in 0usize..=3,
        ) {
            let terms: Vec<String> = terms.into_iter().collect();
            let automaton = LevenshteinAutomatonBuilder::new(distance as u8, true).build_dfa(&word);
            let start: String = word.chars().take(prefix).collect();
            let mut expected = Vec::new();
            for term in terms.iter().filter(|term| term.starts_with(&start)) {
                if let Distance::Exact(away @ 1..) = automaton.eval(term) {
                    expected.push((term.as_str(), u32::from(away)));
                }
            }
            let vocabulary = vocabulary(&terms);
            let near = vocabulary.fuzzy_terms(&ComparedWord::new(&word, distance, prefix));
            for (number, term, _) in &near {
                prop_assert_eq!(&terms[*number], term);
            }
            let near: Vec<(&str, u32)> = near.into_iter().map(|(_, term, away)| (term, away)).collect();
            prop_assert_eq!(near, expected);
        }
    }
}
