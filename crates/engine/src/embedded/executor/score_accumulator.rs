//! The figures of one window's documents while they are scored.

use super::super::scale::Scale;
use super::super::static_scores::StaticScoreBlock;
use super::bits::Bits;
use query::scoring::word;
use std::cell::Cell;

/// Factors are compared in single precision; nothing is passed over for a difference as small as that.
const MARGIN: f64 = 1.0 + 1e-6;

/// Words whose figures a thread keeps from one question to the next.
const WORDS_KEPT: usize = 4;

thread_local! {
    static SPARE: Cell<Option<ScoreAccumulator>> = const { Cell::new(None) };
}

/// Figures by document.
pub struct ScoreAccumulator {
    /// Text score as far as it is known; 1 where no words are scored.
    pub text: Vec<f64>,
    /// The most that what is not known yet can add.
    pub rest: Vec<f64>,
    /// The most that each word can add, by word; only of documents that match it.
    pub expected: Vec<Vec<RemainingBounds>>,
    /// What the fields of the current word that are not known yet give together at most.
    left: Vec<f64>,
    best: Vec<f64>,
    sum: Vec<f64>,
    field: Vec<f64>,
    touched: Vec<u16>,
}

/// What a document of a window must reach to matter.
#[derive(Clone, Copy)]
pub struct BlockThreshold<'a, S: Scale> {
    /// The lowest score that matters; none while every score does.
    pub worst: Option<f64>,
    /// What the documents stand for.
    pub window: &'a StaticScoreBlock<S>,
}

impl<S: Scale> BlockThreshold<'_, S> {
    /// Whether a document with a text score of at most `most` may matter.
    pub fn admits(&self, at: usize, most: f64) -> bool {
        self.admits_any(most, self.window.factors[at])
    }

    /// Whether any document with a text score of at most `most` and a factor of at most `highest` may matter.
    pub fn admits_any(&self, most: f64, highest: f32) -> bool {
        let reached = most * f64::from(highest) * MARGIN;
        self.worst.is_none_or(|worst| reached >= worst)
    }
}

/// The most that some fields of a word can add to what others gave.
#[derive(Clone, Copy, Debug, Default)]
pub struct RemainingBounds {
    best: f64,
    sum: f64,
}

impl RemainingBounds {
    /// The same with one more field, which gives at most `score`.
    #[must_use]
    pub fn with(self, score: f64) -> Self {
        Self {
            best: self.best.max(score),
            sum: self.sum + score,
        }
    }

    /// What these fields alone can add.
    pub fn word(self) -> f64 {
        word(self.best, self.sum)
    }
}

impl ScoreAccumulator {
    /// A sheet for a question of so many `words`: the one that this thread used last, or a new one.
    pub fn take<S: Scale>(words: usize) -> Self {
        let spare = SPARE.take().filter(|sheet| sheet.text.len() == S::WINDOW);
        let mut sheet = spare.unwrap_or_else(Self::new::<S>);
        let none = || vec![RemainingBounds::default(); S::WINDOW];
        sheet.expected.resize_with(words, none);
        if words == 0 {
            sheet.text.fill(1.0);
        }
        sheet
    }

    /// Leaves the sheet to the next question of this thread. One that was left in the midst of a word is no good for it.
    pub fn leave(mut self) {
        self.expected.truncate(WORDS_KEPT);
        SPARE.set(Some(self));
    }

    fn new<S: Scale>() -> Self {
        let zeros = || vec![0.0; S::WINDOW];
        Self {
            text: vec![1.0; S::WINDOW],
            rest: zeros(),
            expected: Vec::new(),
            left: zeros(),
            best: zeros(),
            sum: zeros(),
            field: zeros(),
            touched: Vec::new(),
        }
    }

    /// Begins with nothing known of `documents`.
    pub fn begin<S: Scale>(&mut self, documents: &Bits<S>) {
        for at in documents.iter() {
            self.text[at] = 0.0;
            self.rest[at] = 0.0;
        }
    }

    /// Adds to what is not known of `documents` the most that word number `word` can give them.
    pub fn expect<S: Scale>(&mut self, word: usize, documents: &Bits<S>) {
        let expected = &self.expected[word];
        let rest = &mut self.rest;
        documents
            .iter()
            .for_each(|at| rest[at] += expected[at].word());
    }

    /// Begins word number `word`, of which nothing is known of `documents` but what is expected.
    pub fn begin_word<S: Scale>(&mut self, word: usize, documents: &Bits<S>) {
        for at in documents.iter() {
            let expected = self.expected[word][at];
            self.rest[at] -= expected.word();
            self.left[at] = expected.sum;
        }
    }

    /// Notes one alternative of the current field; only the best counts.
    pub fn note(&mut self, at: usize, score: f64) {
        if self.field[at] == 0.0 {
            self.touched.push(at as u16);
        }
        if score > self.field[at] {
            self.field[at] = score;
        }
    }

    /// The documents that have something in the current field.
    pub fn touched<S: Scale>(&self) -> Bits<S> {
        let mut touched = Bits::none();
        let own = self.touched.iter();
        own.for_each(|at| touched.set(usize::from(*at)));
        touched
    }

    /// Takes out of what is not known of `documents` the field that gives at most `most`.
    pub fn pass_field<S: Scale>(&mut self, documents: &Bits<S>, most: f64) {
        documents.iter().for_each(|at| self.left[at] -= most);
    }

    /// Ends the current field.
    pub fn end_field(&mut self) {
        for at in self.touched.drain(..) {
            let at = usize::from(at);
            let score = std::mem::take(&mut self.field[at]);
            self.sum[at] += score;
            if score > self.best[at] {
                self.best[at] = score;
            }
        }
    }

    /// The most that a document's text score can be when each other field of the current word gives at most `highest`.
    pub fn most(&self, at: usize, highest: f64) -> f64 {
        let left = self.left[at].max(0.0);
        let own = word(self.best[at].max(highest.min(left)), self.sum[at] + left);
        self.text[at] + self.rest[at] + own
    }

    /// Forgets what the current word gave a document, which does not matter any more.
    pub fn forget(&mut self, at: usize) {
        self.best[at] = 0.0;
        self.sum[at] = 0.0;
    }

    /// Ends the current word.
    pub fn end_word<S: Scale>(&mut self, documents: &Bits<S>) {
        for at in documents.iter() {
            self.text[at] += word(self.best[at], self.sum[at]);
            self.forget(at);
        }
    }
}
