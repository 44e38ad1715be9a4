//! Words side by side, synonyms and codes as filters.

use super::fields::{self, HOLE, SEPARATOR};
use super::mapping::PLACES;
use super::queries::{any, every, in_texts, nothing, term};
use domain::relevance::field::FieldId;
use query::plan::{PlanCode, PlanSynonym, has_positions};
use serde_json::{Value, json};

/// Documents that contain all of `words` in `field`, at the distances of their positions.
pub fn side_by_side<'a>(field: FieldId, words: impl Iterator<Item = (&'a str, u32)>) -> Value {
    let mut places = String::new();
    let mut next = None;
    for (stem, position) in words {
        for _ in next.unwrap_or(position)..position {
            places.push(SEPARATOR);
            places.push(HOLE);
        }
        if next.is_some() {
            places.push(SEPARATOR);
        }
        places.push_str(stem);
        next = Some(position + 1);
    }
    json!({"match_phrase": {fields::text(field): {"query": places, "analyzer": PLACES}}})
}

/// Documents that contain a synonym in `field`.
pub fn synonym_in(synonym: &PlanSynonym, field: FieldId) -> Value {
    let own = fields::text(field);
    match synonym.words.as_slice() {
        [word] => term(&own, &word.stem),
        words if has_positions(field) => side_by_side(
            field,
            words.iter().map(|word| (word.stem.as_str(), word.position)),
        ),
        _ if synonym.is_side_by_side() => nothing(),
        words => every(words.iter().map(|word| term(&own, &word.stem)).collect()),
    }
}

/// Documents whose texts contain a synonym.
pub fn anywhere(synonym: &PlanSynonym) -> Value {
    if synonym.is_side_by_side() {
        let fields = FieldId::texts().filter(|field| has_positions(*field));
        return any(fields.map(|field| synonym_in(synonym, field)).collect());
    }
    let stems = synonym.words.iter().map(|word| in_texts(&word.stem));
    every(stems.collect())
}

/// Documents that have a code, by field.
pub fn code_terms(
    code: &PlanCode,
    searched: impl Fn(FieldId) -> bool,
) -> impl Iterator<Item = Value> {
    let fields = FieldId::codes().filter(move |field| searched(*field));
    fields.map(|field| term(&fields::code(field), code.term(field)))
}

#[cfg(test)]
mod tests {
    //! 1. Words that are left out between others are holes.

    use super::*;

    #[test]
    fn words_that_are_left_out_are_holes() {
        let words = [("red", 1), ("tent", 2), ("men", 4)];
        let query = side_by_side(FieldId::NAME, words.into_iter());
        let text = query["match_phrase"]["text_name"]["query"].as_str();
        assert_eq!(text, Some("red\u{1f}tent\u{1f}\u{4}\u{1f}men"));
    }
}
