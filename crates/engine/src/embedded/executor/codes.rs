//! What a part of the question is as a code: who has it, who has one near it, and who has it as a part.

use super::super::segment::SegmentView;
use super::expansion::{FuzzyTerm, near_terms};
use super::resolve::{live_documents, term};
use super::substrings::part_holders;
use crate::EngineError;
use domain::relevance::field::FieldId;
use query::Plan;
use query::plan::PlanCode;
use query::scoring::TYPO_ALTERNATIVES_MAX;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use tantivy::DocId;
use tantivy::postings::TermInfo;

/// One part of the question as a code.
#[derive(Default)]
pub struct ResolvedCode {
    /// Its lists, by segment and field.
    pub exact: Vec<Vec<(FieldId, TermInfo)>>,
    /// Codes one letter away, by field.
    pub typos: Vec<(FieldId, FuzzyTerm)>,
    /// Documents with a code that holds it, by segment; empty where a code must match whole.
    pub parts: Vec<Vec<SubstringMatches>>,
    /// Documents that have it.
    pub documents: u64,
    /// Whether a searched field has it; known only in lists of codes.
    pub is_listed: bool,
    /// Documents that have the commonest of the codes near it.
    pub typo_documents: u64,
    /// Documents that have it as a part of a code.
    pub part_documents: u64,
}

/// Documents of one segment with a part of a code in one field.
pub struct SubstringMatches {
    /// The field.
    pub field: FieldId,
    /// All of them.
    pub all: Arc<[DocId]>,
    /// Those with a code that starts so.
    pub starts: Vec<DocId>,
}

impl ResolvedCode {
    /// What `code` is in `segments`.
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
            if code.part {
                resolved.add_parts(segment, plan, code)?;
            }
        }
        for field in FieldId::codes().filter(|field| plan.searches(*field)) {
            let (near, commonest) = code_typos(segments, plan, code, field)?;
            resolved.typo_documents = resolved.typo_documents.max(commonest);
            let near = near.into_iter().map(|typo| (field, typo));
            resolved.typos.extend(near);
        }
        Ok(resolved)
    }

    fn add_parts(
        &mut self,
        segment: &SegmentView,
        plan: &Plan,
        code: &PlanCode,
    ) -> Result<(), EngineError> {
        let mut documents = BTreeSet::new();
        let mut parts = Vec::new();
        for holders in part_holders(segment, &code.spelled)? {
            if plan.searches(holders.field) {
                documents.extend(holders.all.iter().copied());
                parts.push(SubstringMatches {
                    field: holders.field,
                    all: holders.all.into(),
                    starts: holders.starts,
                });
            }
        }
        self.part_documents += documents.len() as u64;
        self.parts.push(parts);
        Ok(())
    }
}

/// The lists of a code in one segment, by field.
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

/// The codes one letter away in one field, and the documents of the commonest.
pub fn code_typos(
    segments: &[SegmentView],
    plan: &Plan,
    code: &PlanCode,
    field: FieldId,
) -> Result<(Vec<FuzzyTerm>, u64), EngineError> {
    let mut near: BTreeMap<Arc<str>, FuzzyTerm> = BTreeMap::new();
    for form in code.tolerant_forms(field) {
        let dictionaries = segments.iter().map(|segment| segment.terms(field));
        let typos = near_terms(form, 1, plan.typo_prefix, dictionaries)?;
        near.extend(typos.into_iter().map(|typo| (Arc::clone(&typo.term), typo)));
    }
    let mut counted = Vec::new();
    for typo in near.into_values() {
        let mut documents = 0;
        for (segment, place) in segments.iter().zip(&typo.places) {
            if let Some(info) = place {
                documents += live_documents(segment, &[(field, info.clone())])?.len() as u64;
            }
        }
        if documents > 0 {
            counted.push((documents, typo));
        }
    }
    counted.sort_by(|(a, a_typo), (b, b_typo)| (b, &a_typo.term).cmp(&(a, &b_typo.term)));
    counted.truncate(TYPO_ALTERNATIVES_MAX);
    let commonest = counted.first().map_or(0, |(documents, _)| *documents);
    let near = counted.into_iter().map(|(_, typo)| typo);
    Ok((near.collect(), commonest))
}
