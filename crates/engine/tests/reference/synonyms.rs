//! Random synonym groups out of the words of a shop, so that questions fire them and documents hold what they add.

use super::vocabulary::Vocabulary;
use proptest::collection::vec;
use proptest::option::weighted;
use proptest::prelude::*;
use query::synonyms::SynonymTerms;
use query::{Analyser, SynonymSet};

/// Groups, each with an input when it works in one direction.
pub type Groups = Vec<(Option<String>, Vec<String>)>;

pub fn groups(vocabulary: &Vocabulary) -> impl Strategy<Value = Groups> + use<> {
    let term = || {
        let words = prop_oneof![
            4 => vec(vocabulary.words(), 1),
            2 => vec(vocabulary.words(), 2),
            1 => vec(vocabulary.words(), 3),
        ];
        words.prop_map(|words| words.join(" "))
    };
    let group = (weighted(0.3, term()), vec(term(), 1..4));
    prop_oneof![1 => Just(Vec::new()), 3 => vec(group, 1..6)]
}

pub fn compiled(groups: &Groups, analyser: &Analyser) -> SynonymSet {
    let terms = groups.iter().map(|(input, terms)| SynonymTerms {
        id: "group",
        input: input.as_deref(),
        terms,
    });
    SynonymSet::new(terms, analyser)
}
