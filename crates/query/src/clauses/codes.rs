//! The clauses of the codes that a word belongs to.

use super::clause::{Clause, ClauseTerm, CodeMatch, CodeTerm, covers};
use crate::analysis::codes::CASE_MARK;
use crate::breakdown::WordMatchKind;
use crate::meaning::{CodeMeaning, Meaning, WordMeaning};
use crate::plan::{Plan, PlanCode};
use crate::scoring::CODE_WEIGHT;
use domain::relevance::field::FieldId;
use std::sync::Arc;

/// A code with its number in the plan, as one of the words that it covers matches it.
struct CoveringCode<'a> {
    number: usize,
    code: &'a PlanCode,
    meaning: &'a CodeMeaning,
    word: &'a WordMeaning,
    /// Its spelling, as it is shown.
    spelling: Arc<str>,
}

/// Adds the clauses of the codes that cover word number `at`, by field. The words that a code covers share its score.
pub fn add(plan: &Plan, meaning: &Meaning, at: usize, clauses: &mut Vec<Clause>) {
    let codes = plan.codes.iter().zip(&meaning.codes).enumerate();
    let covering = codes.filter(|(_, (code, _))| code.words.contains(&at));
    let covering = covering.map(|(number, (code, own))| CoveringCode {
        number,
        code,
        meaning: own,
        word: &meaning.words[at],
        spelling: shown(&code.spelling),
    });
    let covering: Vec<CoveringCode<'_>> = covering.collect();
    for field in FieldId::codes().filter(|field| plan.searches(*field)) {
        for code in &covering {
            code.add(field, plan.boosts.get(field), clauses);
        }
    }
}

impl CoveringCode<'_> {
    /// Adds its clauses in `field`, which has this `boost`.
    fn add(&self, field: FieldId, boost: f64, clauses: &mut Vec<Clause>) {
        let share = boost * CODE_WEIGHT / self.code.words.len() as f64;
        let clause = |by: CodeMatch, kind, weight: f64, matched: Arc<str>| {
            let distance = u32::from(kind == WordMatchKind::Typo);
            Clause {
                term: ClauseTerm::Code(CodeTerm {
                    field,
                    code: self.number,
                    by,
                    score: share * weight,
                }),
                kind,
                distance,
                matched,
                alternative: None,
                covers: covers(self.word, kind, distance),
                admits: by == CodeMatch::Whole,
            }
        };
        let term = self.code.term(field);
        let matched = match term == self.code.spelling {
            true => Arc::clone(&self.spelling),
            false => shown(term),
        };
        clauses.push(clause(CodeMatch::Whole, WordMatchKind::Exact, 1.0, matched));
        let fuzzy = self.meaning.fuzzy.iter().enumerate();
        for (number, fuzzy) in fuzzy.filter(|(_, fuzzy)| fuzzy.field == field) {
            let by = CodeMatch::Fuzzy(number);
            let matched = shown(&fuzzy.term);
            clauses.push(clause(by, WordMatchKind::Typo, fuzzy.weight, matched));
        }
        if self.code.substring {
            let weight = self.meaning.substring_weight;
            let matched = Arc::clone(&self.spelling);
            let kind = WordMatchKind::Partial;
            clauses.push(clause(CodeMatch::Substring, kind, weight, matched));
        }
    }
}

/// Returns a code as it is shown.
fn shown(code: &str) -> Arc<str> {
    code.trim_start_matches(CASE_MARK).into()
}
