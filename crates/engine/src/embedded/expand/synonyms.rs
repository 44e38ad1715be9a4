//! Synonyms in the index: the documents that contain one.
//!
//! A synonym of one word is looked up like any other word. Several words must match as a phrase in fields with
//! positions, and in the same field elsewhere.
//!
//! Synonyms are expanded when searching, not when indexing, as the `SynonymGraphFilter` of Lucene recommends, so
//! that a change of a group needs no new index.

use crate::EngineError;
use crate::embedded::postings::lookups::terms;
use crate::embedded::postings::phrase_postings::PhrasePostings;
use crate::embedded::postings::posting_sources::PostingSource;
use crate::embedded::postings::segment::SegmentView;
use crate::embedded::postings::text_index::TextIndex;
use query::Plan;
use query::plan::PlanSynonym;
use std::sync::Arc;
use tantivy::DocId;
use tantivy::postings::TermInfo;

/// A synonym with what the index knows about it.
pub struct ResolvedSynonym {
    /// Documents whose texts contain all its words.
    pub documents: u64,
    /// The synonym in each segment.
    pub segments: Vec<SynonymPostings>,
}

/// A synonym in one segment.
pub enum SynonymPostings {
    /// The posting list of a single word over all texts.
    Word(Option<TermInfo>),
    /// The posting lists of several words, and all documents of the searched fields.
    Words(Arc<PhrasePostings>, Arc<[DocId]>),
}

impl ResolvedSynonym {
    /// Looks up `synonym` in `texts`.
    pub fn new(texts: &TextIndex, plan: &Plan, synonym: &PlanSynonym) -> Result<Self, EngineError> {
        let segments = &texts.segments;
        if let [word] = synonym.words.as_slice() {
            let postings = terms(segments, &word.stem)?;
            return Ok(Self {
                documents: texts.documents_with(&word.stem, &postings)?,
                segments: postings.into_iter().map(SynonymPostings::Word).collect(),
            });
        }
        let mut resolved = Self {
            documents: 0,
            segments: Vec::with_capacity(segments.len()),
        };
        for (at, segment) in segments.iter().enumerate() {
            let lists = phrase(texts, (at, synonym))?;
            let alive = lists.anywhere.iter().filter(|d| segment.is_alive(**d));
            resolved.documents += alive.count() as u64;
            let all = in_searched_fields(&lists, plan);
            resolved
                .segments
                .push(SynonymPostings::Words(lists, all.into()));
        }
        Ok(resolved)
    }

    /// Returns the documents of segment number `at` that contain the several words of `synonym` in a searched field.
    pub fn in_segment(
        texts: &TextIndex,
        plan: &Plan,
        (at, synonym): (usize, &PlanSynonym),
    ) -> Result<Arc<[DocId]>, EngineError> {
        Ok(in_searched_fields(&*phrase(texts, (at, synonym))?, plan).into())
    }

    /// Returns the documents of segment number `at` whose texts contain all words of the synonym; none if there are
    /// none.
    pub fn anywhere(&self, at: usize, segment: &SegmentView) -> Option<PostingSource> {
        match &self.segments[at] {
            SynonymPostings::Word(info) => {
                Some(PostingSource::new(segment.stems(), info.as_ref()?))
            }
            SynonymPostings::Words(lists, _) => {
                Some(PostingSource::Documents(lists.anywhere.as_slice().into()))
            }
        }
    }
}

/// Returns the postings of the several words of `synonym` in segment number `at`.
fn phrase(
    texts: &TextIndex,
    (at, synonym): (usize, &PlanSynonym),
) -> Result<Arc<PhrasePostings>, EngineError> {
    let phrases = &texts.memos[at].phrases;
    let lists = phrases.of(&texts.segments[at], &synonym.words)?;
    Ok(match synonym.is_side_by_side() {
        true => Arc::new(lists.side_by_side()),
        false => lists,
    })
}

fn in_searched_fields(lists: &PhrasePostings, plan: &Plan) -> Vec<DocId> {
    let searched = (lists.by_field.iter()).filter(|list| plan.searches(list.field));
    let mut all: Vec<DocId> = searched
        .flat_map(|list| list.documents.iter().copied())
        .collect();
    all.sort_unstable();
    all.dedup();
    all
}
