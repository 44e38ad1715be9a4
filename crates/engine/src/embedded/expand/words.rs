//! Looks up a word: the documents that contain its stem, its fuzzy terms, and longer words.

use super::codes::CodeLookup;
use super::fuzzy_terms::{FuzzyTerm, fuzzy_stems, prefix_postings};
use crate::EngineError;
use crate::embedded::postings::lookups::{SegmentTermInfos, live_documents, terms};
use crate::embedded::postings::posting_sources::open;
use crate::embedded::postings::segment::SegmentView;
use crate::embedded::postings::text_index::TextIndex;
use crate::embedded::postings::vocabulary::ComparedWord;
use query::Plan;
use query::meaning::lookups::{CountedTerm, matches_prefixes, matches_substrings};
use query::meaning::{AlternativeTerm, WordMeaning};
use query::plan::PlanWord;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use tantivy::InvertedIndexReader;
use tantivy::postings::TermInfo;

/// A word of a plan with its posting lists.
pub struct ResolvedWord {
    /// What it means.
    pub meaning: WordMeaning,
    /// The posting list of its stem, by segment.
    pub stems: SegmentTermInfos,
    /// The posting lists of the terms of its meaning, in their order.
    pub terms: Vec<SegmentTermInfos>,
    /// The posting lists of longer words that start with the word, by segment.
    pub prefixes: Vec<LongerPostings>,
    /// The posting lists of longer words that contain the word, by segment.
    pub substrings: Vec<LongerPostings>,
}

/// The posting lists of longer words in one segment, with their lengths in characters.
pub type LongerPostings = Vec<(usize, TermInfo)>;

/// A word as it was looked up.
pub struct WordLookup {
    stems: SegmentTermInfos,
    /// Its fuzzy terms, in the order in which its meaning has them.
    fuzzy: Vec<FuzzyTerm>,
    prefixes: Vec<LongerPostings>,
    substrings: Vec<LongerPostings>,
}

impl ResolvedWord {
    /// Returns the terms in segment number `at` that may replace the word, each with its number among the alternatives and
    /// its posting list.
    pub fn terms_in(
        &self,
        at: usize,
    ) -> impl Iterator<Item = (usize, &AlternativeTerm, &TermInfo)> {
        let terms = self.meaning.terms.iter().zip(&self.terms).enumerate();
        terms.filter_map(move |(number, (term, postings))| {
            Some((number, term, postings[at].as_ref()?))
        })
    }
}

impl WordLookup {
    /// Looks up `word`, without fuzzy terms.
    pub fn new(
        segments: &[SegmentView],
        plan: &Plan,
        word: &PlanWord,
    ) -> Result<Self, EngineError> {
        let longer = |wanted: bool, reader: fn(&SegmentView) -> &Arc<InvertedIndexReader>| {
            let lists = segments.iter().map(|segment| match wanted {
                true => prefix_postings(reader(segment), &word.folded),
                false => Ok(Vec::new()),
            });
            lists.collect::<Result<Vec<_>, _>>()
        };
        Ok(Self {
            stems: terms(segments, &word.stem)?,
            fuzzy: Vec::new(),
            prefixes: longer(matches_prefixes(plan, word), SegmentView::prefixes)?,
            substrings: longer(matches_substrings(plan, word), SegmentView::substrings)?,
        })
    }

    /// Counts the documents that contain the `stem` of the word, or have one of the `codes` that cover it.
    pub fn documents<'a>(
        &self,
        texts: &TextIndex,
        stem: &str,
        codes: impl Iterator<Item = &'a CodeLookup> + Clone,
    ) -> Result<u64, EngineError> {
        let with_stem = texts.documents_with(stem, &self.stems)?;
        Ok(with_stem + self.documents_by_codes_only(&texts.segments, codes)?)
    }

    /// Counts the live documents that have a code and do not contain the stem.
    fn documents_by_codes_only<'a>(
        &self,
        segments: &[SegmentView],
        codes: impl Iterator<Item = &'a CodeLookup> + Clone,
    ) -> Result<u64, EngineError> {
        let mut more = 0;
        for (at, segment) in segments.iter().enumerate() {
            let mut documents = BTreeSet::new();
            for code in codes.clone() {
                documents.extend(live_documents(segment, code.exact(at))?);
            }
            if documents.is_empty() {
                continue;
            }
            let mut with_stem = self.stems[at]
                .as_ref()
                .map(|info| open(segment.stems(), info))
                .transpose()?;
            for document in documents {
                let held = with_stem
                    .as_mut()
                    .is_some_and(|cursor| cursor.frequency(document).is_some());
                more += u64::from(!held);
            }
        }
        Ok(more)
    }

    /// Counts the live documents whose name contains a longer word that starts with or contains the word.
    pub fn longer_documents(&self, segments: &[SegmentView]) -> Result<u64, EngineError> {
        let mut count = 0;
        for (at, segment) in segments.iter().enumerate() {
            let mut documents = BTreeSet::new();
            let prefixes = self.prefixes[at]
                .iter()
                .map(|(_, info)| (segment.prefixes(), info));
            let substrings = self.substrings[at]
                .iter()
                .map(|(_, info)| (segment.substrings(), info));
            for (reader, info) in prefixes.chain(substrings) {
                open(reader, info)?.visit_before(segment.reader.max_doc(), |document, _| {
                    if segment.is_alive(document) {
                        documents.insert(document);
                    }
                });
            }
            count += documents.len() as u64;
        }
        Ok(count)
    }

    /// Finds and keeps the fuzzy terms of `word`, the looked-up word, that a document contains.
    pub fn find_fuzzy(
        &mut self,
        texts: &TextIndex,
        plan: &Plan,
        word: &PlanWord,
    ) -> Result<Vec<CountedTerm>, EngineError> {
        let compared = ComparedWord::new(&word.stem, word.typos, plan.typo_prefix);
        self.fuzzy = fuzzy_stems(texts, &compared)?;
        let counted = self.fuzzy.iter().map(|fuzzy| fuzzy.counted.clone());
        Ok(counted.collect())
    }

    /// Returns the word with its `meaning`, of which `compounds` has the terms that are compounds or their parts.
    pub fn resolved(
        self,
        meaning: WordMeaning,
        compounds: &BTreeMap<Arc<str>, SegmentTermInfos>,
    ) -> ResolvedWord {
        let mut fuzzy = self.fuzzy.into_iter();
        let mut postings = |own: &AlternativeTerm| match own.distance {
            0 => compounds.get(&own.term).cloned(),
            _ => fuzzy
                .find(|found| found.counted.term == own.term)
                .map(|found| found.postings),
        };
        let terms = meaning.terms.iter();
        let terms = terms.map(|own| postings(own).unwrap_or_else(|| vec![None; self.stems.len()]));
        ResolvedWord {
            terms: terms.collect(),
            meaning,
            stems: self.stems,
            prefixes: self.prefixes,
            substrings: self.substrings,
        }
    }
}
