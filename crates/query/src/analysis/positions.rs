//! The words of a document's text with their positions, and the further spellings under which they are found.

use super::Analyser;
use super::pieces::{Piece, pieces};
use super::unspaced::Run;
use std::ops::Range;

/// A word with its position in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PositionedWord<W> {
    /// Index of the word in its text, from 0; characters that are matched by bigrams count one by one.
    pub position: u32,
    /// Start in the text, in bytes.
    pub start: usize,
    /// End in the text, in bytes.
    pub end: usize,
    /// The word.
    pub word: W,
    /// True for a further spelling at the position of a word.
    pub joined: bool,
}

/// Turns written text into words, cached or not.
pub(super) trait WordSource {
    /// The word type.
    type Word;

    /// Analyses the word `written`; none when nothing is left of it.
    fn word(&mut self, analyser: &Analyser, written: &str) -> Option<Self::Word>;

    /// Joins hyphenated words into one.
    fn joined(&mut self, analyser: &Analyser, parts: &[&Self::Word]) -> Self::Word;
}

/// The words of `text`, ordered by their end.
pub(super) fn words<L: WordSource>(
    analyser: &Analyser,
    text: &str,
    words: &mut L,
) -> Vec<PositionedWord<L::Word>> {
    let mut scan = PositionedScan {
        analyser,
        text,
        words,
        placed: Vec::new(),
        chain: Vec::new(),
        position: 0,
    };
    for piece in pieces(analyser.segmenter, text) {
        match piece {
            Piece::Word(range) => scan.push_word(range),
            Piece::Run(run) => scan.push_run(&run),
        }
    }
    scan.end_chain();
    scan.placed
}

/// A scan over a text.
struct PositionedScan<'a, L: WordSource> {
    analyser: &'a Analyser,
    text: &'a str,
    words: &'a mut L,
    placed: Vec<PositionedWord<L::Word>>,
    /// Indices in `placed` of the words of the current hyphenated word.
    chain: Vec<usize>,
    /// The position of the next word.
    position: u32,
}

impl<L: WordSource> PositionedScan<'_, L> {
    fn push_word(&mut self, range: Range<usize>) {
        let start = range.start + self.analyser.article(&self.text[range.clone()]);
        let Some(word) = self.word(start..range.end, self.position, false) else {
            return;
        };
        let hyphenated = self
            .chain
            .last()
            .is_some_and(|last: &usize| self.text.get(self.placed[*last].end..start) == Some("-"));
        if !hyphenated {
            self.end_chain();
        }
        if start > range.start {
            // With its article, for queries that leave the apostrophe out.
            let whole = self.word(range, self.position, true);
            self.placed.extend(whole);
        }
        self.chain.push(self.placed.len());
        self.placed.push(word);
        self.position += 1;
    }

    /// Adds all bigrams of a run, and all characters as further spellings at their positions.
    fn push_run(&mut self, run: &Run) {
        self.end_chain();
        for at in 0..run.characters.len() {
            let position = self.position + at as u32;
            let has_next = at + 1 < run.characters.len();
            if has_next {
                let bigram = self.word(run.range(at..at + 2), position, false);
                self.placed.extend(bigram);
            }
            let character = self.word(run.range(at..at + 1), position, has_next);
            self.placed.extend(character);
        }
        self.position += run.characters.len() as u32;
    }

    fn word(
        &mut self,
        range: Range<usize>,
        position: u32,
        joined: bool,
    ) -> Option<PositionedWord<L::Word>> {
        let word = self.words.word(self.analyser, &self.text[range.clone()])?;
        Some(PositionedWord {
            position,
            start: range.start,
            end: range.end,
            word,
            joined,
        })
    }

    /// Ends a chain of hyphenated words: adds their joined spelling when there are several.
    fn end_chain(&mut self) {
        if let [first, .., last] = self.chain[..] {
            let parts = self.chain.iter().map(|at| &self.placed[*at].word);
            let word = self.words.joined(self.analyser, &parts.collect::<Vec<_>>());
            self.placed.push(PositionedWord {
                position: self.placed[first].position,
                start: self.placed[first].start,
                end: self.placed[last].end,
                word,
                joined: true,
            });
        }
        self.chain.clear();
    }
}
