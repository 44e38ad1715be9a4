//! The ways in which people type a query otherwise than the catalogue writes it.

mod borders;
mod number;
#[cfg(test)]
mod tests;
mod typo;

use crate::choices::Choices;
use crate::product_names::{ProductNames, folded};

/// The words of a query that somebody types.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TypedWords {
    /// The words, in the order of the name.
    pub words: Vec<String>,
    /// For each word but the last: whether the next one also follows it in the name.
    pub adjacent: Vec<bool>,
}

/// A way to change a query. Each changes one thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Noise {
    /// One character deleted, inserted, replaced, or swapped with its neighbour.
    Typo,
    /// Two words without the blank between them.
    Joined,
    /// A word with a blank in it.
    Split,
    /// A blank less, or one more, where characters and digits meet.
    Border,
    /// A plural for a singular, or the reverse.
    Number,
    /// No accents.
    Accents,
    /// The words in another order.
    Order,
    /// One more word that the catalogue does not have, beside three or more that it has.
    ExtraWord,
}

impl Noise {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Typo,
        Self::Joined,
        Self::Split,
        Self::Border,
        Self::Number,
        Self::Accents,
        Self::Order,
        Self::ExtraWord,
    ];

    /// Returns the name, for tables.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Typo => "typo",
            Self::Joined => "joined",
            Self::Split => "split",
            Self::Border => "border",
            Self::Number => "number",
            Self::Accents => "accents",
            Self::Order => "order",
            Self::ExtraWord => "extra word",
        }
    }

    /// Returns the share of the clean queries' mean reciprocal rank that a search should keep, 0 to 1.
    pub fn floor(self) -> f64 {
        match self {
            Self::Typo => 0.96,
            Self::Joined | Self::Split => 0.9,
            Self::Border | Self::Number | Self::ExtraWord => 0.95,
            Self::Accents => 0.99,
            Self::Order => 0.97,
        }
    }

    /// Returns the words of a query changed in this way; none if they cannot be.
    pub fn apply(
        self,
        typed: &TypedWords,
        names: &ProductNames,
        choices: &mut Choices,
    ) -> Option<String> {
        let words = &typed.words[..];
        match self {
            Self::Typo => typo::one(words, choices),
            Self::Joined => borders::joined(typed, choices),
            Self::Split => borders::split(words, choices),
            Self::Border => borders::moved(typed, choices),
            Self::Number => number::other(words, names.language(), choices),
            Self::Accents => without_accents(words),
            Self::Order => other_order(words, choices),
            Self::ExtraWord => extra_word(words, names, choices),
        }
    }
}

/// Returns the query with the word at `at` replaced by `text`.
fn replaced(words: &[String], at: usize, text: &str) -> String {
    let mut words = words.to_vec();
    text.clone_into(&mut words[at]);
    words.join(" ")
}

/// Returns the position of one of the words that `fits`; none if no word does.
fn pick(words: &[String], choices: &mut Choices, fits: impl Fn(&str) -> bool) -> Option<usize> {
    let at: Vec<usize> = (0..words.len()).filter(|at| fits(&words[*at])).collect();
    (!at.is_empty()).then(|| at[choices.below(at.len())])
}

/// Returns whether a word has at least `min` characters and no digit or sign.
pub(crate) fn alphabetic(word: &str, min: usize) -> bool {
    word.chars().count() >= min && word.chars().all(char::is_alphabetic)
}

fn without_accents(words: &[String]) -> Option<String> {
    let query = words.join(" ");
    let without = folded(&query);
    (without != query).then_some(without)
}

fn other_order(words: &[String], choices: &mut Choices) -> Option<String> {
    let orders = words.len();
    if orders < 2 {
        return None;
    }
    let mut other = words.to_vec();
    // All rotations, and the reverse.
    match choices.below(orders) {
        0 => other.reverse(),
        turns => other.rotate_left(turns),
    }
    (other != words).then(|| other.join(" "))
}

fn extra_word(words: &[String], names: &ProductNames, choices: &mut Choices) -> Option<String> {
    if words.len() < 3 {
        return None;
    }
    let word = (0..100)
        .map(|_| nonsense(choices))
        .find(|word| !names.has_word(word))?;
    let mut longer = words.to_vec();
    longer.insert(choices.below(words.len() + 1), word);
    Some(longer.join(" "))
}

/// Returns a word of three or four syllables that means nothing.
fn nonsense(choices: &mut Choices) -> String {
    const ONSETS: [&str; 12] = ["b", "d", "f", "g", "k", "l", "m", "p", "r", "s", "t", "v"];
    const VOWELS: [&str; 5] = ["a", "e", "i", "o", "u"];
    let syllables = 3 + choices.below(2);
    let syllables = (0..syllables).map(|_| {
        let onset = ONSETS[choices.below(ONSETS.len())];
        format!("{onset}{}", VOWELS[choices.below(VOWELS.len())])
    });
    syllables.collect()
}
