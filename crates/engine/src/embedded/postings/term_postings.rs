//! A cache of the posting lists of terms in the text fields of a segment, with their upper bounds (max scores).
//!
//! The theoretical maximum of the BM25 weight is one and a half to two times the actual maximum of most terms. With such
//! loose bounds, little would be pruned.
//!
//! The maximum score of a list is that of MaxScore (Turtle & Flood, "Query evaluation: strategies and
//! optimizations", 1995).

use super::norms::Norms;
use super::posting_sources;
use super::segment::SegmentView;
use crate::EngineError;
use crate::embedded::memo::{Memo, MemoBudget};
use crate::embedded::write::averages::Averages;
use domain::relevance::field::FieldId;
use std::sync::Arc;
use tantivy::DocId;
use tantivy::postings::TermInfo;

/// The odd multiplier of Fibonacci hashing, which spreads every bit to the upper ones (Knuth, "The Art of Computer
/// Programming", volume 3, section 6.4).
const DIGEST_FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

/// The posting list of a term in one field.
#[derive(Clone, Debug)]
pub struct TermPostings {
    /// The field.
    pub field: FieldId,
    /// The posting list in the index.
    pub info: TermInfo,
    /// The highest BM25 weight of the term in any document.
    pub max_weight: f64,
    /// The highest BM25 weight in documents without other surface forms of the term; 0 when there are none.
    pub max_weight_alone: f64,
    /// A digest of its documents and frequencies.
    digest: u64,
}

impl TermPostings {
    /// Whether `other` has the same documents and frequencies.
    pub fn is_same(&self, other: &Self) -> bool {
        self.info.doc_freq == other.info.doc_freq && self.digest == other.digest
    }
}

/// The posting lists of terms of one segment, by the averages under which their peaks were computed.
pub struct TermPostingsCache(Memo<Box<str>, Arc<[TermPostings]>, Averages>);

/// The averages on which weights depend.
#[derive(Clone, Copy)]
pub struct Weighing<'a> {
    /// Average lengths by field.
    pub averages: &'a Averages,
    /// Norms by field.
    pub norms: &'a [Norms],
}

impl TermPostingsCache {
    /// An empty cache within the budget `memos`.
    pub fn new(memos: &Arc<MemoBudget>) -> Self {
        Self(Memo::new(memos))
    }

    /// The posting lists of `term` in the text fields of `segment`; on first use they are read completely.
    pub fn of(
        &self,
        segment: &SegmentView,
        term: &str,
        weighing: Weighing<'_>,
    ) -> Result<Arc<[TermPostings]>, EngineError> {
        if let Some(cached) = self.0.get(weighing.averages, term) {
            return Ok(cached);
        }
        let lists: Arc<[TermPostings]> = read(segment, term, weighing)?.into();
        let bytes = term.len() + size_of_val(&*lists);
        let cached = Arc::clone(&lists);
        self.0.put(weighing.averages, term.into(), cached, bytes);
        Ok(lists)
    }
}

fn read(
    segment: &SegmentView,
    term: &str,
    weighing: Weighing<'_>,
) -> Result<Vec<TermPostings>, EngineError> {
    let mut found = Vec::new();
    for (field, reader, info) in posting_sources::in_texts(segment, term)? {
        let norms = &weighing.norms[field.index()];
        let lengths = segment.lengths(field);
        let (mut peak, mut peak_alone, mut digest) = (0.0f64, 0.0f64, 0);
        posting_sources::open(reader, &info)?.visit_before(
            segment.reader.max_doc(),
            |document, tf| {
                let length = lengths.map_or(0, |lengths| lengths.of(document));
                let weight = norms.weight(tf.occurrences(), length);
                peak = peak.max(weight);
                if tf.is_alone() {
                    peak_alone = peak_alone.max(weight);
                }
                digest = continued(digest, document, tf.occurrences());
            },
        );
        found.push(TermPostings {
            field,
            info,
            max_weight: peak,
            max_weight_alone: peak_alone,
            digest,
        });
    }
    Ok(found)
}

/// Adds a document to a digest.
fn continued(digest: u64, document: DocId, occurrences: u32) -> u64 {
    let next = u64::from(document) << 32 | u64::from(occurrences);
    (digest.rotate_left(5) ^ next).wrapping_mul(DIGEST_FACTOR)
}
