//! The stems of one segment side by side in memory, so that those near a word are found without a walk of the dictionary.
//!
//! A term that cannot be near is told by its number of letters and by which letters it has; the few others are compared.

use crate::EngineError;
use std::ops::Range;
use tantivy::InvertedIndexReader;
use tantivy::postings::TermInfo;

/// The terms of a dictionary in its order.
#[derive(Debug, Default)]
pub struct Vocabulary {
    text: String,
    terms: Vec<TermEntry>,
    lists: Vec<PostingAddress>,
}

/// Where the list of a term stands; stems have no positions.
#[derive(Clone, Copy, Debug)]
struct PostingAddress {
    start: usize,
    bytes: usize,
    documents: u32,
}

/// What is looked at first.
#[derive(Clone, Copy, Debug)]
struct TermEntry {
    end: u32,
    letters: u8,
    /// Which letters it has, as far as so few bits tell.
    set: u32,
}

/// A word as it is compared with terms.
pub struct ComparedWord {
    letters: Vec<char>,
    set: u32,
    distance: u32,
    start: String,
}

impl ComparedWord {
    /// `word`, of which terms may be `distance` letters away that share its first `prefix` letters.
    pub fn new(word: &str, distance: u32, prefix: usize) -> Self {
        Self {
            letters: word.chars().collect(),
            set: set_of(word),
            distance,
            start: word.chars().take(prefix).collect(),
        }
    }

    fn may_be_near(&self, term: &TermEntry) -> bool {
        u32::from(term.letters).abs_diff(self.letters.len() as u32) <= self.distance
            && at_most(self.distance, term.set & !self.set)
            && at_most(self.distance, self.set & !term.set)
    }
}

impl Vocabulary {
    /// The terms of `dictionary`.
    pub fn read(dictionary: &InvertedIndexReader) -> Result<Self, EngineError> {
        let mut vocabulary = Self::default();
        let mut stream = dictionary
            .terms()
            .stream()
            .map_err(EngineError::during("read the words of a segment"))?;
        while stream.advance() {
            vocabulary.push(&String::from_utf8_lossy(stream.key()));
            vocabulary.lists.push(PostingAddress::of(stream.value()));
        }
        Ok(vocabulary)
    }

    fn push(&mut self, term: &str) {
        self.text.push_str(term);
        self.terms.push(TermEntry {
            end: u32::try_from(self.text.len()).expect("the words of a segment fit in memory"),
            letters: u8::try_from(term.chars().count()).unwrap_or(u8::MAX),
            set: set_of(term),
        });
    }

    /// The list of term number `at`.
    pub fn list(&self, at: usize) -> TermInfo {
        let list = self.lists[at];
        TermInfo {
            doc_freq: list.documents,
            postings_range: list.start..list.start + list.bytes,
            positions_range: 0..0,
        }
    }

    /// The terms at 1 to as many letters from `word` as it allows, in their order: number, term, distance.
    pub fn near(&self, word: &ComparedWord) -> Vec<(usize, &str, u32)> {
        let mut found = Vec::new();
        let Some(pattern) = EditDistancePattern::new(&word.letters).filter(|own| own.letters > 0)
        else {
            return found;
        };
        for at in self.starting_with(&word.start) {
            if !word.may_be_near(&self.terms[at]) {
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

    /// Numbers of the terms that start with `start`.
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

/// Whether so few bits are set; counting them all takes longer.
fn at_most(count: u32, mut bits: u32) -> bool {
    for _ in 0..count {
        bits &= bits.wrapping_sub(1);
    }
    bits == 0
}

/// A bit for every letter, the same for some; a letter that is missing in one word makes them differ by one at least.
fn set_of(word: &str) -> u32 {
    word.chars()
        .fold(0, |set, letter| set | 1 << (letter as u32 % 32))
}

/// A word whose distance to others is wanted, a bit for each of its letters.
struct EditDistancePattern {
    /// The places of each ASCII letter.
    ascii: [u64; 128],
    /// The same of all other letters that it has.
    others: Vec<(char, u64)>,
    letters: u32,
}

impl EditDistancePattern {
    /// None for a word of more than 64 letters, which no analysed word has.
    fn new(word: &[char]) -> Option<Self> {
        let mut pattern = Self {
            ascii: [0; 128],
            others: Vec::new(),
            letters: u32::try_from(word.len()).ok().filter(|n| *n <= u64::BITS)?,
        };
        for (at, letter) in word.iter().enumerate() {
            let bit = 1 << at;
            match pattern.ascii.get_mut(*letter as usize) {
                Some(places) => *places |= bit,
                None => match pattern.others.iter_mut().find(|(own, _)| own == letter) {
                    Some((_, places)) => *places |= bit,
                    None => pattern.others.push((*letter, bit)),
                },
            }
        }
        Some(pattern)
    }

    fn places(&self, letter: char) -> u64 {
        let other = || self.others.iter().find(|(own, _)| *own == letter);
        match self.ascii.get(letter as usize) {
            Some(places) => *places,
            None => other().map_or(0, |(_, places)| *places),
        }
    }

    /// Letters to insert, leave out, replace or swap with their neighbour, each at most once, until it is `other`.
    ///
    /// A column of the table of distances is two words of bits, which tell where it rises and where it falls (Hyyrö, A
    /// bit-vector algorithm for computing Levenshtein and Damerau edit distances, 2003).
    fn distance(&self, other: &str) -> u32 {
        let last = 1u64 << (self.letters - 1);
        let mut distance = self.letters;
        let (mut rises, mut falls, mut same, mut before) = (u64::MAX, 0u64, 0u64, 0u64);
        for letter in other.chars() {
            let places = self.places(letter);
            let swapped = ((!same & places) << 1) & before;
            same = (((places & rises).wrapping_add(rises)) ^ rises) | places | falls | swapped;
            let (up, down) = (falls | !(same | rises), same & rises);
            distance += u32::from(up & last != 0);
            distance -= u32::from(down & last != 0);
            let (up, down) = (up << 1 | 1, down << 1);
            rises = down | !(same | up);
            falls = up & same;
            before = places;
        }
        distance
    }
}

#[cfg(test)]
mod tests {
    //! 1. What is found is what an automaton over all terms finds, prefix and letters of any script included.
    //! 2. Terms are numbered in their order.

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
        fn near_terms_are_those_of_an_automaton(
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
            let near = vocabulary.near(&ComparedWord::new(&word, distance, prefix));
            for (number, term, _) in &near {
                prop_assert_eq!(&terms[*number], term);
            }
            let near: Vec<(&str, u32)> = near.into_iter().map(|(_, term, away)| (term, away)).collect();
            prop_assert_eq!(near, expected);
        }
    }
}
