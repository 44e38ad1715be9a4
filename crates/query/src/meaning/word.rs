//! What a word of a plan stands for: the terms that may replace it, what each weighs, and how rare the word is.
//!
//! Rarity is the inverse document frequency (Spärck Jones, "A statistical interpretation of term specificity and
//! its application in retrieval", 1972). Alternatives of a word share its rarity, as a blended term query of
//! Lucene does, so that a rare typo does not outweigh the word.

use super::facts::{CodeFacts, PlanFacts};
use super::lookups::{CountedTerm, FormsBy};
use crate::breakdown::WordMatchKind;
use crate::plan::{Plan, PlanSynonym, PlanWord};
use crate::scoring::{COMPOUND_WEIGHT, PRESENT_TYPO_WEIGHT, idf, typo};
use std::sync::Arc;

/// A word of a plan in an index.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct WordMeaning {
    /// Documents that contain the word itself, in a text or as a code.
    pub documents: u64,
    /// The rarity of the word (IDF); none if nothing in the index matches it.
    pub idf: Option<f64>,
    /// Compounds and parts of compounds, then fuzzy terms, the nearest first.
    pub terms: Vec<AlternativeTerm>,
    /// Numbers of the synonyms of the plan that may replace it.
    pub synonyms: Vec<usize>,
    /// Distance of the nearest alternative, in texts or codes, if the word itself does not exist.
    pub substitute_distance: Option<u32>,
    /// Which forms are the word itself, where documents contain these and other words of its stem, which weigh less.
    pub same_word: Option<FormsBy>,
}

/// A term that may replace a word.
#[derive(Clone, Debug, PartialEq)]
pub struct AlternativeTerm {
    /// The term.
    pub term: Arc<str>,
    /// Edit distance between the term and the word; 0 if one is a part of the other, which is a compound.
    pub distance: u32,
    /// Whether the word itself exists, or an alternative that is nearer, so that it weighs less.
    pub is_damped: bool,
    /// The weight of a match, where the word itself has 1.
    pub weight: f64,
}

impl AlternativeTerm {
    /// Returns how a word matches the term.
    pub fn kind(&self) -> WordMatchKind {
        match self.distance {
            0 => WordMatchKind::Split,
            _ => WordMatchKind::Typo,
        }
    }
}

impl WordMeaning {
    /// Whether the word itself exists.
    pub fn exists(&self) -> bool {
        self.documents > 0
    }

    /// Returns the number of alternatives: terms, then synonyms.
    pub fn alternatives(&self) -> usize {
        self.terms.len() + self.synonyms.len()
    }
}

/// A word of which everything is known but how many names contain longer words.
pub struct WordCandidates {
    documents: u64,
    /// Compounds and parts of compounds, then fuzzy terms, the nearest first.
    terms: Vec<CountedTerm>,
    synonyms: Vec<usize>,
    substitute: Option<Substitute>,
    /// Most documents in which a code that covers the word is a substring of a code.
    code_substring_documents: u64,
    same_word: Option<FormsBy>,
}

/// The alternatives that replace a word that does not exist.
#[derive(Clone, Copy)]
struct Substitute {
    distance: u32,
    /// Documents that contain the commonest of them.
    documents: u64,
}

impl WordCandidates {
    /// Returns word number `at` of `plan` with the `terms` that may replace it, the nearest first.
    pub fn new(plan: &Plan, at: usize, facts: &PlanFacts, terms: Vec<CountedTerm>) -> Self {
        let synonyms = plan.synonyms.iter().enumerate();
        // Another writing of the word that no document has is none.
        let is_used = |number: usize, synonym: &PlanSynonym| {
            synonym.kind == WordMatchKind::Synonym || facts.synonyms[number] > 0
        };
        let synonyms =
            synonyms.filter(|(number, own)| own.replaces.contains(&at) && is_used(*number, own));
        let synonyms: Vec<usize> = synonyms.map(|(number, _)| number).collect();
        let most = |of: fn(&CodeFacts) -> u64| {
            let codes = plan.codes.iter().zip(&facts.codes);
            let covering = codes.filter(|(code, _)| code.words.contains(&at));
            covering.map(|(_, facts)| of(facts)).max().unwrap_or(0)
        };
        let synonym_documents = synonyms.iter().map(|number| facts.synonyms[*number]);
        // The nearest come first; a word that documents have is replaced by no typo.
        let replacing = match plan.words[at].is_present {
            true => terms.partition_point(|term| term.distance == 0),
            false => terms.len(),
        };
        let substitutes = SubstituteDocuments {
            terms: &terms[..replacing],
            synonyms: synonym_documents.max().unwrap_or(0),
            codes: most(CodeFacts::fuzzy_documents),
        };
        let documents = facts.words[at].documents;
        Self {
            documents,
            substitute: (documents == 0).then(|| substitutes.nearest()).flatten(),
            code_substring_documents: most(|code| code.substring_documents),
            terms,
            synonyms,
            same_word: facts.words[at].same_word,
        }
    }

    /// Whether the rarity of the word depends on the names that contain longer words.
    pub fn needs_longer_words(&self) -> bool {
        self.documents == 0 && self.substitute.is_none()
    }

    /// Returns the meaning of `word` in an index of so many `documents`, of which `longer` have a name that contains a
    /// longer word; `longer` is 0 where it does not matter.
    pub fn meaning(self, word: &PlanWord, documents: u64, longer: u64) -> WordMeaning {
        let commonest = match (self.documents, self.substitute) {
            (0, Some(substitute)) => substitute.documents,
            (0, None) if longer == 0 => self.code_substring_documents,
            (0, None) => longer,
            (own, _) => own,
        };
        let substitute_distance = self.substitute.map(|substitute| substitute.distance);
        let nearest = match substitute_distance {
            Some(0) => 0,
            _ => self.terms.first().map_or(0, |nearest| nearest.distance),
        };
        let exists = self.documents > 0;
        let characters = word.stem.chars().count();
        let alternative = |found: CountedTerm| {
            let is_damped = exists || word.is_present || found.distance > nearest;
            AlternativeTerm {
                weight: match found.distance {
                    0 => COMPOUND_WEIGHT,
                    distance if word.is_present => {
                        typo(distance, characters, false) * PRESENT_TYPO_WEIGHT
                    }
                    distance => typo(distance, characters, is_damped),
                },
                term: found.term,
                distance: found.distance,
                is_damped,
            }
        };
        WordMeaning {
            documents: self.documents,
            idf: (commonest > 0).then(|| idf(documents, commonest)),
            terms: self.terms.into_iter().map(alternative).collect(),
            synonyms: self.synonyms,
            substitute_distance,
            same_word: self.same_word,
        }
    }
}

/// Numbers of documents that contain alternatives of a word.
struct SubstituteDocuments<'a> {
    /// The terms, the nearest first.
    terms: &'a [CountedTerm],
    /// Documents that contain the commonest synonym; synonyms have the distance 0.
    synonyms: u64,
    /// Documents that have the commonest code at edit distance 1.
    codes: u64,
}

impl SubstituteDocuments<'_> {
    /// Returns the nearest alternatives.
    fn nearest(&self) -> Option<Substitute> {
        let synonym = (self.synonyms > 0).then_some(0);
        let code = (self.codes > 0).then_some(1);
        let term = self.terms.first().map(|term| term.distance);
        let distance = [synonym, code, term].into_iter().flatten().min()?;
        let terms = self.terms.iter().filter(|term| term.distance == distance);
        let others = match distance {
            0 => self.synonyms,
            1 => self.codes,
            _ => 0,
        };
        let documents = terms.map(|term| term.documents).max().unwrap_or(0);
        Some(Substitute {
            distance,
            documents: documents.max(others),
        })
    }
}
