//! Adjacent words of a query that the catalogue may write as one: "sleeping bag", "16 gb", "1 000".

use crate::analysis::Analyser;
use crate::user_query::QueryWord;
use std::ops::{Range, RangeInclusive};

/// Words of a query whose neighbours are tried.
const WORDS_MAX: usize = 16;
/// Words that are tried together.
const RUN: RangeInclusive<usize> = 2..=5;
/// Characters up to which a word is short: three words are tried only around one, as in "20 x 30".
const SHORT_CHARACTERS_MAX: usize = 2;
/// Words from which on all must be short or have digits, as in "3 x 1.5 mm".
const ALL_SHORT_MIN: usize = 4;
/// Digits after a separator of thousands.
const GROUP: usize = 3;

/// Adjacent words as one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JoinedWords {
    /// Their range in the query.
    pub words: Range<usize>,
    /// The surface form.
    pub form: String,
    /// The stem.
    pub stem: String,
}

/// Returns the runs of `words` that may be one word: pairs, triples, and up to five of a size.
pub(crate) fn joined_words(words: &[QueryWord], analyser: &Analyser) -> Vec<JoinedWords> {
    let mut found = Vec::new();
    for start in 0..words.len().min(WORDS_MAX) {
        for count in RUN {
            let Some(run) = words.get(start..start + count) else {
                break;
            };
            if may_be_one(run) {
                let forms: String = run.iter().map(|word| word.token.form.as_str()).collect();
                let folded: String = run.iter().map(|word| word.token.folded.as_str()).collect();
                found.push(JoinedWords {
                    words: start..start + count,
                    form: forms,
                    stem: analyser.stem(&folded),
                });
            }
        }
    }
    found
}

fn may_be_one(run: &[QueryWord]) -> bool {
    let folded = |word: &QueryWord| word.token.folded.clone();
    let is_short =
        |word: &QueryWord| word.digit || word.token.folded.chars().count() <= SHORT_CHARACTERS_MAX;
    let are_short = match run.len() {
        ALL_SHORT_MIN.. => run.iter().all(is_short) && run.iter().any(|word| word.digit),
        3 => run.iter().any(is_short),
        _ => true,
    };
    let is_number = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    // Two numbers are one only with a blank between thousands.
    let numbers_apart = run.windows(2).any(|two| {
        let (first, second) = (folded(&two[0]), folded(&two[1]));
        is_number(&first) && is_number(&second) && (first.len() > GROUP || second.len() != GROUP)
    });
    // An article is no part of a word, but a single letter may be, the `e` of `e bike`, and what stands between two
    // numbers, the `in` of `3 in 1`.
    let between_numbers = |at: usize| {
        let number = |at: usize| run.get(at).is_some_and(|word| word.digit);
        at > 0 && number(at - 1) && number(at + 1)
    };
    let may_join = |(at, word): (usize, &QueryWord)| {
        word.counts || folded(word).chars().count() == 1 || between_numbers(at)
    };
    run.iter().any(|word| word.counts)
        && run.iter().enumerate().all(may_join)
        && run.iter().all(|word| !word.token.is_bigram())
        && are_short
        && !numbers_apart
}
