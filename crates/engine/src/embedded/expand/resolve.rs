//! A plan in the index: its clauses, with the posting lists of the terms that its words, codes and synonyms stand for.

use super::codes::ResolvedCode;
use super::index_lookups::IndexLookups;
use super::synonyms::ResolvedSynonym;
use super::words::ResolvedWord;
use crate::EngineError;
use crate::embedded::postings::text_index::TextIndex;
use query::meaning::Meaning;
use query::meaning::code_order::CodeOrder;
use query::{Clauses, Plan};

/// A plan with what the index knows about its words and codes.
pub struct Resolved {
    /// The clauses of its words, and its bonuses.
    pub clauses: Clauses,
    /// The words, in the order of the plan.
    pub words: Vec<ResolvedWord>,
    /// The codes, in the order of the plan.
    pub codes: Vec<ResolvedCode>,
    /// The synonyms, in the order of the plan.
    pub synonyms: Vec<ResolvedSynonym>,
    /// What comes before the score in the order of hits.
    pub order: CodeOrder,
}

impl Resolved {
    /// Looks up `plan` in `texts`, for hits in the given `order`.
    pub fn new(texts: &TextIndex, plan: &Plan, order: CodeOrder) -> Result<Self, EngineError> {
        let mut lookups = IndexLookups::new(texts, plan)?;
        let meaning = Meaning::of(plan, &texts.analyser, &mut lookups)?;
        let clauses = Clauses::of(plan, &meaning);
        let words = lookups.words.into_iter().zip(meaning.words);
        let codes = lookups.codes.into_iter().zip(meaning.codes);
        Ok(Self {
            clauses,
            words: words
                .map(|(word, meaning)| word.resolved(meaning, &lookups.stems))
                .collect(),
            codes: codes
                .map(|(code, meaning)| code.resolved(meaning))
                .collect(),
            synonyms: lookups.synonyms,
            order,
        })
    }
}
