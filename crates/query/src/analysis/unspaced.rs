//! Chinese, Japanese and Korean text, which is matched by bigrams of characters.
//!
//! A dictionary segments the same characters differently from one sentence to the next. A document is therefore indexed
//! by every character and every bigram, and a query looks for the bigrams within its words, so that any text of a
//! document is found.

use std::ops::Range;

/// Whether a character belongs to a script that is matched by bigrams.
pub(super) fn has_bigrams(c: char) -> bool {
    matches!(u32::from(c),
        0x1100..=0x11ff | 0x3005..=0x3007 | 0x3021..=0x3029 | 0x3031..=0x3035 | 0x303b | 0x3041..=0x3096
        | 0x3099..=0x309a | 0x309d..=0x309f | 0x30a1..=0x30fa | 0x30fc..=0x318f | 0x31a0..=0x31bf | 0x31f0..=0x31ff
        | 0x3400..=0x4dbf | 0x4e00..=0x9fff | 0xa960..=0xa97f | 0xac00..=0xd7ff | 0xf900..=0xfaff | 0xff66..=0xffdc
        | 0x20000..=0x323af)
}

/// Adjacent characters that are matched by bigrams.
#[derive(Debug)]
pub(super) struct Run {
    /// The characters, each with its marks, as byte ranges of the text.
    pub characters: Vec<Range<usize>>,
    /// The words by dictionary, as ranges of `characters`.
    pub words: Vec<Range<usize>>,
}

impl Run {
    /// An empty run.
    pub fn new() -> Self {
        Self {
            characters: Vec::new(),
            words: Vec::new(),
        }
    }

    /// End in the text, in bytes.
    pub fn end(&self) -> usize {
        self.characters.last().map_or(0, |c| c.end)
    }

    /// Adds the word that starts at `start` in the text.
    pub fn push(&mut self, word: &str, start: usize) {
        let first = self.characters.len();
        for (at, c) in word.char_indices() {
            let end = start + at + c.len_utf8();
            match self.characters.last_mut() {
                Some(last) if is_mark(c) => last.end = end,
                _ => self.characters.push(start + at..end),
            }
        }
        if self.characters.len() > first {
            self.words.push(first..self.characters.len());
        }
    }

    /// The byte range in the text of a range of `characters`.
    pub fn range(&self, characters: Range<usize>) -> Range<usize> {
        self.characters[characters.start].start..self.characters[characters.end - 1].end
    }
}

/// Voicing marks, variation selectors, and Hangul vowels and finals encoded as separate characters.
fn is_mark(c: char) -> bool {
    matches!(u32::from(c), 0x3099..=0x309a | 0xff9e..=0xff9f | 0xfe00..=0xfe0f | 0xe0100..=0xe01ef | 0x1160..=0x11ff)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_stay_with_their_character() {
        let mut run = Run::new();
        run.push("ｶﾞﾗｽ", 3);
        assert_eq!(run.characters, [3..9, 9..12, 12..15]);
        assert_eq!(run.words.as_slice(), std::slice::from_ref(&(0..3)));
        assert_eq!(run.range(0..2), 3..12);
    }
}
