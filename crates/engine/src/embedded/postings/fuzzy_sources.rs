//! A cache of the posting sources of fuzzy terms in the text fields of a segment.
//!
//! A query has dozens of fuzzy terms, most of them in few documents. Short posting lists are therefore cached as a whole,
//! and a repeated query opens none of them.

use super::posting_blocks::Postings;
use super::posting_sources;
use super::posting_sources::PostingSource;
use super::segment::SegmentView;
use crate::EngineError;
use crate::embedded::memo::{Memo, MemoBudget};
use crate::embedded::scale::Scale;
use domain::relevance::field::FieldId;
use std::sync::Arc;

/// The posting sources of a term, by field.
pub type FuzzyTermSources = Arc<[(FieldId, PostingSource)]>;

/// The cache of one segment.
pub struct FuzzyTermCache(Memo<Arc<str>, FuzzyTermSources>);

impl FuzzyTermCache {
    /// An empty cache within the budget `memos`.
    pub fn new(memos: &Arc<MemoBudget>) -> Self {
        Self(Memo::new(memos))
    }

    /// The posting sources of `term` in the text fields of `segment`, to which the cache belongs.
    pub fn of<S: Scale>(
        &self,
        segment: &SegmentView,
        term: &Arc<str>,
    ) -> Result<FuzzyTermSources, EngineError> {
        if let Some(sources) = self.0.get(&(), term) {
            return Ok(sources);
        }
        let sources: FuzzyTermSources = read::<S>(segment, term)?.into();
        let lists = sources.iter().map(|(_, source)| source.bytes());
        let bytes = term.len() + size_of_val(&*sources) + lists.sum::<usize>();
        let cached = Arc::clone(&sources);
        self.0.put(&(), Arc::clone(term), cached, bytes);
        Ok(sources)
    }
}

fn read<S: Scale>(
    segment: &SegmentView,
    term: &str,
) -> Result<Vec<(FieldId, PostingSource)>, EngineError> {
    let mut found = Vec::new();
    for (field, reader, info) in posting_sources::in_texts(segment, term)? {
        let source = if info.doc_freq <= S::SHORT_POSTINGS_MAX {
            let mut postings = Postings::default();
            let end = segment.reader.max_doc();
            posting_sources::open(reader, &info)?.visit_before(end, |document, tf| {
                postings.push(document, tf);
            });
            PostingSource::Cached(Arc::new(postings))
        } else {
            PostingSource::new(reader, &info)
        };
        found.push((field, source));
    }
    Ok(found)
}
