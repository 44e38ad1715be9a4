//! Looks up terms in the dictionaries of segments, and the live documents in their posting lists.
//!
//! A term dictionary is a finite-state transducer (crate `tantivy-fst`; Mihov & Maurel, "Direct construction of
//! minimal acyclic subsequential transducers", 2001).

use super::posting_sources::open;
use super::segment::SegmentView;
use crate::EngineError;
use domain::relevance::field::FieldId;
use std::collections::BTreeSet;
use tantivy::DocId;
use tantivy::postings::TermInfo;

/// The posting list of a term in each segment; none where the segment does not contain it.
pub type SegmentTermInfos = Vec<Option<TermInfo>>;

/// Returns the posting list of a stem in each segment.
pub fn terms(segments: &[SegmentView], stem: &str) -> Result<SegmentTermInfos, EngineError> {
    segments
        .iter()
        .map(|segment| {
            segment
                .stems()
                .terms()
                .get(stem)
                .map_err(EngineError::during("look up a word"))
        })
        .collect()
}

/// Returns the posting list of `term` in a field of a segment.
pub fn term(
    segment: &SegmentView,
    field: FieldId,
    term: &str,
) -> Result<Option<TermInfo>, EngineError> {
    match segment.terms(field) {
        Some(reader) => reader
            .terms()
            .get(term)
            .map_err(EngineError::during("look up a term")),
        None => Ok(None),
    }
}

/// Returns the live documents that are in any of `lists`.
pub fn live_documents(
    segment: &SegmentView,
    lists: &[(FieldId, TermInfo)],
) -> Result<BTreeSet<DocId>, EngineError> {
    let mut documents = BTreeSet::new();
    for (field, info) in lists {
        let Some(reader) = segment.terms(*field) else {
            continue;
        };
        open(reader, info)?.visit_before(segment.reader.max_doc(), |document, _| {
            if segment.is_alive(document) {
                documents.insert(document);
            }
        });
    }
    Ok(documents)
}
