//! What of a plan's words is highlighted, once it is known what they mean.

use super::WordMeaning;
use crate::Plan;
use crate::highlight::HighlightTerms;

/// Returns the terms to highlight. `words` are what the counted words mean, in the order of the plan, each with whether it is
/// found within longer words.
pub fn marks<'a>(
    plan: &Plan,
    words: impl IntoIterator<Item = (&'a WordMeaning, bool)>,
) -> HighlightTerms {
    let mut marks = HighlightTerms::default();
    for (word, (meaning, is_within)) in plan.counted().iter().zip(words) {
        marks.stems.insert(word.stem.clone());
        let terms = meaning.terms.iter();
        marks.stems.extend(terms.map(|own| own.term.to_string()));
        marks.prefixes.push(word.folded.clone());
        if is_within {
            marks.substrings.push(word.folded.clone());
        }
    }
    for synonym in &plan.synonyms {
        let words = synonym.words.iter();
        let phrase = words.map(|word| (word.stem.clone(), word.position));
        marks.phrases.insert(phrase.collect());
    }
    marks
}
