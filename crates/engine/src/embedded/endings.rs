//! The stems of one segment in the order of their last letters, so that words are found at the end of longer ones.

use crate::EngineError;
use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};
use tantivy::InvertedIndexReader;

/// All stems of a segment, sorted from their last letter to their first.
#[derive(Debug, Default)]
pub struct Endings {
    text: String,
    /// Where each stem starts and ends in `text`.
    places: Vec<(u32, u32)>,
    /// Hashes of the stems: most first parts are no words, and this tells so without a look into the dictionary.
    hashes: HashSet<u64>,
    hasher: RandomState,
}

impl Endings {
    /// The stems of the dictionary of `stems`.
    pub fn read(stems: &InvertedIndexReader) -> Result<Self, EngineError> {
        let mut endings = Self::default();
        let mut stream = stems
            .terms()
            .stream()
            .map_err(EngineError::during("read the words of a segment"))?;
        while stream.advance() {
            endings.push(&String::from_utf8_lossy(stream.key()));
        }
        Ok(endings.sorted())
    }

    fn push(&mut self, stem: &str) {
        let start = u32::try_from(self.text.len());
        self.text.push_str(stem);
        // What does not fit is left out; no segment holds that many words.
        if let (Ok(start), Ok(end)) = (start, u32::try_from(self.text.len())) {
            self.places.push((start, end));
            self.hashes.insert(self.hasher.hash_one(stem));
        }
    }

    fn sorted(mut self) -> Self {
        let mut places = std::mem::take(&mut self.places);
        places.sort_unstable_by(|a, b| backwards(self.at(*a)).cmp(backwards(self.at(*b))));
        Self { places, ..self }
    }

    /// Whether `stem` may be among them; false is certain.
    pub fn may_hold(&self, stem: &str) -> bool {
        self.hashes.contains(&self.hasher.hash_one(stem))
    }

    /// The stems that end with `ending`, itself among them.
    pub fn ending_with(&self, ending: &str) -> impl Iterator<Item = &str> {
        let before = |place: &(u32, u32)| backwards(self.at(*place)).lt(backwards(ending));
        let first = self.places.partition_point(before);
        let stems = self.places[first..].iter().map(|place| self.at(*place));
        stems.take_while(move |stem| stem.ends_with(ending))
    }

    fn at(&self, (start, end): (u32, u32)) -> &str {
        &self.text[start as usize..end as usize]
    }
}

fn backwards(stem: &str) -> impl Iterator<Item = u8> {
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
        assert!(endings.may_hold("hut") && !endings.may_hold("hu"));
    }
}
