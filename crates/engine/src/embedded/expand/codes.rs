//! Looks up a part of the query as a code: the documents that have the code, a fuzzy match of it, or it as a substring.

use super::fuzzy_terms::{FuzzyTerm, fuzzy_codes};
use super::substrings::substring_documents_of;
use crate::EngineError;
use crate::embedded::postings::lookups::{live_documents, term};
use crate::embedded::postings::segment::SegmentView;
use domain::relevance::field::FieldId;
use query::Plan;
use query::plan::PlanCode;
use query::scoring::FUZZY_TERMS_MAX;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use tantivy::DocId;
use tantivy::postings::TermInfo;

/// A part of the query as a code.
#[derive(Default)]
pub struct ResolvedCode {
    /// Its posting lists, by segment and field.
    pub exact: Vec<Vec<(FieldId, TermInfo)>>,
    /// Codes at an edit distance of 1, by field.
    pub fuzzy_terms: Vec<(FieldId, FuzzyTerm)>,
    /// Documents with a code that contains it, by segment; empty if the whole code must match.
    pub substrings: Vec<Vec<SubstringMatches>>,
    /// Documents that have the code.
    pub documents: u64,
    /// Whether a searched field has the code; only set for lists of codes.
    pub is_listed: bool,
    /// Documents that have the commonest of the fuzzy matches.
    pub fuzzy_documents: u64,
    /// Documents that have it as a substring of a code.
    pub substring_documents: u64,
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

impl ResolvedCode {
    /// Looks up `code` in `segments`.
    pub fn new(
        segments: &[SegmentView],
        plan: &Plan,
        code: &PlanCode,
    ) -> Result<Self, EngineError> {
        let mut resolved = Self::default();
        for segment in segments {
            let exact = exact(segment, code)?;
            resolved.documents += live_documents(segment, &exact)?.len() as u64;
            if plan.listed {
                let searched = exact.iter().filter(|(field, _)| plan.searches(*field));
                let lists: Vec<_> = searched.cloned().collect();
                resolved.is_listed |= !live_documents(segment, &lists)?.is_empty();
            }
            resolved.exact.push(exact);
            if code.substring {
                resolved.add_substrings(segment, plan, code)?;
            }
        }
        for field in FieldId::codes().filter(|field| plan.searches(*field)) {
            let (fuzzy, commonest) = counted_fuzzy_codes(segments, plan, code, field)?;
            resolved.fuzzy_documents = resolved.fuzzy_documents.max(commonest);
            let fuzzy = fuzzy.into_iter().map(|fuzzy_term| (field, fuzzy_term));
            resolved.fuzzy_terms.extend(fuzzy);
        }
        Ok(resolved)
    }

    fn add_substrings(
        &mut self,
        segment: &SegmentView,
        plan: &Plan,
        code: &PlanCode,
    ) -> Result<(), EngineError> {
        let mut documents = BTreeSet::new();
        let mut substrings = Vec::new();
        for matches in substring_documents_of(segment, &code.spelling)? {
            if plan.searches(matches.field) {
                documents.extend(matches.all.iter().copied());
                substrings.push(SubstringMatches {
                    field: matches.field,
                    all: matches.all.into(),
                    starts: matches.starts,
                });
            }
        }
        self.substring_documents += documents.len() as u64;
        self.substrings.push(substrings);
        Ok(())
    }
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

/// Returns the codes at an edit distance of 1 in one field, and the number of documents of the commonest.
pub fn counted_fuzzy_codes(
    segments: &[SegmentView],
    plan: &Plan,
    code: &PlanCode,
    field: FieldId,
) -> Result<(Vec<FuzzyTerm>, u64), EngineError> {
    let mut fuzzy: BTreeMap<Arc<str>, FuzzyTerm> = BTreeMap::new();
    for form in code.tolerant_forms(field) {
        let dictionaries = segments.iter().map(|segment| segment.terms(field));
        let fuzzy_terms = fuzzy_codes(form, 1, plan.typo_prefix, dictionaries)?;
        fuzzy.extend(
            fuzzy_terms
                .into_iter()
                .map(|fuzzy_term| (Arc::clone(&fuzzy_term.term), fuzzy_term)),
        );
    }
    let mut counted = Vec::new();
    for fuzzy_term in fuzzy.into_values() {
        let mut documents = 0;
        for (segment, postings) in segments.iter().zip(&fuzzy_term.postings) {
            if let Some(info) = postings {
                documents += live_documents(segment, &[(field, info.clone())])?.len() as u64;
            }
        }
        if documents > 0 {
            counted.push((documents, fuzzy_term));
        }
    }
    counted.sort_by(|(a, a_term), (b, b_term)| (b, &a_term.term).cmp(&(a, &b_term.term)));
    counted.truncate(FUZZY_TERMS_MAX);
    let commonest = counted.first().map_or(0, |(documents, _)| *documents);
    let fuzzy = counted.into_iter().map(|(_, fuzzy_term)| fuzzy_term);
    Ok((fuzzy.collect(), commonest))
}
