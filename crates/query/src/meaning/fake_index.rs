//! An index that only knows numbers, and queries whose meaning in it is tested.

use super::lookups::{
    CountedTerm, DocumentSet, FormsFound, FuzzyLookup, LookupBatch, LookupResults, Lookups,
};
use super::{Meaning, WordMeaning};
use crate::analysis::Analyser;
use crate::plan::Plan;
use crate::synonyms::SynonymTerms;
use crate::{MistypedWords, SynonymSet, UserQuery};
use domain::document::DocType;
use domain::relevance::Relevance;
use domain::{Language, TriggerAlternatives};
use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;
use std::sync::Arc;

/// Documents of the index.
pub const DOCUMENTS: u64 = 5_000;

/// An index that only knows numbers.
#[derive(Clone, Default)]
pub struct FakeIndex {
    /// Stems with their documents.
    pub stems: BTreeMap<&'static str, u64>,
    /// Fuzzy terms with distance and documents, by stem.
    pub fuzzy: BTreeMap<&'static str, Vec<(String, u32, u64)>>,
    /// Documents that have each code.
    pub codes: BTreeMap<&'static str, u64>,
    /// Codes at edit distance 1 in the field of references, by code.
    pub fuzzy_codes: BTreeMap<&'static str, Vec<(String, u64)>>,
    /// Documents that have each code as a substring.
    pub substrings: BTreeMap<&'static str, u64>,
    /// Documents whose name has a longer word, by folded word.
    pub longer: BTreeMap<&'static str, u64>,
    /// Stems whose documents contain the typed word and another one.
    pub other_words: BTreeSet<&'static str>,
}

/// A plan in the index, with the batches that were looked up.
struct FakeLookups<'a> {
    index: &'a FakeIndex,
    plan: &'a Plan,
    analyser: &'a Analyser,
    batches: Vec<LookupBatch>,
}

fn of(map: &BTreeMap<&'static str, u64>, key: &str) -> u64 {
    map.get(key).copied().unwrap_or(0)
}

impl FakeLookups<'_> {
    fn count(&self, count: &DocumentSet) -> u64 {
        let (index, plan) = (self.index, self.plan);
        let code = |at: &usize| plan.codes[*at].spelling.as_str();
        match count {
            DocumentSet::All => DOCUMENTS,
            DocumentSet::Word(at) => of(&index.stems, &plan.words[*at].stem),
            DocumentSet::Stem(stem) => of(&index.stems, stem),
            DocumentSet::LongerWords(at) => of(&index.longer, &plan.words[*at].folded),
            DocumentSet::Synonym(at) => {
                let words = plan.synonyms[*at].words.iter();
                let words = words.map(|word| of(&index.stems, &word.stem));
                words.min().unwrap_or(0)
            }
            DocumentSet::Code(at) | DocumentSet::SearchedCode(at) => of(&index.codes, code(at)),
            DocumentSet::CodeSubstring(at) => of(&index.substrings, code(at)),
        }
    }

    fn fuzzy(&self, lookup: FuzzyLookup) -> Vec<CountedTerm> {
        let term = |term: &str, distance, documents| CountedTerm {
            term: term.into(),
            distance,
            documents,
        };
        match lookup {
            FuzzyLookup::Word(at) => {
                let found = self.index.fuzzy.get(self.plan.words[at].stem.as_str());
                let found = found.into_iter().flatten();
                found
                    .map(|(stem, distance, n)| term(stem, *distance, *n))
                    .collect()
            }
            FuzzyLookup::Code(at, field) if ["reference", "ean13"].contains(&field.name()) => {
                let found = self
                    .index
                    .fuzzy_codes
                    .get(self.plan.codes[at].spelling.as_str());
                let found = found.into_iter().flatten();
                found.map(|(code, n)| term(code, 1, *n)).collect()
            }
            FuzzyLookup::Code(..) => Vec::new(),
        }
    }

    fn endings(&self, at: usize) -> Vec<Arc<str>> {
        let end = self.plan.words[at].stem.as_str();
        let stems = self.index.stems.keys();
        let longer = stems.filter(|stem| stem.ends_with(end) && stem.len() > end.len());
        longer.map(|stem| (*stem).into()).collect()
    }

    fn is_first_part(&self, head: &str) -> bool {
        let mut stems = self.analyser.first_part_stems(head);
        stems.any(|stem| of(&self.index.stems, &stem) > 0)
    }
}

impl Lookups for FakeLookups<'_> {
    type Error = Infallible;

    fn look_up(&mut self, batch: &LookupBatch) -> Result<LookupResults, Infallible> {
        assert!(
            !batch.is_empty(),
            "an empty batch would be a request for nothing"
        );
        self.batches.push(batch.clone());
        let first_parts = batch.first_parts.iter();
        let forms = batch.forms.iter().map(|lookup| FormsFound {
            same: true,
            others: (self.index.other_words).contains(self.plan.words[lookup.word].stem.as_str()),
        });
        Ok(LookupResults {
            forms: forms.collect(),
            counts: batch.counts.iter().map(|count| self.count(count)).collect(),
            fuzzy: batch
                .fuzzy
                .iter()
                .map(|lookup| self.fuzzy(*lookup))
                .collect(),
            endings: batch.endings.iter().map(|at| self.endings(*at)).collect(),
            first_parts: first_parts.map(|head| self.is_first_part(head)).collect(),
        })
    }
}

/// A query with everything that it is compiled from.
pub struct Query {
    pub text: &'static str,
    pub language: &'static str,
    pub synonyms: &'static [&'static str],
    pub relevance: Relevance,
}

/// Returns a query in English under the default relevance.
pub fn query(text: &'static str) -> Query {
    Query {
        text,
        language: "en",
        synonyms: &[],
        relevance: Relevance::default(),
    }
}

impl Query {
    /// Returns the meaning of the query in `index`, and the batches that it took.
    pub fn meaning(&self, index: &FakeIndex) -> (Meaning, Vec<LookupBatch>) {
        let (_, meaning, batches) = self.look_up(index);
        (meaning, batches)
    }

    /// Returns the plan of the query, its meaning in `index`, and the batches that it took.
    pub fn look_up(&self, index: &FakeIndex) -> (Plan, Meaning, Vec<LookupBatch>) {
        let analyser = Analyser::new(&Language::parse(self.language).expect("a language"));
        let settings = &self.relevance.search_settings;
        let mut query = UserQuery::new(self.text, &analyser, settings);
        let terms: Vec<String> = self
            .synonyms
            .iter()
            .map(|term| (*term).to_owned())
            .collect();
        if let Some((input, terms)) = terms.split_first() {
            let group = SynonymTerms {
                id: "group",
                input: Some(input),
                terms,
                alternatives: TriggerAlternatives::default(),
            };
            query = query.with_synonyms(
                &SynonymSet::new([group], &analyser),
                &analyser,
                &MistypedWords::default(),
            );
        }
        let plan = Plan::new(&query, &self.relevance, DocType::Products);
        let mut lookups = FakeLookups {
            index,
            plan: &plan,
            analyser: &analyser,
            batches: Vec::new(),
        };
        let Ok(meaning) = Meaning::of(&plan, &analyser, &mut lookups);
        let batches = lookups.batches;
        (plan, meaning, batches)
    }

    /// Returns the meaning of the only word.
    pub fn word(&self, index: &FakeIndex) -> WordMeaning {
        let (mut meaning, _) = self.meaning(index);
        assert_eq!(meaning.words.len(), 1);
        meaning.words.remove(0)
    }
}
