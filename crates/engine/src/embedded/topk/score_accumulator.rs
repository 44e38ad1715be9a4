//! The running scores of the documents of a block.
//!
//! An array of scores for a block of doc ids, as in `BooleanScorer` of Lucene. Within a word, the best field
//! counts and the others add a share of their score: `DisjunctionMaxQuery` of Lucene.

use super::static_scores::StaticScoreBlock;
use crate::embedded::postings::bits::Bits;
use crate::embedded::scale::Scale;
use query::scoring::word;
use std::cell::Cell;

/// Factors are compared in single precision; a difference as small as that does not drop a document.
const MARGIN: f64 = 1.0 + 1e-6;

/// Words whose buffers a thread keeps from one query to the next.
const WORDS_KEPT: usize = 4;

thread_local! {
    static SPARE: Cell<Option<ScoreAccumulator>> = const { Cell::new(None) };
}

/// Running scores and upper bounds by offset in the block.
pub struct ScoreAccumulator {
    /// The text score so far; 1 if no words are scored.
    pub text: Vec<f64>,
    /// The most that can still be added.
    pub remaining: Vec<f64>,
    /// The most that each word can add, by word; only set for documents that match it.
    pub upper_bounds: Vec<Vec<RemainingBounds>>,
    /// The most that the remaining fields of the current word can add in total.
    fields_left: Vec<f64>,
    best: Vec<f64>,
    sum: Vec<f64>,
    field: Vec<f64>,
    touched: Vec<u16>,
}

/// The score that a document of a block must reach.
#[derive(Clone, Copy)]
pub struct BlockThreshold<'a, S: Scale> {
    /// The lowest score that can enter the top-k; none while every score can.
    pub min_score: Option<f64>,
    /// The static scores of the documents.
    pub block: &'a StaticScoreBlock<S>,
}

impl<S: Scale> BlockThreshold<'_, S> {
    /// Whether a document with a text score of at most `upper_bound` may reach the threshold.
    pub fn admits(&self, at: usize, upper_bound: f64) -> bool {
        self.admits_any(upper_bound, self.block.factors[at])
    }

    /// Whether any document with a text score of at most `upper_bound` and a factor of at most `highest` may reach it.
    pub fn admits_any(&self, upper_bound: f64, highest: f32) -> bool {
        let reached = upper_bound * f64::from(highest) * MARGIN;
        self.min_score.is_none_or(|min_score| reached >= min_score)
    }
}

/// The most that some fields of a word can add.
#[derive(Clone, Copy, Debug, Default)]
pub struct RemainingBounds {
    best: f64,
    sum: f64,
}

impl RemainingBounds {
    /// Returns the bound with one more field, which adds at most `score`.
    #[must_use]
    pub fn with(self, score: f64) -> Self {
        Self {
            best: self.best.max(score),
            sum: self.sum + score,
        }
    }

    /// Returns the most that the word adds by these fields.
    pub fn word(self) -> f64 {
        word(self.best, self.sum)
    }
}

impl ScoreAccumulator {
    /// Returns an accumulator for a query of so many `words`: the one that this thread used last, or a new one.
    pub fn take<S: Scale>(words: usize) -> Self {
        let spare = SPARE
            .take()
            .filter(|accumulator| accumulator.text.len() == S::BLOCK);
        let mut accumulator = spare.unwrap_or_else(Self::new::<S>);
        let none = || vec![RemainingBounds::default(); S::BLOCK];
        accumulator.upper_bounds.resize_with(words, none);
        if words == 0 {
            accumulator.text.fill(1.0);
        }
        accumulator
    }

    /// Keeps the accumulator for the next query of this thread. It must not be in the middle of a word.
    pub fn give_back(mut self) {
        self.upper_bounds.truncate(WORDS_KEPT);
        SPARE.set(Some(self));
    }

    fn new<S: Scale>() -> Self {
        let zeros = || vec![0.0; S::BLOCK];
        Self {
            text: vec![1.0; S::BLOCK],
            remaining: zeros(),
            upper_bounds: Vec::new(),
            fields_left: zeros(),
            best: zeros(),
            sum: zeros(),
            field: zeros(),
            touched: Vec::new(),
        }
    }

    /// Resets the scores of `documents`.
    pub fn begin<S: Scale>(&mut self, documents: &Bits<S>) {
        for at in documents.iter() {
            self.text[at] = 0.0;
            self.remaining[at] = 0.0;
        }
    }

    /// Adds the upper bounds of word number `word` to what can still be added to `documents`.
    pub fn add_upper_bounds<S: Scale>(&mut self, word: usize, documents: &Bits<S>) {
        let upper_bounds = &self.upper_bounds[word];
        let remaining = &mut self.remaining;
        documents
            .iter()
            .for_each(|at| remaining[at] += upper_bounds[at].word());
    }

    /// Begins to score word number `word` for `documents`.
    pub fn begin_word<S: Scale>(&mut self, word: usize, documents: &Bits<S>) {
        for at in documents.iter() {
            let upper_bounds = self.upper_bounds[word][at];
            self.remaining[at] -= upper_bounds.word();
            self.fields_left[at] = upper_bounds.sum;
        }
    }

    /// Records the score of one posting in the current field; the highest one counts.
    pub fn record(&mut self, at: usize, score: f64) {
        if self.field[at] == 0.0 {
            self.touched.push(at as u16);
        }
        if score > self.field[at] {
            self.field[at] = score;
        }
    }

    /// Returns the documents with a score in the current field.
    pub fn touched<S: Scale>(&self) -> Bits<S> {
        let mut touched = Bits::none();
        let own = self.touched.iter();
        own.for_each(|at| touched.set(usize::from(*at)));
        touched
    }

    /// Subtracts a field that adds at most `upper_bound` from what the current word can still add to `documents`.
    pub fn pass_field<S: Scale>(&mut self, documents: &Bits<S>, upper_bound: f64) {
        documents
            .iter()
            .for_each(|at| self.fields_left[at] -= upper_bound);
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

    /// Returns the upper bound of a document's text score if each remaining field of the current word adds at most
    /// `highest`.
    pub fn upper_bound(&self, at: usize, highest: f64) -> f64 {
        let fields_left = self.fields_left[at].max(0.0);
        let own = word(
            self.best[at].max(highest.min(fields_left)),
            self.sum[at] + fields_left,
        );
        self.text[at] + self.remaining[at] + own
    }

    /// Drops what the current word added to a document, which cannot reach the threshold.
    pub fn reset_word(&mut self, at: usize) {
        self.best[at] = 0.0;
        self.sum[at] = 0.0;
    }

    /// Ends the current word.
    pub fn end_word<S: Scale>(&mut self, documents: &Bits<S>) {
        for at in documents.iter() {
            self.text[at] += word(self.best[at], self.sum[at]);
            self.reset_word(at);
        }
    }
}
