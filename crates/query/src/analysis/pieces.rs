//! Cuts a text into words, and into runs of letters whose words a dictionary can only guess.

use super::unspaced::{Run, is_paired};
use icu_segmenter::WordSegmenterBorrowed;
use std::ops::Range;

/// A part of a text.
#[derive(Debug)]
pub(super) enum Piece {
    /// A word, as a place in the text.
    Word(Range<usize>),
    /// Letters that are matched by pairs.
    Run(Run),
}

/// All that `text` consists of, each part with whether it is a word.
pub(super) fn segments(
    segmenter: WordSegmenterBorrowed<'static>,
    text: &str,
) -> Vec<(Range<usize>, bool)> {
    let mut segments = Vec::new();
    let mut start = 0;
    for (end, kind) in segmenter.segment_str(text).iter_with_word_type() {
        if end > start {
            segments.push((start..end, kind.is_word_like()));
        }
        start = end;
    }
    segments
}

/// The pieces of `text` in their order; signs and blanks are left out.
pub(super) fn pieces(segmenter: WordSegmenterBorrowed<'static>, text: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut start = 0;
    for (end, kind) in segmenter.segment_str(text).iter_with_word_type() {
        if kind.is_word_like() {
            let word = &text[start..end];
            if word.is_ascii() || !word.contains(is_paired) {
                pieces.push(Piece::Word(start..end));
            } else {
                push_mixed(word, start, &mut pieces);
            }
        }
        start = end;
    }
    pieces
}

/// Adds a word of several scripts: `LED조명` is one for Unicode.
fn push_mixed(word: &str, start: usize, pieces: &mut Vec<Piece>) {
    let mut rest = 0;
    while let Some(first) = word[rest..].chars().next() {
        let paired = is_paired(first);
        let length = word[rest..]
            .find(|letter| is_paired(letter) != paired)
            .unwrap_or(word.len() - rest);
        let part = &word[rest..rest + length];
        let place = start + rest..start + rest + length;
        match pieces.last_mut() {
            Some(Piece::Run(run)) if paired && run.end() == place.start => {
                run.push(part, place.start);
            }
            _ if paired => {
                let mut run = Run::new();
                run.push(part, place.start);
                pieces.push(Piece::Run(run));
            }
            _ if part.contains(char::is_alphanumeric) => pieces.push(Piece::Word(place)),
            _ => {}
        }
        rest += length;
    }
}
