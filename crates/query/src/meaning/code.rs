//! What a part of a query is as a code: how often the index has it, and the codes that may replace it.

use super::facts::CodeFacts;
use super::word::WordMeaning;
use crate::analysis::codes::characters;
use crate::plan::PlanCode;
use crate::scoring::{code_substring, typo};
use domain::relevance::field::FieldId;
use std::sync::Arc;

/// A code of a plan in an index.
#[derive(Clone, Debug, PartialEq)]
pub struct CodeMeaning {
    /// Documents that have the code.
    pub documents: u64,
    /// Whether a searched field has the code; only set for lists of codes.
    pub is_listed: bool,
    /// Codes at an edit distance of 1 in searched fields, by field.
    pub fuzzy: Vec<FuzzyCode>,
    /// The weight of a match of the code as a substring, where the code itself has 1.
    pub substring_weight: f64,
}

/// A code that may replace another in one field.
#[derive(Clone, Debug, PartialEq)]
pub struct FuzzyCode {
    /// The field.
    pub field: FieldId,
    /// The code, as the index spells it.
    pub term: Arc<str>,
    /// The weight of a match, where the code itself has 1.
    pub weight: f64,
}

impl CodeMeaning {
    /// Returns the meaning of `code`, which covers some of the `words` of its plan. Its fuzzy matches are damped if it
    /// exists, or all words that it covers do.
    pub fn new(code: &PlanCode, facts: CodeFacts, words: &[WordMeaning]) -> Self {
        let exists = facts.documents > 0;
        let is_damped = exists || words[code.words.clone()].iter().all(WordMeaning::exists);
        let fuzzy = facts.fuzzy.into_iter().map(|(field, found)| FuzzyCode {
            // As typed: an article number of which few digits remain without leading zeros is no shorter for that.
            weight: typo(1, characters(&code.spelling), is_damped),
            field,
            term: found.term,
        });
        Self {
            documents: facts.documents,
            is_listed: facts.is_listed,
            fuzzy: fuzzy.collect(),
            substring_weight: code_substring(exists),
        }
    }
}
