//! What codes decide in one segment regardless of words: additional or exclusive matches, and what comes before the
//! score.

use crate::EngineError;
use crate::embedded::expand::codes::ResolvedCode;
use crate::embedded::expand::resolve::Resolved;
use crate::embedded::postings::bits::Bits;
use crate::embedded::postings::lookups::live_documents;
use crate::embedded::postings::segment::SegmentView;
use crate::embedded::scale::Scale;
use domain::relevance::field::FieldId;
use query::Plan;
use query::breakdown::Tier;
use query::meaning::code_order::CodeOrder;
use std::collections::BTreeMap;
use tantivy::DocId;
use tantivy::postings::TermInfo;

/// Rank of documents in no tier.
const NO_TIER: u8 = Tier::ALL.len() as u8;

/// Ranks of the documents of one segment.
#[derive(Default)]
pub struct Ranks {
    /// Documents with a rank of their own, in order.
    ranked: Vec<(DocId, u8)>,
    /// Rank of all other documents.
    others: u8,
    /// Whether only ranked documents match.
    only: bool,
    /// Documents with a code that is a stop word of the query, in order.
    admitted: Vec<DocId>,
}

impl Ranks {
    /// Returns the ranks of segment number `at`.
    pub fn new(
        segment: &SegmentView,
        at: usize,
        plan: &Plan,
        resolved: &Resolved,
    ) -> Result<Self, EngineError> {
        let codes = SegmentCodes {
            segment,
            at,
            plan,
            resolved,
        };
        let ranks = Self {
            admitted: codes.stop_word_codes()?,
            ..Self::default()
        };
        match resolved.order {
            CodeOrder::None => Ok(ranks),
            CodeOrder::Tiers { only } => Ok(Self {
                ranked: codes.tiers()?,
                others: NO_TIER,
                only,
                ..ranks
            }),
            CodeOrder::List => Ok(Self {
                ranked: codes.listed()?,
                only: true,
                ..ranks
            }),
        }
    }

    /// Returns the rank of a document; the lowest comes first.
    pub fn of(&self, document: DocId) -> u8 {
        let index = self.ranked.binary_search_by_key(&document, |(d, _)| *d);
        index.map_or(self.others, |at| self.ranked[at].1)
    }

    /// Adds documents to the matches of a block, or keeps only documents with a rank.
    pub fn apply<S: Scale>(&self, start: DocId, found: &mut Bits<S>) {
        let end = start + S::BLOCK as DocId;
        if self.only {
            found.clear();
            let from = self
                .ranked
                .partition_point(|(document, _)| *document < start);
            let ranked = self.ranked[from..].iter().map(|(document, _)| *document);
            ranked
                .take_while(|document| *document < end)
                .for_each(|document| found.set((document - start) as usize));
            return;
        }
        let from = self.admitted.partition_point(|document| *document < start);
        let admitted = self.admitted[from..].iter();
        admitted
            .take_while(|document| **document < end)
            .for_each(|document| found.set((document - start) as usize));
    }
}

/// The codes of a query in one segment.
struct SegmentCodes<'a> {
    segment: &'a SegmentView,
    at: usize,
    plan: &'a Plan,
    resolved: &'a Resolved,
}

impl SegmentCodes<'_> {
    /// Returns the live documents with a code in a searched field.
    fn documents_with(
        &self,
        code: &ResolvedCode,
    ) -> Result<impl Iterator<Item = DocId>, EngineError> {
        let searched = code.exact[self.at]
            .iter()
            .filter(|(field, _)| self.plan.searches(*field));
        let lists: Vec<(FieldId, TermInfo)> = searched.cloned().collect();
        Ok(live_documents(self.segment, &lists)?.into_iter())
    }

    fn stop_word_codes(&self) -> Result<Vec<DocId>, EngineError> {
        let mut documents = Vec::new();
        for code in &self.resolved.clauses.admitting {
            documents.extend(self.documents_with(&self.resolved.codes[*code])?);
        }
        documents.sort_unstable();
        documents.dedup();
        Ok(documents)
    }

    fn listed(&self) -> Result<Vec<(DocId, u8)>, EngineError> {
        let mut ranked = BTreeMap::new();
        for (rank, resolved) in (0..).zip(&self.resolved.codes) {
            for document in self.documents_with(resolved)? {
                ranked.entry(document).or_insert(rank);
            }
        }
        Ok(ranked.into_iter().collect())
    }

    fn tiers(&self) -> Result<Vec<(DocId, u8)>, EngineError> {
        let mut ranked = BTreeMap::new();
        for code in &self.resolved.clauses.bonuses.exact_code.codes {
            let resolved = &self.resolved.codes[*code];
            let mut note = |tier: Tier, document: DocId| {
                let rank = ranked.entry(document).or_insert(NO_TIER);
                *rank = (*rank).min(tier as u8);
            };
            self.documents_with(resolved)?
                .for_each(|d| note(Tier::Exact, d));
            for substring in resolved.substrings.get(self.at).into_iter().flatten() {
                substring.starts.iter().for_each(|d| note(Tier::Starts, *d));
                substring.all.iter().for_each(|d| note(Tier::Contains, *d));
            }
            for (fuzzy, info) in resolved.fuzzy_in(self.at) {
                let list = [(fuzzy.field, info.clone())];
                let documents = live_documents(self.segment, &list)?;
                documents.into_iter().for_each(|d| note(Tier::Typo, d));
            }
        }
        Ok(ranked.into_iter().collect())
    }
}
