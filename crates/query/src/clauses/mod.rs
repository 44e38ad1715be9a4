//! The ranking of a query as data: the clauses by which its words match and score, and the bonuses of a document.
//!
//! It is decided here, once for a query, from its plan and its meaning. An engine finds the documents of each clause and
//! adds their scores up; it decides neither what matches nor what a match weighs
//! (`docs/adr/0060-the-ranking-is-data.md`).

mod bonuses;
mod clause;
mod codes;
mod word;

pub use bonuses::{Bonuses, Coordination, Earning, ExactCodeBonus, PhraseBonus};
pub use clause::{
    Clause, ClauseTerm, CodeMatch, CodeTerm, LongerTerm, LongerWeight, TextMatch, TextTerm,
    counts_as,
};
pub use word::{TextField, WordClauses};

use crate::meaning::Meaning;
use crate::plan::Plan;

/// The clauses and bonuses of a query.
///
/// A document matches if it matches [`Plan::min_match`] words, counted over all fields, or within one where
/// [`Plan::across_fields`] is not set; or if a clause [admits](Clause::admits) it, or one of the [`Self::admitting`] codes.
/// Stop words are not among those words: they match no document, and only score in those that match.
/// Its text score is the sum of the scores of its words and of its bonuses.
#[derive(Clone, Debug, PartialEq)]
pub struct Clauses {
    /// The clauses of each word, in the order of the plan.
    pub words: Vec<WordClauses>,
    /// Numbers of the codes of the plan that cover no word: a document with one of them in a searched field matches, and
    /// scores nothing for it.
    pub admitting: Vec<usize>,
    /// What a document scores besides its words.
    pub bonuses: Bonuses,
}

impl Clauses {
    /// Returns the clauses of `plan`, which has this `meaning` in an index.
    pub fn of(plan: &Plan, meaning: &Meaning) -> Self {
        let words = 0..plan.words.len();
        let codes = plan.codes.iter().enumerate();
        let admitting = codes.filter(|(_, code)| code.words.is_empty());
        Self {
            words: words.map(|at| WordClauses::of(plan, meaning, at)).collect(),
            admitting: admitting.map(|(number, _)| number).collect(),
            bonuses: Bonuses::of(plan, meaning),
        }
    }
}

#[cfg(test)]
mod tests;
