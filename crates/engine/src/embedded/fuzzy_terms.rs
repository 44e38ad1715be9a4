//! Where terms that are near a word stand in the text fields of a segment; remembered once it was asked for.
//!
//! Questions have dozens of such terms, and most stand in few documents. So short lists are remembered as they are, and
//! a question that is asked again opens none of them.

use super::executor::{PostingSource, Postings, posting_sources};
use super::memo::{Memo, MemoBudget};
use super::scale::Scale;
use super::segment::SegmentView;
use crate::EngineError;
use domain::relevance::field::FieldId;
use std::sync::Arc;

/// The lists of a term, by field.
pub(super) type FuzzyTermSources = Arc<[(FieldId, PostingSource)]>;

/// The terms of one segment.
pub(super) struct FuzzyTermCache(Memo<Arc<str>, FuzzyTermSources>);

impl FuzzyTermCache {
    /// No lists, within the budget `memos`.
    pub fn new(memos: &Arc<MemoBudget>) -> Self {
        Self(Memo::new(memos))
    }

    /// The lists of `term` in the text fields of `segment`, whose memory it is.
    pub fn of<S: Scale>(
        &self,
        segment: &SegmentView,
        term: &Arc<str>,
    ) -> Result<FuzzyTermSources, EngineError> {
        if let Some(places) = self.0.get(&(), term) {
            return Ok(places);
        }
        let places: FuzzyTermSources = read::<S>(segment, term)?.into();
        let short = places.iter().map(|(_, place)| place.bytes());
        let bytes = term.len() + size_of_val(&*places) + short.sum::<usize>();
        let own = Arc::clone(&places);
        self.0.put(&(), Arc::clone(term), own, bytes);
        Ok(places)
    }
}

fn read<S: Scale>(
    segment: &SegmentView,
    term: &str,
) -> Result<Vec<(FieldId, PostingSource)>, EngineError> {
    let mut found = Vec::new();
    for (field, reader, info) in posting_sources::in_texts(segment, term)? {
        let place = if info.doc_freq <= S::SHORT_MAX {
            let mut postings = Postings::default();
            let end = segment.reader.max_doc();
            posting_sources::open(reader, &info)?.visit_before(end, |document, tf| {
                postings.documents.push(document);
                postings.frequencies.push(tf.told_by());
            });
            PostingSource::Short(Arc::new(postings))
        } else {
            PostingSource::new(reader, &info)
        };
        found.push((field, place));
    }
    Ok(found)
}
