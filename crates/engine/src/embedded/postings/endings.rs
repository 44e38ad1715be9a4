//! The stems of a segment sorted by their reversed text, for decompounding: finds the stems with a given ending.
//!
//! A sorted list of reversed terms, as the reverse dictionary for wildcards at the beginning (Manning, Raghavan &
//! Schütze, "Introduction to Information Retrieval", 2008, section 3.2.1).

use crate::EngineError;
use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};
use tantivy::InvertedIndexReader;

/// All stems of a segment, sorted from their last byte to their first.
#[derive(Debug, Default)]
pub struct Endings {
    text: String,
    /// Start and end of each stem in `text`.
    ranges: Vec<(u32, u32)>,
    /// Hashes of the stems: most first parts are not words, and this shows it without reading the dictionary.
    hashes: HashSet<u64>,
    hasher: RandomState,
}

impl Endings {
    /// Reads the stems of the dictionary of `stems`.
    pub fn read(stems: &InvertedIndexReader) -> Result<Self, EngineError> {
        let mut endings = Self::default();
        let mut stream = stems
            .terms()
            .stream()
            .map_err(EngineError::during("read the terms of a segment"))?;
        while stream.advance() {
            endings.push(&String::from_utf8_lossy(stream.key()));
        }
        Ok(endings.sorted())
    }

    fn push(&mut self, stem: &str) {
        let start = u32::try_from(self.text.len());
        self.text.push_str(stem);
        // Offsets beyond 32 bits are left out; no segment has that many terms.
        if let (Ok(start), Ok(end)) = (start, u32::try_from(self.text.len())) {
            self.ranges.push((start, end));
            self.hashes.insert(self.hasher.hash_one(stem));
        }
    }

    fn sorted(mut self) -> Self {
        let mut ranges = std::mem::take(&mut self.ranges);
        ranges.sort_unstable_by(|a, b| reversed(self.at(*a)).cmp(reversed(self.at(*b))));
        Self { ranges, ..self }
    }

    /// Whether `stem` may be one of the stems; there are no false negatives.
    pub fn may_contain(&self, stem: &str) -> bool {
        self.hashes.contains(&self.hasher.hash_one(stem))
    }

    /// The stems that end with `ending`, including itself.
    pub fn ending_with(&self, ending: &str) -> impl Iterator<Item = &str> {
        let before = |range: &(u32, u32)| reversed(self.at(*range)).lt(reversed(ending));
        let first = self.ranges.partition_point(before);
        let stems = self.ranges[first..].iter().map(|range| self.at(*range));
        stems.take_while(move |stem| stem.ends_with(ending))
    }

    fn at(&self, (start, end): (u32, u32)) -> &str {
        &self.text[start as usize..end as usize]
    }
}

fn reversed(stem: &str) -> impl Iterator<Item = u8> {
    stem.bytes().rev()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stems_are_found_by_their_end() {
        let mut endings = Endings::default();
        for stem in [
            "arbeitsschuh",
            "damenschuh",
            "hut",
            "schuh",
            "schuhband",
            "öl",
            "olivenöl",
        ] {
            endings.push(stem);
        }
        let endings = endings.sorted();
        let found = |ending: &str| endings.ending_with(ending).collect::<Vec<_>>();
        assert_eq!(found("schuh"), ["schuh", "damenschuh", "arbeitsschuh"]);
        assert_eq!(found("öl"), ["öl", "olivenöl"]);
        assert_eq!(found("tuch"), [""; 0]);
        assert!(endings.may_contain("hut") && !endings.may_contain("hu"));
    }
}
