//! Looks up a part of the query as a code: the documents that have the code, a fuzzy match of it, or it as a substring.

use super::fuzzy_terms::{FuzzyTerm, fuzzy_codes};
use super::substrings::substring_documents_of;
use crate::EngineError;
use crate::embedded::postings::lookups::{SegmentTermInfos, live_documents, term};
use crate::embedded::postings::segment::SegmentView;
use domain::relevance::field::FieldId;
use query::Plan;
use query::meaning::lookups::{CountedTerm, keep_nearest};
use query::meaning::{CodeMeaning, FuzzyCode};
use query::plan::PlanCode;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use tantivy::DocId;
use tantivy::postings::TermInfo;

/// A part of the query as a code.
pub struct ResolvedCode {
    /// What it means.
    pub meaning: CodeMeaning,
    /// Its posting lists, by segment and field.
    pub exact: Vec<Vec<(FieldId, TermInfo)>>,
    /// The posting lists of the fuzzy codes of its meaning, in their order.
    pub fuzzy: Vec<SegmentTermInfos>,
    /// Documents with a code that contains it, by segment; empty if the whole code must match.
    pub substrings: Vec<Vec<SubstringMatches>>,
}

impl ResolvedCode {
    /// Returns the fuzzy codes in segment number `at`, each with its posting list.
    pub fn fuzzy_in(&self, at: usize) -> impl Iterator<Item = (&FuzzyCode, &TermInfo)> {
        let codes = self.meaning.fuzzy.iter().zip(&self.fuzzy);
        codes.filter_map(move |(code, postings)| Some((code, postings[at].as_ref()?)))
    }
}

/// Documents of one segment with a substring of a code in one field.
pub struct SubstringMatches {
    /// The field.
    pub field: FieldId,
    /// All documents.
    pub all: Arc<[DocId]>,
    /// Documents with a code that starts with the substring.
    pub starts: Vec<DocId>,
}

/// A code as it was looked up.
pub struct CodeLookup {
    /// Its posting lists, by segment and field.
    exact: Vec<Vec<(FieldId, TermInfo)>>,
    /// The codes at an edit distance of 1, in the order in which its meaning has them.
    fuzzy: Vec<(FieldId, FuzzyTerm)>,
    substrings: Vec<Vec<SubstringMatches>>,
}

impl CodeLookup {
    /// Looks up `code` in `segments`, without fuzzy codes.
    pub fn new(
        segments: &[SegmentView],
        plan: &Plan,
        code: &PlanCode,
    ) -> Result<Self, EngineError> {
        let exact = segments.iter().map(|segment| exact(segment, code));
        let substrings = segments.iter().filter(|_| code.substring);
        let substrings = substrings.map(|segment| substrings_in(segment, plan, code));
        Ok(Self {
            exact: exact.collect::<Result<_, _>>()?,
            fuzzy: Vec::new(),
            substrings: substrings.collect::<Result<_, _>>()?,
        })
    }

    /// Returns its posting lists in segment number `at`, by field.
    pub fn exact(&self, at: usize) -> &[(FieldId, TermInfo)] {
        &self.exact[at]
    }

    /// Counts the live documents that have it in one of the `fields`.
    pub fn documents(
        &self,
        segments: &[SegmentView],
        fields: impl Fn(FieldId) -> bool,
    ) -> Result<u64, EngineError> {
        let mut documents = 0;
        for (segment, lists) in segments.iter().zip(&self.exact) {
            let own = lists.iter().filter(|(field, _)| fields(*field));
            let own: Vec<_> = own.cloned().collect();
            documents += live_documents(segment, &own)?.len() as u64;
        }
        Ok(documents)
    }

    /// Counts the live documents that have it as a substring of a code.
    pub fn substring_documents(&self) -> u64 {
        let segments = self.substrings.iter().map(|matches| {
            let all = matches.iter().flat_map(|of| of.all.iter());
            all.collect::<BTreeSet<_>>().len() as u64
        });
        segments.sum()
    }

    /// Keeps the codes at an edit distance of 1 in a `field`, and returns them.
    pub fn add_fuzzy(&mut self, field: FieldId, fuzzy: Vec<FuzzyTerm>) -> Vec<CountedTerm> {
        let counted = fuzzy.iter().map(|term| term.counted.clone()).collect();
        let fuzzy = fuzzy.into_iter().map(|term| (field, term));
        self.fuzzy.extend(fuzzy);
        counted
    }

    /// Returns the code with its `meaning`.
    pub fn resolved(self, meaning: CodeMeaning) -> ResolvedCode {
        let mut fuzzy = self.fuzzy.into_iter();
        let mut postings = |code: &FuzzyCode| {
            let same = |(field, found): &(FieldId, FuzzyTerm)| {
                *field == code.field && found.counted.term == code.term
            };
            fuzzy.find(same).map(|(_, found)| found.postings)
        };
        let codes = meaning.fuzzy.iter();
        let codes =
            codes.map(|code| postings(code).unwrap_or_else(|| vec![None; self.exact.len()]));
        ResolvedCode {
            fuzzy: codes.collect(),
            exact: self.exact,
            substrings: self.substrings,
            meaning,
        }
    }
}

fn substrings_in(
    segment: &SegmentView,
    plan: &Plan,
    code: &PlanCode,
) -> Result<Vec<SubstringMatches>, EngineError> {
    let matches = substring_documents_of(segment, &code.spelling)?.into_iter();
    let searched = matches.filter(|matches| plan.searches(matches.field));
    let shared = searched.map(|matches| SubstringMatches {
        field: matches.field,
        all: matches.all.into(),
        starts: matches.starts,
    });
    Ok(shared.collect())
}

/// Returns the posting lists of a code in one segment, by field.
pub fn exact(
    segment: &SegmentView,
    code: &PlanCode,
) -> Result<Vec<(FieldId, TermInfo)>, EngineError> {
    let mut exact = Vec::new();
    for field in FieldId::codes() {
        if let Some(info) = term(segment, field, code.term(field))? {
            exact.push((field, info));
        }
    }
    Ok(exact)
}

/// Returns the codes at an edit distance of 1 in one field that count, in the order of [`keep_nearest`].
pub fn counted_fuzzy_codes(
    segments: &[SegmentView],
    plan: &Plan,
    code: &PlanCode,
    field: FieldId,
) -> Result<Vec<FuzzyTerm>, EngineError> {
    let mut fuzzy: BTreeMap<Arc<str>, FuzzyTerm> = BTreeMap::new();
    for form in code.tolerant_forms(field) {
        let dictionaries = segments.iter().map(|segment| segment.terms(field));
        let found = fuzzy_codes(form, 1, plan.typo_prefix, dictionaries)?;
        let found = found.into_iter();
        fuzzy.extend(found.map(|term| (Arc::clone(&term.counted.term), term)));
    }
    let mut counted = Vec::new();
    for mut term in fuzzy.into_values() {
        for (segment, postings) in segments.iter().zip(&term.postings) {
            if let Some(info) = postings {
                let live = live_documents(segment, &[(field, info.clone())])?;
                term.counted.documents += live.len() as u64;
            }
        }
        if term.counted.documents > 0 {
            counted.push(term);
        }
    }
    keep_nearest(&mut counted, |fuzzy| fuzzy.counted.nearness());
    Ok(counted)
}
