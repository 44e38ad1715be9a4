//! Which words of a plan tolerate typos: those that hardly any document has in another way.
//!
//! Decided for each visitor, before anything else is looked up: what nobody may see makes no difference.

use crate::plan::Plan;
use std::borrow::Cow;

/// Documents that have a word from which on nothing else is found for it by a typo.
pub const DOCUMENTS_ENOUGH: usize = 4;

/// The documents of an index that a visitor may see, before filters, rules and stock.
pub trait VisibleWords {
    /// The error of an index that cannot be read.
    type Error;

    /// Returns how many visible documents have word number `word` of `plan` in a searched field: by its stem, as a code, as
    /// the beginning of a word of the name, or by a synonym of the plan that replaces it, which other writings are too.
    /// Counting may stop at `enough`.
    ///
    /// Errors: when the index cannot be read.
    fn count_with_word(
        &mut self,
        plan: &Plan,
        word: usize,
        enough: usize,
    ) -> Result<usize, Self::Error>;
}

/// Returns `plan` with the typos that its words tolerate: none in words that enough documents have; those of words that
/// any document has weigh less.
///
/// Errors: those of `words`.
pub fn with_typos<'a, W: VisibleWords + ?Sized>(
    plan: Cow<'a, Plan>,
    words: &mut W,
) -> Result<Cow<'a, Plan>, W::Error> {
    let counts = counts(&plan, words)?;
    if counts.iter().all(|count| *count == 0) {
        return Ok(plan);
    }
    let mut plan = plan.into_owned();
    for (word, count) in plan.words.iter_mut().zip(counts) {
        word.is_present = count > 0;
        if count >= DOCUMENTS_ENOUGH {
            word.typos = 0;
        }
    }
    Ok(Cow::Owned(plan))
}

/// Returns which words of `plan` tolerate no typo in documents of any type, because enough products have them.
///
/// Errors: those of `words`.
pub fn settled_words<W: VisibleWords + ?Sized>(
    plan: &Plan,
    words: &mut W,
) -> Result<Vec<bool>, W::Error> {
    let counts = counts(plan, words)?;
    Ok(counts
        .iter()
        .map(|count| *count >= DOCUMENTS_ENOUGH)
        .collect())
}

impl Plan {
    /// Whether any of its words tolerates typos.
    pub fn tolerates_typos(&self) -> bool {
        self.words.iter().any(|word| word.typos > 0)
    }

    /// Forbids typos in the words that are `settled`, in their order.
    pub fn settle(&mut self, settled: &[bool]) {
        let words = self.words.iter_mut().zip(settled);
        words
            .filter(|(_, settled)| **settled)
            .for_each(|(word, _)| word.typos = 0);
    }
}

/// Returns the documents of each word that may tolerate typos, and 0 for all others.
fn counts<W: VisibleWords + ?Sized>(plan: &Plan, words: &mut W) -> Result<Vec<usize>, W::Error> {
    let all = plan.words.iter().enumerate();
    all.map(|(at, word)| match word.typos > 0 {
        true => words.count_with_word(plan, at, DOCUMENTS_ENOUGH),
        false => Ok(0),
    })
    .collect()
}

#[cfg(test)]
mod tests {
    //! 1. A word that enough documents have tolerates no typo; in one that fewer have, a typo weighs less.
    //! 2. Words that tolerate no typo are not counted.

    use super::*;
    use crate::{Analyser, UserQuery};
    use domain::Language;
    use domain::document::DocType;
    use domain::relevance::Relevance;
    use std::convert::Infallible;

    struct FakeWords(Vec<usize>, Vec<usize>);

    impl VisibleWords for FakeWords {
        type Error = Infallible;

        fn count_with_word(
            &mut self,
            _: &Plan,
            word: usize,
            _: usize,
        ) -> Result<usize, Infallible> {
            self.1.push(word);
            Ok(self.0[word])
        }
    }

    fn plan(text: &str) -> Plan {
        let relevance = Relevance::default();
        let analyser = Analyser::new(&Language::parse("en").expect("a language"));
        let query = UserQuery::new(text, &analyser, &relevance.search_settings);
        Plan::new(&query, &relevance, DocType::Products)
    }

    #[test]
    fn words_of_enough_documents_tolerate_no_typo() {
        let plan = plan("camera kettle lantern");
        let mut words = FakeWords(vec![4, 3, 0], Vec::new());
        let Ok(tolerant) = with_typos(Cow::Borrowed(&plan), &mut words);
        let of = |plan: &Plan| -> Vec<(u32, bool)> {
            let words = plan.words.iter();
            words.map(|word| (word.typos, word.is_present)).collect()
        };
        assert_eq!(of(&tolerant), [(0, true), (1, true), (2, false)]);
        let Ok(settled) = settled_words(&plan, &mut words);
        assert_eq!(settled, [true, false, false]);
        let mut other = plan.clone();
        other.settle(&settled);
        assert_eq!(of(&other), [(0, false), (1, false), (2, false)]);
    }

    #[test]
    fn words_without_typos_are_not_counted() {
        let plan = plan("tv the a4 camera");
        let mut words = FakeWords(vec![0; 4], Vec::new());
        let Ok(_) = with_typos(Cow::Borrowed(&plan), &mut words);
        let camera = plan.words.iter().position(|word| word.text == "camera");
        assert_eq!(words.1, [camera.expect("a word")]);
    }
}
