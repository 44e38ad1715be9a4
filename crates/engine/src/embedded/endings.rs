//! The stems of one segment in the order of their last letters, so that words are found at the end of longer ones.

use crate::EngineError;
use tantivy::InvertedIndexReader;

/// All stems of a segment, sorted from their last letter to their first.
#[derive(Debug)]
pub struct Endings {
    text: String,
    /// Where each stem starts and ends in `text`.
    places: Vec<(u32, u32)>,
}

impl Endings {
    /// The stems of the dictionary of `stems`.
    pub fn read(stems: &InvertedIndexReader) -> Result<Self, EngineError> {
        let mut text = String::new();
        let mut places = Vec::with_capacity(stems.terms().num_terms());
        let mut stream = stems
            .terms()
            .stream()
            .map_err(EngineError::during("read the words of a segment"))?;
        while stream.advance() {
            // More than fits is left out; no segment holds that many words.
            let start = u32::try_from(text.len());
            text.push_str(&String::from_utf8_lossy(stream.key()));
            if let (Ok(start), Ok(end)) = (start, u32::try_from(text.len())) {
                places.push((start, end));
            }
        }
        let mut endings = Self {
            text,
            places: Vec::new(),
        };
        places.sort_unstable_by(|a, b| backwards(endings.at(*a)).cmp(backwards(endings.at(*b))));
        endings.places = places;
        Ok(endings)
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
