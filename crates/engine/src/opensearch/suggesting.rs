//! Terms of the index near a word or a code, from the suggester of the cluster; the distance is our own.

use super::fields::{self, STEM_MARK};
use super::queries::{in_texts, term};
use domain::relevance::field::FieldId;
use query::analysis::codes::CASE_MARK;
use query::meaning::lookups::CountedTerm;
use query::plan::{PlanCode, PlanWord};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Terms that the cluster returns for one spelling: more than count, since its order is not ours.
const TERMS_MAX: usize = 500;
/// Terms that it looks at.
const INSPECTED_MAX: usize = 10_000;

/// Spellings whose near terms are looked up in one field.
pub struct Suggestion {
    field: String,
    spellings: Vec<String>,
    distance: u32,
    /// Characters in which no typo is tolerated, not counting the mark of a code.
    fixed: usize,
}

/// The stems near a word.
pub fn fuzzy_stems(word: &PlanWord, fixed: usize) -> Suggestion {
    fuzzy(&word.stem, word.typos, fixed)
}

/// The stems so near to `stem`.
pub fn fuzzy(stem: &str, distance: u32, fixed: usize) -> Suggestion {
    Suggestion {
        field: fields::ALL.to_owned(),
        spellings: vec![fields::stem_term(stem)],
        distance,
        fixed,
    }
}

/// The codes of `field` near a code.
pub fn fuzzy_codes(code: &PlanCode, field: FieldId, fixed: usize) -> Suggestion {
    Suggestion {
        field: fields::code(field),
        spellings: code.tolerant_forms(field).map(str::to_owned).collect(),
        distance: 1,
        fixed,
    }
}

/// Documents whose `field` has a term that was suggested for it.
pub fn fuzzy_filter(field: &str, near: &str) -> Value {
    match field {
        fields::ALL => in_texts(near),
        _ => term(field, near),
    }
}

/// Returns the request for all of `suggestions`. Beginnings that are fixed are compared here, since a code has a mark before it.
pub fn suggest(suggestions: &[Suggestion]) -> Map<String, Value> {
    let mut all = Map::new();
    for (number, own) in suggestions.iter().enumerate() {
        for (at, spelling) in own
            .spellings
            .iter()
            .enumerate()
            .filter(|_| own.distance > 0)
        {
            let suggester = json!({
                "field": own.field, "suggest_mode": "always", "max_edits": own.distance,
                "prefix_length": 0, "min_word_length": 1, "size": TERMS_MAX,
                "shard_size": TERMS_MAX, "max_inspections": INSPECTED_MAX, "accuracy": 0.0, "max_term_freq": 1e9,
                "string_distance": "damerau_levenshtein",
            });
            all.insert(
                format!("{number}-{at}"),
                json!({"text": spelling, "term": suggester}),
            );
        }
    }
    all
}

/// Returns the terms of the response that are near enough, for each of `suggestions` with its field, not counted yet.
pub fn candidates(suggestions: &[Suggestion], found: &Value) -> Vec<(String, Vec<CountedTerm>)> {
    let of = suggestions.iter().enumerate().map(|(number, own)| {
        let mut seen = BTreeSet::new();
        let mut terms = Vec::new();
        for (at, spelling) in own.spellings.iter().enumerate() {
            let options = found[format!("{number}-{at}")][0]["options"].as_array();
            let options = options.map_or(&[][..], Vec::as_slice);
            for near in options.iter().filter_map(|option| option["text"].as_str()) {
                let distance = own.distance_to(spelling, near);
                if let Some(distance) = distance.filter(|_| seen.insert(near.to_owned())) {
                    terms.push(CountedTerm {
                        term: Arc::from(near.trim_start_matches(STEM_MARK)),
                        distance,
                        documents: 0,
                    });
                }
            }
        }
        (own.field.clone(), terms)
    });
    of.collect()
}

impl Suggestion {
    /// Returns the edit distance, if `near` is near enough, has the same beginning and the same case.
    fn distance_to(&self, spelling: &str, near: &str) -> Option<u32> {
        let [own, other] =
            [spelling, near].map(|text| text.trim_start_matches([STEM_MARK, CASE_MARK]));
        let has_same_case = (own.len() < spelling.len()) == (other.len() < near.len());
        let fixed = self.fixed.min(own.chars().count());
        let begins_alike = own.chars().take(fixed).eq(other.chars().take(fixed));
        let distance = strsim::osa_distance(own, other) as u32;
        let is_near = (1..=self.distance).contains(&distance);
        (is_near && has_same_case && begins_alike).then_some(distance)
    }
}

#[cfg(test)]
mod tests {
    //! 1. Only terms of the same case and beginning within the distance are near; the mark of a stem is no part of it.

    use super::*;

    #[test]
    fn near_terms_begin_alike() {
        let own = fuzzy("camera", 2, 2);
        let camera = fields::stem_term("camera");
        for (term, distance) in [
            ("camrea", Some(1)),
            ("cmaera", None),
            ("camera", None),
            ("cam", None),
            ("cameras", Some(1)),
        ] {
            let near = fields::stem_term(term);
            assert_eq!(own.distance_to(&camera, &near), distance, "{term}");
        }
        let cased = format!("{CASE_MARK}KT1200");
        let near = format!("{CASE_MARK}KT1201");
        assert_eq!(own.distance_to(&cased, &near), Some(1));
        assert_eq!(own.distance_to(&cased, "kt1201"), None);
    }
}
