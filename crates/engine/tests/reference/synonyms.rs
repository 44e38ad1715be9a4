//! Random synonym groups of the words of a shop, which queries trigger and documents contain; and where they occur.

use super::catalogue::Page;
use super::vocabulary::Vocabulary;
use domain::TriggerAlternatives;
use domain::relevance::field::FieldId;
use proptest::collection::vec;
use proptest::option::weighted;
use proptest::prelude::*;
use query::plan::PlanSynonym;
use query::scoring::SURFACE_FORM_WEIGHT;
use query::synonyms::SynonymTerms;
use query::{Analyser, SynonymSet};

/// Groups, with an input for one-way groups.
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
        alternatives: TriggerAlternatives::default(),
    });
    SynonymSet::new(terms, analyser)
}

/// Whether the words occur in one value of a field at the distances of their positions.
pub fn are_adjacent(page: &Page, field: FieldId, words: &[(&str, u32)]) -> bool {
    let first = words[0].1;
    page.values(field).iter().any(|tokens| {
        let occurs = |stem: &str, position: u32| {
            tokens
                .iter()
                .any(|t| t.stem == stem && t.position == position)
        };
        let mut starts = tokens.iter().map(|token| token.position);
        starts.any(|start| {
            let mut all = words.iter();
            all.all(|(stem, position)| occurs(stem, start + position - first))
        })
    })
}

/// Whether a document contains a synonym, in a searched field or not.
pub fn holds(page: &Page, synonym: &PlanSynonym) -> bool {
    if synonym.is_side_by_side() {
        let placed: Vec<(&str, u32)> = (synonym.words.iter())
            .map(|word| (word.stem.as_str(), word.position))
            .collect();
        return [FieldId::NAME, FieldId::TAGS]
            .into_iter()
            .any(|field| are_adjacent(page, field, &placed));
    }
    synonym.words.iter().all(|word| page.holds(&word.stem))
}

/// The occurrences of a synonym in a field, with the weight of each form; several words count once.
pub fn occurrences(page: &Page, field: FieldId, synonym: &PlanSynonym) -> Vec<(usize, f64)> {
    let mut found = match synonym.words.as_slice() {
        [word] => vec![
            (page.stem_count(field, &word.stem), 1.0),
            (page.form_count(field, &word.form), SURFACE_FORM_WEIGHT),
        ],
        words => {
            let placed: Vec<(&str, u32)> = words
                .iter()
                .map(|word| (word.stem.as_str(), word.position))
                .collect();
            let held = match field {
                FieldId::NAME | FieldId::TAGS => are_adjacent(page, field, &placed),
                _ if synonym.is_side_by_side() => false,
                _ => placed
                    .iter()
                    .all(|(stem, _)| page.stem_count(field, stem) > 0),
            };
            vec![(usize::from(held), 1.0)]
        }
    };
    found.retain(|(tf, _)| *tf > 0);
    found
}
