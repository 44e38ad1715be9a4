//! Breakdowns of two products side by side: both list every part that either has.

use super::explain::Explained;
use domain::relevance::field::FieldId;
use query::breakdown::{Bonus, Breakdown, FieldBonus, RuleMultiplier, WordMatch};
use std::sync::Arc;

/// Adds to the breakdowns of two products the parts that only the other has, with a score of 0, or a multiplier of 1.
pub(super) fn list_the_same_parts(explained: &mut [Explained]) {
    if let [Explained::Hit(one), Explained::Hit(other)] = explained
        && let (Some(one), Some(other)) = (&mut one.breakdown, &mut other.breakdown)
    {
        let keys = keys_of_both(one, other);
        let (first, second) = (one.clone(), other.clone());
        complete(one, &second, &keys);
        complete(other, &first, &keys);
    }
}

/// A word and a field in which it matches.
type PartKey = (Arc<str>, FieldId);

fn key(of: &WordMatch) -> PartKey {
    (of.word.clone(), of.field)
}

fn keys_of_both(one: &Breakdown, other: &Breakdown) -> Vec<PartKey> {
    let mut keys: Vec<PartKey> = Vec::new();
    for part in one.text.matches.iter().chain(&other.text.matches) {
        if !keys.contains(&key(part)) {
            keys.push(key(part));
        }
    }
    keys
}

fn complete(own: &mut Breakdown, other: &Breakdown, keys: &[PartKey]) {
    let mut matches = Vec::with_capacity(keys.len());
    for part in keys {
        let mut found = own
            .text
            .matches
            .iter()
            .filter(|one| key(one) == *part)
            .peekable();
        if found.peek().is_some() {
            matches.extend(found.cloned());
        } else if let Some(theirs) = other.text.matches.iter().find(|one| key(one) == *part) {
            matches.push(WordMatch {
                matched: "".into(),
                distance: 0,
                score: 0.0,
                ..theirs.clone()
            });
        }
    }
    own.text.matches = matches;
    let without_score = |bonus: &FieldBonus| FieldBonus {
        score: 0.0,
        ..bonus.clone()
    };
    let (text, theirs) = (&mut own.text, &other.text);
    if text.phrase.is_none() {
        text.phrase = theirs.phrase.as_ref().map(without_score);
    }
    if text.exact_reference.is_none() {
        text.exact_reference = theirs.exact_reference.as_ref().map(without_score);
    }
    if text.cross_fields.is_none() {
        text.cross_fields = theirs.cross_fields.as_ref().map(|_| Bonus { score: 0.0 });
    }
    for rule in &other.rules {
        if !own.rules.iter().any(|own| own.id == rule.id) {
            own.rules.push(RuleMultiplier {
                multiplier: 1.0,
                ..rule.clone()
            });
        }
    }
}

#[cfg(test)]
mod tests {
    //! 1. Both breakdowns list the parts of either, in one order; what one lacks has no matched term and a score of 0.

    use super::*;
    use query::breakdown::{TextBreakdown, WordMatchKind};
    use query::scoring::Factors;

    fn breakdown(words: &[&str]) -> Breakdown {
        let matches = words.iter().map(|word| WordMatch {
            word: (*word).into(),
            field: FieldId::NAME,
            matched: (*word).into(),
            kind: WordMatchKind::Exact,
            distance: 0,
            boost: 6.0,
            score: 2.0,
        });
        let text = TextBreakdown::of_words(matches.collect(), None, None, None);
        let factors = Factors {
            stock: 0.0,
            sales: 0.0,
            rating: 0.0,
            discount: 0.0,
            multiplier: 1.0,
        };
        Breakdown::new(text, factors)
    }

    #[test]
    fn both_list_the_parts_of_either() {
        let (mut one, mut other) = (breakdown(&["red", "sofa"]), breakdown(&["sofa", "bed"]));
        other.text.phrase = Some(FieldBonus {
            field: FieldId::NAME,
            score: 8.0,
        });
        let keys = keys_of_both(&one, &other);
        let (first, second) = (one.clone(), other.clone());
        complete(&mut one, &second, &keys);
        complete(&mut other, &first, &keys);
        let words = |of: &Breakdown| -> Vec<(String, f64)> {
            let matches = of.text.matches.iter();
            matches
                .map(|part| (part.matched.to_string(), part.score))
                .collect()
        };
        let named = |words: [&str; 3]| {
            let part = |word: &str| (word.to_owned(), if word.is_empty() { 0.0 } else { 2.0 });
            words.map(part).to_vec()
        };
        assert_eq!(words(&one), named(["red", "sofa", ""]));
        assert_eq!(words(&other), named(["", "sofa", "bed"]));
        assert_eq!(one.text.phrase.map(|bonus| bonus.score), Some(0.0));
        assert_eq!(other.text.score, 4.0);
    }
}
