//! What of an index a visitor may see, by which `query::meaning` interprets a query and decides about typos.

use super::fields;
use super::lookups::{code_containing, counted, longer};
use super::phrases::{code_terms, synonym_in};
use super::queries::{any, everything, in_texts, term};
use super::search::{Counts, Searcher};
use super::suggesting::{candidates, fuzzy_codes, fuzzy_filter, suggest};
use crate::EngineError;
use domain::relevance::field::FieldId;
use query::Plan;
use query::breakdown::Tier;
use query::meaning::interpretation::VisibleCodes;
use query::meaning::lookups::{CountedTerm, keep_nearest, matches_prefixes};
use query::meaning::typos::VisibleWords;
use query::plan::{PlanCode, PlanSynonym, PlanWord};
use serde_json::{Value, json};

/// An index as a visitor sees it.
pub struct VisibleIndex<'a> {
    /// The index.
    pub searcher: &'a Searcher,
    /// The documents that the visitor may see.
    pub documents: Value,
    /// For each word of the plan how many of them have it, once that was looked up.
    words: Option<Vec<u64>>,
}

impl<'a> VisibleIndex<'a> {
    /// An index of which `documents` are seen.
    pub fn new(searcher: &'a Searcher, documents: Value) -> Self {
        Self {
            searcher,
            documents,
            words: None,
        }
    }

    /// Counts the visible documents of each of `filters`.
    pub fn count(&self, filters: Vec<Value>) -> Result<Vec<u64>, EngineError> {
        self.searcher.count_within(self.documents.clone(), filters)
    }

    /// What is counted of the visible documents before anything else of `plan` is known.
    pub fn first_counts(&self, plan: &Plan) -> Counts {
        let listed = plan.list.iter().flat_map(|list| list.codes.iter());
        let mut filters: Vec<Value> = listed.map(with_code).collect();
        if plan.tolerates_typos() {
            filters.extend(with_words(plan));
        }
        let whole = plan
            .codes
            .iter()
            .filter(|code| code.whole && plan.code_shaped);
        for code in whole {
            filters.extend(
                [Tier::Starts, Tier::Contains]
                    .map(|tier| any(with_tiers(code, &[Tier::Exact, tier]).collect())),
            );
        }
        Counts {
            within: self.documents.clone(),
            filters,
        }
    }

    /// Whether a visible document has a code near `code`.
    fn shows_fuzzy(&self, plan: &Plan, code: &PlanCode) -> Result<bool, EngineError> {
        let suggestions: Vec<_> = FieldId::codes()
            .map(|field| fuzzy_codes(code, field, plan.typo_prefix))
            .collect();
        let wanted = suggest(&suggestions);
        let found = self
            .searcher
            .search(&json!({"size": 0, "track_total_hits": false, "suggest": wanted}))?;
        let candidates = candidates(&suggestions, &found["suggest"]);
        let filters = candidates
            .iter()
            .flat_map(|(field, terms)| terms.iter().map(|near| fuzzy_filter(field, &near.term)));
        let filters: Vec<Value> = filters.collect();
        let counts = [everything(), self.documents.clone()].map(|within| Counts {
            within,
            filters: filters.clone(),
        });
        self.searcher.search_and_count(Vec::new(), &counts)?;
        let fields: Vec<String> = candidates.iter().map(|(field, _)| field.clone()).collect();
        let counted = counted(self.searcher, candidates)?;
        let nearest = fields
            .into_iter()
            .zip(counted)
            .flat_map(|(field, mut terms)| {
                keep_nearest(&mut terms, CountedTerm::nearness);
                let filters = terms
                    .into_iter()
                    .map(|near| fuzzy_filter(&field, &near.term));
                filters.collect::<Vec<_>>()
            });
        let visible = self.count(nearest.collect())?;
        Ok(visible.iter().any(|documents| *documents > 0))
    }
}

impl VisibleCodes for VisibleIndex<'_> {
    type Error = EngineError;

    fn count_visible(&mut self, codes: &[PlanCode], enough: usize) -> Result<usize, EngineError> {
        let counts = self.count(codes.iter().map(with_code).collect())?;
        let known = counts
            .into_iter()
            .filter(|documents| *documents > 0)
            .count();
        Ok(known.min(enough))
    }

    fn matches(
        &mut self,
        plan: &Plan,
        code: &PlanCode,
        tiers: &[Tier],
    ) -> Result<bool, EngineError> {
        let counts = self.count(vec![any(with_tiers(code, tiers).collect())])?;
        if counts.iter().any(|documents| *documents > 0) {
            return Ok(true);
        }
        // Near codes take requests of their own.
        Ok(tiers.contains(&Tier::Typo) && self.shows_fuzzy(plan, code)?)
    }
}

/// Documents that have a code in any field.
fn with_code(code: &PlanCode) -> Value {
    any(code_terms(code, |_| true).collect())
}

/// Documents that have a code of one of `tiers`, but for near ones.
fn with_tiers(code: &PlanCode, tiers: &[Tier]) -> impl Iterator<Item = Value> {
    let of_tier = |tier: &Tier| -> Vec<Value> {
        match tier {
            Tier::Exact => code_terms(code, |_| true).collect(),
            Tier::Starts => FieldId::codes()
                .map(|field| super::queries::prefix(&fields::code(field), &code.spelling))
                .collect(),
            Tier::Contains => FieldId::codes()
                .map(|field| code_containing(field, code))
                .collect(),
            Tier::Typo => Vec::new(),
        }
    };
    tiers.iter().flat_map(of_tier)
}

impl VisibleWords for VisibleIndex<'_> {
    type Error = EngineError;

    fn count_with_word(
        &mut self,
        plan: &Plan,
        word: usize,
        _: usize,
    ) -> Result<usize, EngineError> {
        if self.words.is_none() {
            self.words = Some(self.count(with_words(plan).collect())?);
        }
        let counts = self.words.as_deref().unwrap_or_default();
        Ok(counts.get(word).map_or(0, |documents| *documents as usize))
    }
}

/// Documents that have each word of `plan`.
fn with_words(plan: &Plan) -> impl Iterator<Item = Value> {
    let words = plan.words.iter().enumerate();
    words.map(|(at, own)| with_word(plan, at, own))
}

/// Documents that have word number `at` in a searched field, in another way than by a typo.
fn with_word(plan: &Plan, at: usize, word: &PlanWord) -> Value {
    let mut filters = stems(plan, &word.stem);
    let codes = plan.codes.iter().filter(|code| code.words == (at..at + 1));
    filters.extend(codes.flat_map(|code| code_terms(code, |field| plan.searches(field))));
    if matches_prefixes(plan, word) {
        filters.push(super::queries::prefix(
            fields::PREFIXES,
            &fields::longer_prefix(&word.folded),
        ));
    }
    let synonyms = plan
        .synonyms
        .iter()
        .filter(|synonym| synonym.replaces.contains(&at));
    filters.extend(synonyms.flat_map(|synonym| with_synonym(plan, synonym)));
    any(filters)
}

/// Documents that have a stem in a searched field.
fn stems(plan: &Plan, stem: &str) -> Vec<Value> {
    if plan.searches_all_texts() {
        return vec![in_texts(stem)];
    }
    let searched = FieldId::texts().filter(|field| plan.searches(*field));
    searched
        .map(|field| term(&fields::text(field), stem))
        .collect()
}

fn with_synonym(plan: &Plan, synonym: &PlanSynonym) -> Vec<Value> {
    if let [word] = synonym.words.as_slice() {
        return stems(plan, &word.stem);
    }
    let searched = FieldId::texts().filter(|field| plan.searches(*field));
    searched.map(|field| synonym_in(synonym, field)).collect()
}

/// Documents that contain word number `at` or what replaces it, in a searched field or not.
pub fn met(plan: &Plan, meaning: &query::meaning::Meaning, at: usize) -> Value {
    let (word, own) = (&plan.words[at], &meaning.words[at]);
    let mut filters = vec![in_texts(&word.stem), longer(plan, word)];
    filters.extend(own.terms.iter().map(|near| in_texts(&near.term)));
    let synonyms = own.synonyms.iter();
    filters.extend(synonyms.map(|number| super::phrases::anywhere(&plan.synonyms[*number])));
    let codes = plan.codes.iter().zip(&meaning.codes);
    for (code, own) in codes.filter(|(code, _)| code.words.contains(&at)) {
        filters.extend(code_terms(code, |_| true));
        filters.extend(
            own.fuzzy
                .iter()
                .map(|near| term(&fields::code(near.field), &near.term)),
        );
        if code.substring {
            let searched = FieldId::codes().filter(|field| plan.searches(*field));
            filters.extend(searched.map(|field| code_containing(field, code)));
        }
    }
    any(filters)
}
