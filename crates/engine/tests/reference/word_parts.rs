//! What the scan of a document needs beside its walk: how words are shown, their forms, and what they score.

use super::catalogue::Page;
use super::meaning::{Meaning, Spelling, forms_by};
use domain::relevance::field::FieldId;
use query::breakdown::WordMatchKind;
use query::plan::PlanWord;
use query::scoring::{PRESENT_TYPO_WEIGHT, typo, word};
use std::collections::BTreeMap;

/// One way in which a word matches a field.
#[derive(Clone, Debug)]
pub struct Alternative {
    pub field: FieldId,
    pub kind: WordMatchKind,
    pub distance: u32,
    /// The texts that may be reported as matched: the term, or a word of which it is the stem.
    pub matched: Vec<String>,
    pub score: f64,
}

/// The alternatives of a word by field; the name and its prefixes are one field.
pub type ByField = BTreeMap<FieldId, Vec<Alternative>>;

/// The texts that may be reported for a term: itself, the name's word with this stem, and the query's `own` word.
pub fn shown(page: &Page, term: &str, own: Option<&String>) -> Vec<String> {
    let named = page.words(FieldId::NAME).filter(|token| token.stem == term);
    let mut shown: Vec<String> = named.map(|token| token.form.clone()).collect();
    shown.push(Spelling::of(term).letters.to_owned());
    shown.extend(own.cloned());
    shown
}

/// The weight of a typo of a word.
pub fn typo_share(word: &PlanWord, distance: u32, damped: bool) -> f64 {
    let length = word.stem.chars().count();
    match word.is_present {
        true => typo(distance, length, false) * PRESENT_TYPO_WEIGHT,
        false => typo(distance, length, damped),
    }
}

/// Occurrences in a field of each form that is the word itself, where its stem has other words.
pub fn same_forms(page: &Page, field: FieldId, word: &PlanWord, meaning: &Meaning) -> Vec<usize> {
    let Some(by) = meaning.same_word else {
        return Vec::new();
    };
    let (forms, accented) = forms_by(word, by);
    let written = forms.iter().map(|form| page.form_count(field, form));
    let accented = forms.iter().filter(|_| accented);
    let accented = accented.map(|form| page.accented_count(field, form));
    written.chain(accented).collect()
}

/// The best score of a word in one field.
pub fn best(alternatives: &[Alternative]) -> f64 {
    alternatives.iter().map(|a| a.score).fold(0.0, f64::max)
}

pub fn word_score(fields: &ByField) -> f64 {
    let scores: Vec<f64> = fields.values().map(|field| best(field)).collect();
    let best = scores.iter().copied().fold(0.0, f64::max);
    word(best, scores.iter().sum())
}
