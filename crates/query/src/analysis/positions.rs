//! The words of a document's text with their positions, and the further spellings under which they are found.

use super::Analyser;
use super::normalise::NormalisedText;
use super::units::{Segment, Unit, UnitWord, segments};
use super::unspaced::Run;
use std::ops::Range;

/// Digits between two separators of thousands.
const GROUP: usize = 3;
/// Digits of the longest number that is also read without the blanks between its groups.
const DIGITS_MAX: usize = 12;

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

    /// The surface form and the folded form of a word.
    fn forms<'a>(&'a self, word: &'a Self::Word) -> [&'a str; 2];

    /// A word from the surface forms and folded forms of the words of a unit, each written together.
    fn joined(&mut self, analyser: &Analyser, forms: [String; 2]) -> Self::Word;
}

/// The words of `text`. Further spellings follow the word at whose position they stand.
pub(super) fn words<L: WordSource>(
    analyser: &Analyser,
    text: &str,
    words: &mut L,
) -> Vec<PositionedWord<L::Word>> {
    let normalised = NormalisedText::new(text);
    let mut scan = PositionedScan {
        analyser,
        text: &normalised.text,
        words,
        placed: Vec::new(),
        position: 0,
        digits: None,
    };
    for segment in segments(analyser, &normalised.text) {
        match segment {
            Segment::Unit(unit) => scan.push_unit(&unit),
            Segment::Run(run) => scan.push_run(&run),
        }
    }
    let mut placed = scan.placed;
    for word in &mut placed {
        let range = normalised.original(word.start..word.end);
        (word.start, word.end) = (range.start, range.end);
    }
    placed
}

/// A scan over a normalised text.
struct PositionedScan<'a, L: WordSource> {
    analyser: &'a Analyser,
    text: &'a str,
    words: &'a mut L,
    placed: Vec<PositionedWord<L::Word>>,
    /// The position of the next word.
    position: u32,
    /// The number that the words before may go on, and its position.
    digits: Option<(Range<usize>, u32)>,
}

impl<L: WordSource> PositionedScan<'_, L> {
    fn push_unit(&mut self, unit: &Unit) {
        let (first, position) = (self.placed.len(), self.position);
        let mut parts = Vec::with_capacity(unit.words.len());
        for word in &unit.words {
            if let Some(at) = self.push_word(word) {
                parts.push(at);
            }
        }
        if unit.is_joined() && parts.len() == unit.words.len() {
            let forms = [0, 1].map(|form| {
                let words = parts.iter().map(|at| &self.placed[*at].word);
                unit.joined(words.map(|word| self.words.forms(word)[form]))
            });
            let word = self.words.joined(self.analyser, forms);
            let range = unit.range();
            self.placed.push(PositionedWord {
                position,
                start: range.start,
                end: range.end,
                word,
                joined: true,
            });
        }
        if let [word] = &unit.words[..]
            && self.placed.len() > first
        {
            self.push_grouped_digits(word, position);
        } else {
            self.digits = None;
        }
    }

    /// Adds a word of a unit and its further spellings; returns its index, or none when nothing is left of it.
    fn push_word(&mut self, word: &UnitWord) -> Option<usize> {
        let at = self.placed.len();
        let written = word.text(self.text);
        let range = word.range.clone();
        let own = self.words.word(self.analyser, written)?;
        self.push(own, range.clone(), false);
        // With its article, for queries that leave the apostrophe out; with the signs that make it another word; the
        // numbers of what may be a list.
        let article = word.article.map(|start| start..range.end);
        let spellings = article.into_iter().chain(word.marked.clone());
        for range in spellings.chain(word.list.iter().cloned()) {
            let spelling = self.words.word(self.analyser, &self.text[range.clone()]);
            if let Some(spelling) = spelling {
                self.push(spelling, range, true);
            }
        }
        self.position += 1;
        Some(at)
    }

    /// Adds a number that is written with blanks between its groups, `1 000`, also as one word.
    fn push_grouped_digits(&mut self, word: &UnitWord, position: u32) {
        let digits = &self.text[word.range.clone()];
        let is_number = digits.bytes().all(|b| b.is_ascii_digit());
        let former = self.digits.take();
        if let Some((before, first)) = former
            && is_number
            && digits.len() == GROUP
            && &self.text[before.end..word.range.start] == " "
        {
            let range = before.start..word.range.end;
            let number = self.text[range.clone()].replace(' ', "");
            if number.len() > DIGITS_MAX {
                return;
            }
            if let Some(number) = self.words.word(self.analyser, &number) {
                self.placed.push(PositionedWord {
                    position: first,
                    start: range.start,
                    end: range.end,
                    word: number,
                    joined: true,
                });
            }
            self.digits = Some((range, first));
        } else if is_number && digits.len() <= GROUP && !digits.starts_with('0') {
            self.digits = Some((word.range.clone(), position));
        }
    }

    /// Adds all bigrams of a run, and all characters as further spellings at their positions.
    fn push_run(&mut self, run: &Run) {
        self.digits = None;
        for at in 0..run.characters.len() {
            let has_next = at + 1 < run.characters.len();
            if has_next {
                self.push_characters(run.range(at..at + 2), false);
            }
            self.push_characters(run.range(at..at + 1), has_next);
            self.position += 1;
        }
    }

    fn push_characters(&mut self, range: Range<usize>, joined: bool) {
        let word = self.words.word(self.analyser, &self.text[range.clone()]);
        if let Some(word) = word {
            self.push(word, range, joined);
        }
    }

    fn push(&mut self, word: L::Word, range: Range<usize>, joined: bool) {
        self.placed.push(PositionedWord {
            position: self.position,
            start: range.start,
            end: range.end,
            word,
            joined,
        });
    }
}
