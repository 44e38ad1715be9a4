//! Scripts without blanks whose words nobody agrees on: Chinese, Japanese and Korean letters are matched by pairs.
//!
//! A dictionary cuts the same letters differently from one sentence to the next. A document therefore holds every
//! letter and every pair of neighbours, and a question asks for the pairs inside its words, so that what stands in a
//! document is always found.

use std::ops::Range;

/// Whether a letter belongs to a script that is matched by pairs.
pub(super) fn is_paired(letter: char) -> bool {
    matches!(u32::from(letter),
        0x1100..=0x11ff | 0x3005..=0x3007 | 0x3021..=0x3029 | 0x3031..=0x3035 | 0x303b | 0x3041..=0x3096
        | 0x3099..=0x309a | 0x309d..=0x309f | 0x30a1..=0x30fa | 0x30fc..=0x318f | 0x31a0..=0x31bf | 0x31f0..=0x31ff
        | 0x3400..=0x4dbf | 0x4e00..=0x9fff | 0xa960..=0xa97f | 0xac00..=0xd7ff | 0xf900..=0xfaff | 0xff66..=0xffdc
        | 0x20000..=0x323af)
}

/// Letters side by side that are matched by pairs.
#[derive(Debug)]
pub(super) struct Run {
    /// Its letters, each with the marks that belong to it, as places in the text.
    pub letters: Vec<Range<usize>>,
    /// The words that a dictionary sees in it, as places in `letters`.
    pub words: Vec<Range<usize>>,
}

impl Run {
    /// A run of no letters.
    pub fn new() -> Self {
        Self {
            letters: Vec::new(),
            words: Vec::new(),
        }
    }

    /// Where it ends in the text.
    pub fn end(&self) -> usize {
        self.letters.last().map_or(0, |letter| letter.end)
    }

    /// Adds the word at `start` of the text.
    pub fn push(&mut self, word: &str, start: usize) {
        let first = self.letters.len();
        for (at, letter) in word.char_indices() {
            let end = start + at + letter.len_utf8();
            match self.letters.last_mut() {
                Some(last) if is_mark(letter) => last.end = end,
                _ => self.letters.push(start + at..end),
            }
        }
        if self.letters.len() > first {
            self.words.push(first..self.letters.len());
        }
    }

    /// Where `letters` stand in the text.
    pub fn place(&self, letters: Range<usize>) -> Range<usize> {
        self.letters[letters.start].start..self.letters[letters.end - 1].end
    }
}

/// Marks of voice and variant, and vowels and ends of syllables written as letters of their own.
fn is_mark(letter: char) -> bool {
    matches!(u32::from(letter), 0x3099..=0x309a | 0xff9e..=0xff9f | 0xfe00..=0xfe0f | 0xe0100..=0xe01ef | 0x1160..=0x11ff)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_stay_with_their_letter() {
        let mut run = Run::new();
        run.push("ｶﾞﾗｽ", 3);
        assert_eq!(run.letters, [3..9, 9..12, 12..15]);
        assert_eq!(run.words.as_slice(), std::slice::from_ref(&(0..3)));
        assert_eq!(run.place(0..2), 3..12);
    }
}
