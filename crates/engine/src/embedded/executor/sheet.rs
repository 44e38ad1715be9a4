//! The sheet on which the scores of one window are added up: alternatives to fields, fields to words, words to texts.

use super::WINDOW;
use super::bits::Bits;
use query::scoring::word;

/// Figures of the documents of one window.
pub struct Sheet {
    /// Text scores.
    pub text: Vec<f64>,
    best: Vec<f64>,
    /// Sums of the fields of one word; between words free for other sums.
    pub sum: Vec<f64>,
    field: Vec<f64>,
    touched: Vec<u16>,
}

impl Sheet {
    /// A sheet of zeros.
    pub fn new() -> Self {
        let zeros = || vec![0.0; WINDOW];
        Self {
            text: zeros(),
            best: zeros(),
            sum: zeros(),
            field: zeros(),
            touched: Vec::new(),
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

    /// Adds the current field to the current word.
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

    /// Adds the current word to the text scores.
    pub fn end_word(&mut self, found: &Bits) {
        for at in found.iter() {
            self.text[at] += word(self.best[at], self.sum[at]);
            self.best[at] = 0.0;
            self.sum[at] = 0.0;
        }
    }
}
