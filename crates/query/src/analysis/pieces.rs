//! Cuts a text into words, and into runs of letters whose words a dictionary can only guess.

use super::latin;
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
            let part = &text[start..end];
            // The segmenter's own verdict changes with what stands beside a letter with a mark, so it is asked last.
            let is_word =
                part.contains(makes_word) || kind.is_word_like() && part.contains(char::is_numeric);
            segments.push((start..end, is_word));
        }
        start = end;
    }
    segments
}

/// The pieces of `text` in their order; signs and blanks are left out.
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

/// Adds the pieces of `text` by the rules of Unicode; it stands at `from`.
fn push_segments(
    segmenter: WordSegmenterBorrowed<'static>,
    text: &str,
    from: usize,
    pieces: &mut Vec<Piece>,
) {
    for (place, is_word) in segments(segmenter, text) {
        let word = &text[place.clone()];
        if !is_word {
            continue;
        }
        if word.is_ascii() || !word.contains(is_paired) {
            pieces.push(Piece::Word(from + place.start..from + place.end));
        } else {
            push_mixed(word, from + place.start, pieces);
        }
    }
}

fn makes_word(letter: char) -> bool {
    letter.is_alphabetic() || letter.is_ascii_digit() || letter == '_'
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

#[cfg(test)]
mod tests {
    //! 1. Texts that are read letter by letter, wholly or in part, fall into the pieces that the rules of Unicode say.

    use super::*;
    use icu_segmenter::{WordSegmenter, options::WordBreakInvariantOptions};
    use proptest::prelude::*;

    /// What the rules look at: plain letters and signs, their likes beyond them, marks, joiners, scripts of all kinds.
    const LETTERS: &str = "[ab1 2Zz_:.',;\"\\-/+@#é×÷ßſŉĀ\u{b7}\u{aa}\u{a0}\u{ad}\u{308}\u{200d}\u{200b}\u{2019}\
                           \u{2003}\u{2028}\r\n\t\u{5d0}\u{5f4}яก็ข東カー한\u{1f600}\u{24c2}\u{1f1e6}ª،]{0,24}";
    const PLAIN: &str = "[a-c0-2 _:.',;\"-]{0,24}";
    const LATIN: &str = "[\u{0}-\u{17f}٣²]{0,24}";

    fn places(pieces: &[Piece]) -> String {
        format!("{pieces:?}")
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]
        #[test]
        fn pieces_are_those_of_the_rules(text in prop_oneof![LETTERS, PLAIN, LATIN]) {
            let segmenter = WordSegmenter::new_auto(WordBreakInvariantOptions::default());
            let mut expected = Vec::new();
            push_segments(segmenter, &text, 0, &mut expected);
            prop_assert_eq!(places(&pieces(segmenter, &text)), places(&expected));
        }
    }
}
