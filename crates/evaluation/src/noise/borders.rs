//! Blanks between words: one left out, one too many.

use super::{TypedWords, alphabetic, pick, replaced};
use crate::choices::Choices;

/// Characters of each half of a word that is split, at least.
const HALF_CHARACTERS_MIN: usize = 3;
/// Characters of what is written against a number, at most ("500ml", "2pack").
const UNIT_CHARACTERS_MAX: usize = 4;

/// Returns the query with two neighbours of the name joined, neither of which has a digit.
pub(super) fn joined(typed: &TypedWords, choices: &mut Choices) -> Option<String> {
    join(typed, choices, |left, right| {
        alphabetic(left, 2) && alphabetic(right, 2)
    })
}

/// Returns the query with one word split in two.
pub(super) fn split(words: &[String], choices: &mut Choices) -> Option<String> {
    let at = pick(words, choices, |word| {
        alphabetic(word, 2 * HALF_CHARACTERS_MIN)
    })?;
    let word: Vec<char> = words[at].chars().collect();
    let cut = HALF_CHARACTERS_MIN + choices.below(word.len() + 1 - 2 * HALF_CHARACTERS_MIN);
    let half = |characters: &[char]| characters.iter().collect::<String>();
    let text = format!("{} {}", half(&word[..cut]), half(&word[cut..]));
    Some(replaced(words, at, &text))
}

/// Returns the query with a blank put into a border of characters and digits, or taken out of one.
pub(super) fn moved(typed: &TypedWords, choices: &mut Choices) -> Option<String> {
    let words = &typed.words[..];
    if let Some(at) = pick(words, choices, |word| border(word).is_some()) {
        let (left, right) = words[at].split_at(border(&words[at])?);
        return Some(replaced(words, at, &format!("{left} {right}")));
    }
    let is_number = |word: &str| word.chars().all(|c| c.is_ascii_digit());
    let is_quantity = |word: &str| word.ends_with(|c: char| c.is_ascii_digit());
    let is_unit = |word: &str| alphabetic(word, 1) && word.chars().count() <= UNIT_CHARACTERS_MAX;
    // "1,5 l" and "iphone 14"; nobody joins "milk 1,5".
    join(typed, choices, |left, right| {
        is_quantity(left) && is_unit(right) || alphabetic(left, 2) && is_number(right)
    })
}

/// Returns the query with one of the pairs of neighbours that `fits` joined.
fn join(
    typed: &TypedWords,
    choices: &mut Choices,
    fits: impl Fn(&str, &str) -> bool,
) -> Option<String> {
    let pairs = typed
        .words
        .iter()
        .zip(typed.words.iter().skip(1))
        .zip(&typed.adjacent);
    let pairs = pairs
        .enumerate()
        .filter(|(_, ((left, right), adjacent))| **adjacent && fits(left, right));
    let pairs: Vec<usize> = pairs.map(|(at, _)| at).collect();
    let at = *pairs.get(choices.below(pairs.len()))?;
    let mut words = typed.words.clone();
    let right = words.remove(at + 1);
    words[at].push_str(&right);
    Some(words.join(" "))
}

/// Returns the byte at which the only border of a word is; none in a code with several.
fn border(word: &str) -> Option<usize> {
    let pairs = word.char_indices().zip(word.char_indices().skip(1));
    let mut borders = pairs.filter(|((_, left), (_, right))| meet(*left, *right));
    let (_, (at, _)) = borders.next()?;
    (borders.next().is_none() && word.chars().all(char::is_alphanumeric)).then_some(at)
}

fn meet(left: char, right: char) -> bool {
    left.is_alphabetic() && right.is_ascii_digit() || left.is_ascii_digit() && right.is_alphabetic()
}
