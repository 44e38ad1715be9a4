//! The words of a document's text at their places, with the further spellings under which they are found.

use super::Analyser;
use super::pieces::{Piece, pieces};
use super::unspaced::Run;
use std::ops::Range;

/// A word at its place in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PositionedWord<W> {
    /// Place of the word among the words of its text, from 0; letters that are matched by pairs count one by one.
    pub position: u32,
    /// Where it starts in the text, in bytes.
    pub start: usize,
    /// Where it ends in the text, in bytes.
    pub end: usize,
    /// The word.
    pub word: W,
    /// True for a further spelling at the place of a word.
    pub joined: bool,
}

/// What makes words of what is written.
pub(super) trait WordSource {
    /// A word.
    type Word;

    /// The word `written`; none when nothing is left of it.
    fn word(&mut self, analyser: &Analyser, written: &str) -> Option<Self::Word>;

    /// Words with hyphens between them as one.
    fn joined(&mut self, analyser: &Analyser, parts: &[&Self::Word]) -> Self::Word;
}

/// The words of `text` in the order in which they end.
pub(super) fn words<L: WordSource>(
    analyser: &Analyser,
    text: &str,
    words: &mut L,
) -> Vec<PositionedWord<L::Word>> {
    let mut reading = PositionedScan {
        analyser,
        text,
        words,
        placed: Vec::new(),
        chain: Vec::new(),
        position: 0,
    };
    for piece in pieces(analyser.segmenter, text) {
        match piece {
            Piece::Word(place) => reading.push_word(place),
            Piece::Run(run) => reading.push_run(&run),
        }
    }
    reading.end_chain();
    reading.placed
}

/// A text as far as it was read.
struct PositionedScan<'a, L: WordSource> {
    analyser: &'a Analyser,
    text: &'a str,
    words: &'a mut L,
    placed: Vec<PositionedWord<L::Word>>,
    /// Places in `placed` of words with hyphens between them.
    chain: Vec<usize>,
    /// The position of the next word.
    position: u32,
}

impl<L: WordSource> PositionedScan<'_, L> {
    fn push_word(&mut self, place: Range<usize>) {
        let start = place.start + self.analyser.article(&self.text[place.clone()]);
        let Some(word) = self.word(start..place.end, self.position, false) else {
            return;
        };
        let hyphenated = self
            .chain
            .last()
            .is_some_and(|last: &usize| self.text.get(self.placed[*last].end..start) == Some("-"));
        if !hyphenated {
            self.end_chain();
        }
        if start > place.start {
            // With its article, as who leaves the apostrophe out writes it.
            let whole = self.word(place, self.position, true);
            self.placed.extend(whole);
        }
        self.chain.push(self.placed.len());
        self.placed.push(word);
        self.position += 1;
    }

    /// Adds all pairs of letters of a run, and all letters as further spellings at their places.
    fn push_run(&mut self, run: &Run) {
        self.end_chain();
        for at in 0..run.letters.len() {
            let position = self.position + at as u32;
            let paired = at + 1 < run.letters.len();
            if paired {
                let pair = self.word(run.place(at..at + 2), position, false);
                self.placed.extend(pair);
            }
            let letter = self.word(run.place(at..at + 1), position, paired);
            self.placed.extend(letter);
        }
        self.position += run.letters.len() as u32;
    }

    fn word(
        &mut self,
        place: Range<usize>,
        position: u32,
        joined: bool,
    ) -> Option<PositionedWord<L::Word>> {
        let word = self.words.word(self.analyser, &self.text[place.clone()])?;
        Some(PositionedWord {
            position,
            start: place.start,
            end: place.end,
            word,
            joined,
        })
    }

    /// Ends a chain of words with hyphens between them: adds its joined spelling where there are several.
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
