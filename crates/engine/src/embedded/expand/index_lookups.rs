//! Looks up the words, codes and synonyms of a plan in the index, and keeps the posting lists that it finds.
//!
//! It says how many documents contain what, and which terms there are; `query::meaning` decides what they mean.

use super::codes::{CodeLookup, counted_fuzzy_codes};
use super::compounds::{is_first_part, longer_stems};
use super::synonyms::ResolvedSynonym;
use super::words::WordLookup;
use crate::EngineError;
use crate::embedded::postings::forms::SameForms;
use crate::embedded::postings::lookups::{SegmentTermInfos, terms};
use crate::embedded::postings::text_index::TextIndex;
use query::Plan;
use query::meaning::lookups::{
    CountedTerm, DocumentSet, FormsBy, FormsFound, FormsLookup, FuzzyLookup, LookupBatch,
    LookupResults, Lookups,
};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A plan that is looked up in an index.
pub struct IndexLookups<'a> {
    texts: &'a TextIndex,
    plan: &'a Plan,
    /// The words, in the order of the plan.
    pub words: Vec<WordLookup>,
    /// The codes, in the order of the plan.
    pub codes: Vec<CodeLookup>,
    /// The synonyms, in the order of the plan.
    pub synonyms: Vec<ResolvedSynonym>,
    /// The stems that were counted: compounds and parts of compounds.
    pub stems: BTreeMap<Arc<str>, SegmentTermInfos>,
}

impl<'a> IndexLookups<'a> {
    /// Looks up the words, codes and synonyms of `plan` themselves in `texts`.
    pub fn new(texts: &'a TextIndex, plan: &'a Plan) -> Result<Self, EngineError> {
        let segments = &texts.segments;
        let codes = plan.codes.iter();
        let codes = codes.map(|code| CodeLookup::new(segments, plan, code));
        let synonyms = plan.synonyms.iter();
        let synonyms = synonyms.map(|synonym| ResolvedSynonym::new(texts, plan, synonym));
        let words = plan.words.iter();
        let words = words.map(|word| WordLookup::new(segments, plan, word));
        Ok(Self {
            texts,
            plan,
            codes: codes.collect::<Result<_, _>>()?,
            synonyms: synonyms.collect::<Result<_, _>>()?,
            words: words.collect::<Result<_, _>>()?,
            stems: BTreeMap::new(),
        })
    }

    fn count(&mut self, count: &DocumentSet) -> Result<u64, EngineError> {
        let texts = self.texts;
        let segments = &texts.segments;
        match count {
            DocumentSet::All => Ok(texts.searcher.num_docs()),
            DocumentSet::Word(at) => {
                let codes = self.plan.codes.iter().zip(&self.codes);
                let covering = codes.filter(|(code, _)| code.words.contains(at));
                let stem = &self.plan.words[*at].stem;
                self.words[*at].documents(texts, stem, covering.map(|(_, own)| own))
            }
            DocumentSet::Stem(stem) => {
                let postings = terms(segments, stem)?;
                let documents = texts.documents_with(stem, &postings)?;
                self.stems.insert(Arc::clone(stem), postings);
                Ok(documents)
            }
            DocumentSet::LongerWords(at) => self.words[*at].longer_documents(segments),
            DocumentSet::Synonym(at) => Ok(self.synonyms[*at].documents),
            DocumentSet::Code(at) => self.codes[*at].documents(segments, |_| true),
            DocumentSet::SearchedCode(at) => {
                self.codes[*at].documents(segments, |field| self.plan.searches(field))
            }
            DocumentSet::CodeSubstring(at) => Ok(self.codes[*at].substring_documents()),
        }
    }

    fn forms(&self, lookup: FormsLookup) -> Result<FormsFound, EngineError> {
        let word = &self.plan.words[lookup.word];
        let Some(same) = &word.same_word else {
            return Ok(FormsFound::default());
        };
        let (forms, accented) = match lookup.by {
            FormsBy::Writing => (&same.written, false),
            FormsBy::Folding => (&same.folded, true),
        };
        self.texts.forms(SameForms {
            stem: word.stem.clone(),
            forms: forms.clone(),
            accented,
        })
    }

    fn fuzzy(&mut self, lookup: FuzzyLookup) -> Result<Vec<CountedTerm>, EngineError> {
        let (texts, plan) = (self.texts, self.plan);
        match lookup {
            FuzzyLookup::Word(at) => self.words[at].find_fuzzy(texts, plan, &plan.words[at]),
            FuzzyLookup::Code(at, field) => {
                let fuzzy = counted_fuzzy_codes(&texts.segments, plan, &plan.codes[at], field)?;
                Ok(self.codes[at].add_fuzzy(field, fuzzy))
            }
        }
    }
}

impl Lookups for IndexLookups<'_> {
    type Error = EngineError;

    fn look_up(&mut self, batch: &LookupBatch) -> Result<LookupResults, EngineError> {
        let (texts, plan) = (self.texts, self.plan);
        let counts = batch.counts.iter().map(|count| self.count(count));
        let counts = counts.collect::<Result<_, _>>()?;
        let fuzzy = batch.fuzzy.iter().map(|lookup| self.fuzzy(*lookup));
        let fuzzy = fuzzy.collect::<Result<_, _>>()?;
        let endings = batch.endings.iter();
        let endings = endings.map(|at| longer_stems(texts, &plan.words[*at].stem));
        let first_parts = batch.first_parts.iter();
        let first_parts = first_parts.map(|head| is_first_part(texts, head));
        Ok(LookupResults {
            counts,
            fuzzy,
            endings: endings.collect::<Result<_, _>>()?,
            first_parts: first_parts.collect::<Result<_, _>>()?,
            forms: (batch.forms.iter().map(|lookup| self.forms(*lookup)))
                .collect::<Result<_, _>>()?,
        })
    }
}
