//! Splits a text into words, and into runs of characters that are matched by bigrams.

use super::latin;
use super::unspaced::{Run, has_bigrams};
use icu_segmenter::WordSegmenterBorrowed;
use std::ops::Range;

/// A piece of a text.
#[derive(Debug)]
pub(super) enum Piece {
    /// A word, as a byte range of the text.
    Word(Range<usize>),
    /// Adjacent characters that are matched by bigrams.
    Run(Run),
}

/// The segments of `text` by UAX 29, each with whether it is a word.
fn segments(segmenter: WordSegmenterBorrowed<'static>, text: &str) -> Vec<(Range<usize>, bool)> {
    let mut segments = Vec::new();
    let mut start = 0;
    for (end, kind) in segmenter.segment_str(text).iter_with_word_type() {
        if end > start {
            let part = &text[start..end];
            // The segmenter's word type depends on the neighbours of a character with a mark, so it is checked last.
            let is_word = part.contains(is_word_character)
                || kind.is_word_like() && part.contains(char::is_numeric);
            segments.push((start..end, is_word));
        }
        start = end;
    }
    segments
}

/// The pieces of `text` in order, without punctuation and spaces.
pub(super) fn pieces(segmenter: WordSegmenterBorrowed<'static>, text: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut start = 0;
    while start < text.len() {
        let end = start + latin::plain_length(&text[start..]);
        latin::each_word(&text[start..end], |word| {
            pieces.push(Piece::Word(start + word.start..start + word.end));
        });
        start = end;
        let end = start + latin::other_length(&text[start..]);
        push_segments(segmenter, &text[start..end], start, &mut pieces);
        start = end;
    }
    pieces
}

/// Adds the pieces of `text` by UAX 29; it starts at `from`.
fn push_segments(
    segmenter: WordSegmenterBorrowed<'static>,
    text: &str,
    from: usize,
    pieces: &mut Vec<Piece>,
) {
    for (range, is_word) in segments(segmenter, text) {
        let word = &text[range.clone()];
        if !is_word {
            continue;
        }
        if word.is_ascii() || !word.contains(has_bigrams) {
            pieces.push(Piece::Word(from + range.start..from + range.end));
        } else {
            push_mixed(word, from + range.start, pieces);
        }
    }
}

fn is_word_character(c: char) -> bool {
    c.is_alphabetic() || c.is_ascii_digit() || c == '_'
}

/// Adds a word of several scripts, split by script: `LED조명` is one word by UAX 29.
fn push_mixed(word: &str, start: usize, pieces: &mut Vec<Piece>) {
    let mut rest = 0;
    while let Some(first) = word[rest..].chars().next() {
        let bigrams = has_bigrams(first);
        let length = word[rest..]
            .find(|c| has_bigrams(c) != bigrams)
            .unwrap_or(word.len() - rest);
        let part = &word[rest..rest + length];
        let range = start + rest..start + rest + length;
        match pieces.last_mut() {
            Some(Piece::Run(run)) if bigrams && run.end() == range.start => {
                run.push(part, range.start);
            }
            _ if bigrams => {
                let mut run = Run::new();
                run.push(part, range.start);
                pieces.push(Piece::Run(run));
            }
            _ if part.contains(char::is_alphanumeric) => pieces.push(Piece::Word(range)),
            _ => {}
        }
        rest += length;
    }
}

#[cfg(test)]
mod tests {
    //! 1. Texts that the fast segmenter reads, wholly or in part, have the same pieces as by UAX 29.

    use super::*;
    use icu_segmenter::{WordSegmenter, options::WordBreakInvariantOptions};
    use proptest::prelude::*;

    /// Characters that the rules distinguish: plain letters and punctuation, similar ones, marks, joiners, many scripts.
    const MIXED: &str = "[ab1 2Zz_:.',;\"\\-/+@#é×÷ßſŉĀ\u{b7}\u{aa}\u{a0}\u{ad}\u{308}\u{200d}\u{200b}\u{2019}\
                           \u{2003}\u{2028}\r\n\t\u{5d0}\u{5f4}яก็ข東カー한\u{1f600}\u{24c2}\u{1f1e6}ª،]{0,24}";
    const PLAIN: &str = "[a-c0-2 _:.',;\"-]{0,24}";
    const LATIN: &str = "[\u{0}-\u{17f}٣²]{0,24}";

    fn debug(pieces: &[Piece]) -> String {
        format!("{pieces:?}")
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]
        #[test]
        fn pieces_equal_those_of_uax_29(text in prop_oneof![MIXED, PLAIN, LATIN]) {
            let segmenter = WordSegmenter::new_auto(WordBreakInvariantOptions::default());
            let mut expected = Vec::new();
            push_segments(segmenter, &text, 0, &mut expected);
            prop_assert_eq!(debug(&pieces(segmenter, &text)), debug(&expected));
        }
    }
}
