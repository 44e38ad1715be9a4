//! A catalogue made of a seed: words of syllables, frequent and rare ones by Zipf's law, with brands and quantities, as the
//! names of a shop have them.

use crate::choices::Choices;

/// Distinct brands, kinds of goods and words that describe them.
const BRANDS: usize = 40;
const KINDS: usize = 60;
const DESCRIPTIONS: usize = 150;

/// Units of quantities.
const UNITS: [&str; 5] = ["ml", "g", "cm", "gb", "l"];

/// Returns the names of `count` products, the same for the same seed.
pub fn names(seed: usize, count: usize) -> Vec<String> {
    let mut choices = Choices::new(seed);
    (0..count).map(|_| name(&mut choices)).collect()
}

/// A brand, up to two describing words, what it is, and often one more such word, a quantity or a model.
fn name(choices: &mut Choices) -> String {
    let mut words = vec![word(0, choices.ranked(BRANDS))];
    for _ in 0..choices.below(3) {
        words.push(word(1, choices.ranked(DESCRIPTIONS)));
    }
    words.push(word(2, choices.ranked(KINDS)));
    match choices.below(4) {
        0 => {}
        1 => words.push(word(1, choices.ranked(DESCRIPTIONS))),
        2 => {
            let amount = 5 * (1 + choices.below(40));
            words.push(format!("{amount} {}", UNITS[choices.below(UNITS.len())]));
        }
        _ => words.push(format!("{}", 1 + choices.below(99))),
    }
    words.join(" ")
}

/// Returns the word with the number `number` of a family of words.
fn word(family: usize, number: usize) -> String {
    const ONSETS: [&str; 14] = [
        "b", "br", "c", "d", "f", "g", "l", "m", "n", "p", "r", "s", "t", "v",
    ];
    const VOWELS: [&str; 5] = ["a", "e", "i", "o", "u"];
    const ENDS: [&str; 6] = ["", "l", "n", "r", "t", "m"];
    // Each word has a sequence of its own, so that neighbouring numbers share nothing.
    let mut choices = Choices::new(1 + (number * 4 + family) * 7_919);
    let syllables = 2 + choices.below(2);
    let syllables = (0..syllables).map(|_| {
        let onset = ONSETS[choices.below(ONSETS.len())];
        format!("{onset}{}", VOWELS[choices.below(VOWELS.len())])
    });
    let word: String = syllables.collect();
    word + ENDS[choices.below(ENDS.len())]
}
