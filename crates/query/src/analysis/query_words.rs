//! The words of a query: a unit is one word, which also stands for its parts side by side.

use super::units::{Unit, UnitWord};
use super::{Analyser, Token, TokenPart, Word};
use std::ops::Range;

/// Parts beyond which a word is only searched as it is.
const PARTS_MAX: usize = 6;

/// The word that `unit` is at `position` of a query; none when nothing is left of it.
pub(super) fn token(analyser: &Analyser, text: &str, unit: &Unit, position: u32) -> Option<Token> {
    let (word, range) = match &unit.words[..] {
        [only] => single(analyser, text, only)?,
        words => {
            let parts = words.iter().map(|word| analyser.analysed(word.text(text)));
            let parts: Vec<Word> = parts.collect::<Option<_>>()?;
            let forms = unit.joined(parts.iter().map(|part| part.form.as_str()));
            let folded = unit.joined(parts.iter().map(|part| part.folded.as_str()));
            (analyser.joined(forms, folded), unit.range())
        }
    };
    Some(Token {
        position,
        start: range.start,
        end: range.end,
        form: word.form,
        folded: word.folded,
        stem: word.stem,
        stop: word.stop,
        joined: false,
        continues: false,
        parts: split_unit(analyser, text, unit),
    })
}

/// A word on its own, with the signs that make it another word.
fn single(analyser: &Analyser, text: &str, word: &UnitWord) -> Option<(Word, Range<usize>)> {
    let range = word.marked.clone().unwrap_or_else(|| word.range.clone());
    let written = match word.marked {
        Some(_) => &text[range.clone()],
        None => word.text(text),
    };
    Some((analyser.analysed(written)?, range))
}

/// The parts of `unit`; none when there is nothing to split or too much.
fn split_unit(analyser: &Analyser, text: &str, unit: &Unit) -> Vec<TokenPart> {
    let mut written: Vec<&str> = Vec::new();
    for word in &unit.words {
        match &word.list[..] {
            [] => push_runs(word.text(text), &mut written),
            list => written.extend(list.iter().map(|part| &text[part.clone()])),
        }
    }
    let is_marked = unit.words.iter().any(|word| word.marked.is_some());
    if written.len() > PARTS_MAX || written.len() < 2 && !is_marked {
        return Vec::new();
    }
    let parts = written.into_iter().map(|part| {
        let word = analyser.analysed(part)?;
        Some(TokenPart {
            form: word.form,
            folded: word.folded,
            stem: word.stem,
        })
    });
    parts.collect::<Option<_>>().unwrap_or_default()
}

/// Adds the parts of `word` between borders of letters and digits: `16gb` is `16` and `gb`. A decimal point belongs to its
/// digits.
fn push_runs<'a>(word: &'a str, parts: &mut Vec<&'a str>) {
    let is_digit = |c: char| c.is_ascii_digit() || c == '.';
    let mut start = 0;
    let mut before: Option<char> = None;
    for (at, c) in word.char_indices() {
        let is_border = before.is_some_and(|before| {
            is_digit(before) != is_digit(c) && (c.is_alphabetic() || before.is_alphabetic())
        });
        if is_border {
            parts.push(&word[start..at]);
            start = at;
        }
        before = Some(c);
    }
    parts.push(&word[start..]);
}
