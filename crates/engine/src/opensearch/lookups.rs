//! Looks up the words, codes and synonyms of a plan: each batch is one request, and a second one where fuzzy terms are
//! counted. What they mean is decided by `query::meaning`.

use super::fields::{self, SEPARATOR, code, longer_prefix, pair};
use super::phrases::{anywhere, code_terms};
use super::queries::{
    any, buckets, containing, everything, exists, in_texts, prefix, starting_with,
};
use super::search::Searcher;
use super::suggesting::{Suggestion, candidates, fuzzy_codes, fuzzy_filter, fuzzy_stems, suggest};
use crate::EngineError;
use domain::relevance::field::FieldId;
use query::analysis::codes::CASE_MARK;
use query::meaning::lookups::{
    CountedTerm, DocumentSet, FormsBy, FormsFound, FormsLookup, FuzzyLookup, LookupBatch,
    LookupResults, Lookups, matches_prefixes, matches_substrings,
};
use query::plan::{PlanCode, PlanWord};
use query::{Analyser, Plan};
use serde_json::{Map, Value, json};
use std::sync::Arc;

/// Longer stems that end with a word.
const ENDINGS_MAX: usize = 1_000;
/// Forms of a stem.
const FORMS_MAX: usize = 200;

/// A plan that is looked up in an index.
pub struct ClusterLookups<'a> {
    /// The index.
    pub searcher: &'a Searcher,
    /// The plan.
    pub plan: &'a Plan,
    /// The analyser of the index.
    pub analyser: &'a Analyser,
}

/// The documents of a set.
pub fn documents_of(plan: &Plan, set: &DocumentSet) -> Value {
    match set {
        DocumentSet::All => exists(fields::ID),
        DocumentSet::Word(at) => {
            let codes = plan.codes.iter().filter(|code| code.words.contains(at));
            let codes = codes.flat_map(|code| code_terms(code, |_| true));
            any([in_texts(&plan.words[*at].stem)]
                .into_iter()
                .chain(codes)
                .collect())
        }
        DocumentSet::Stem(stem) => in_texts(stem),
        DocumentSet::LongerWords(at) => longer(plan, &plan.words[*at]),
        DocumentSet::Synonym(at) => anywhere(&plan.synonyms[*at]),
        DocumentSet::Code(at) => any(code_terms(&plan.codes[*at], |_| true).collect()),
        DocumentSet::SearchedCode(at) => {
            any(code_terms(&plan.codes[*at], |field| plan.searches(field)).collect())
        }
        DocumentSet::CodeSubstring(at) => {
            let searched = FieldId::codes().filter(|field| plan.searches(*field));
            any(searched
                .map(|field| code_containing(field, &plan.codes[*at]))
                .collect())
        }
    }
}

/// Documents whose name contains a longer word.
pub fn longer(plan: &Plan, word: &PlanWord) -> Value {
    let part = longer_prefix(&word.folded);
    let prefixes = matches_prefixes(plan, word).then(|| prefix(fields::PREFIXES, &part));
    let substrings = matches_substrings(plan, word).then(|| prefix(fields::SUBSTRINGS, &part));
    any(prefixes.into_iter().chain(substrings).collect())
}

/// Documents that have, in `field`, a code that contains `own`.
pub fn code_containing(field: FieldId, own: &PlanCode) -> Value {
    match own.spelling.strip_prefix(CASE_MARK) {
        Some(letters) => containing(&code(field), &CASE_MARK.to_string(), letters),
        // What contains it with its case contains it without, too.
        None => containing(&code(field), "", &own.spelling),
    }
}

impl ClusterLookups<'_> {
    fn aggregations(&self, batch: &LookupBatch) -> Map<String, Value> {
        let mut all = Map::new();
        let counts = batch.counts.iter().map(|set| documents_of(self.plan, set));
        let first_parts = batch.first_parts.iter().map(|head| {
            let stems = self.analyser.first_part_stems(head);
            any(stems.map(|stem| in_texts(&stem)).collect())
        });
        let filters: Vec<Value> = counts.chain(first_parts).collect();
        if !filters.is_empty() {
            all.insert(
                "counts".to_owned(),
                json!({"filters": {"filters": filters}}),
            );
        }
        for (number, at) in batch.endings.iter().enumerate() {
            let include = format!(".+{}", super::queries::escaped(&self.plan.words[*at].stem));
            let terms =
                json!({"terms": {"field": fields::STEMS, "size": ENDINGS_MAX, "include": include}});
            all.insert(format!("endings{number}"), terms);
        }
        for (number, lookup) in batch.forms.iter().enumerate() {
            let include = starting_with(&pair(&self.plan.words[lookup.word].stem, ""));
            let terms =
                json!({"terms": {"field": fields::FORMS, "size": FORMS_MAX, "include": include}});
            all.insert(format!("forms{number}"), terms);
        }
        all
    }

    fn suggestions(&self, batch: &LookupBatch) -> Vec<Suggestion> {
        let lookups = batch.fuzzy.iter();
        let of = lookups.map(|lookup| match *lookup {
            FuzzyLookup::Word(at) => fuzzy_stems(&self.plan.words[at], self.plan.typo_prefix),
            FuzzyLookup::Code(at, field) => {
                fuzzy_codes(&self.plan.codes[at], field, self.plan.typo_prefix)
            }
        });
        of.collect()
    }

    fn forms(&self, lookup: FormsLookup, found: &Value) -> FormsFound {
        let word = &self.plan.words[lookup.word];
        let Some(same) = &word.same_word else {
            return FormsFound::default();
        };
        let (forms, is_accented) = match lookup.by {
            FormsBy::Writing => (&same.written, false),
            FormsBy::Folding => (&same.folded, true),
        };
        let own = pair(&word.stem, "");
        let mut result = FormsFound::default();
        for (written, _) in buckets(found) {
            let Some((form, folded)) = written
                .strip_prefix(&own)
                .and_then(|rest| rest.split_once(SEPARATOR))
            else {
                continue;
            };
            let has = |text: &str| forms.iter().any(|form| form == text);
            match has(form) || is_accented && form != folded && has(folded) {
                true => result.same = true,
                false => result.others = true,
            }
        }
        result
    }
}

impl Lookups for ClusterLookups<'_> {
    type Error = EngineError;

    fn look_up(&mut self, batch: &LookupBatch) -> Result<LookupResults, EngineError> {
        if batch.is_empty() {
            return Ok(LookupResults::default());
        }
        let suggestions = self.suggestions(batch);
        let mut body = json!({"size": 0, "track_total_hits": false, "query": everything()});
        let aggregations = self.aggregations(batch);
        if !aggregations.is_empty() {
            body["aggs"] = Value::Object(aggregations);
        }
        let asked = suggest(&suggestions);
        if !asked.is_empty() {
            body["suggest"] = Value::Object(asked);
        }
        let found = self.searcher.search(&body)?;
        let aggregated = &found["aggregations"];
        let counts = aggregated["counts"]["buckets"].as_array();
        let counts = counts.map_or(&[][..], Vec::as_slice).iter();
        let mut counts = counts.map(|own| own["doc_count"].as_u64().unwrap_or(0));
        let endings = batch.endings.iter().enumerate().map(|(number, at)| {
            let stem = &self.plan.words[*at].stem;
            let terms = buckets(&aggregated[format!("endings{number}")]);
            let terms = terms
                .map(|(term, _)| term)
                .filter(|term| term.len() > stem.len());
            terms.map(Arc::from).collect()
        });
        let forms = batch.forms.iter().enumerate();
        let forms = forms
            .map(|(number, lookup)| self.forms(*lookup, &aggregated[format!("forms{number}")]));
        Ok(LookupResults {
            counts: counts.by_ref().take(batch.counts.len()).collect(),
            first_parts: counts.map(|documents| documents > 0).collect(),
            endings: endings.collect(),
            forms: forms.collect(),
            fuzzy: counted(self.searcher, candidates(&suggestions, &found["suggest"]))?,
        })
    }
}

/// Counts the documents of fuzzy terms, and leaves out those without any.
pub fn counted(
    searcher: &Searcher,
    mut candidates: Vec<(String, Vec<CountedTerm>)>,
) -> Result<Vec<Vec<CountedTerm>>, EngineError> {
    let filters = candidates
        .iter()
        .flat_map(|(field, terms)| terms.iter().map(|own| fuzzy_filter(field, &own.term)));
    let mut counts = searcher.count(filters.collect())?.into_iter();
    for own in candidates.iter_mut().flat_map(|(_, terms)| terms) {
        own.documents = counts.next().unwrap_or(0);
    }
    let living = candidates.into_iter().map(|(_, mut terms)| {
        terms.retain(|own| own.documents > 0);
        terms
    });
    Ok(living.collect())
}
