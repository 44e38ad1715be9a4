//! Where the lists of a term stand in the text fields of a segment, and how much it weighs there at most; remembered once
//! it was asked for.
//!
//! The most that any term can weigh is half as much again or twice as much as most terms ever do, and a bound that much
//! too high passes over little.

use super::averages::{Averages, Norms};
use super::executor::posting_sources;
use super::memo::{Memo, MemoBudget};
use super::segment::SegmentView;
use crate::EngineError;
use domain::relevance::field::FieldId;
use std::sync::Arc;
use tantivy::DocId;
use tantivy::postings::TermInfo;

/// An odd number without pattern, by which every bit of a digest reaches the upper ones (Knuth, The Art of Computer
/// Programming, volume 3, section 6.4: the golden ratio).
const DIGEST_FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

/// The list of a term in one field.
#[derive(Clone, Debug)]
pub(super) struct TermPostings {
    /// The field.
    pub field: FieldId,
    /// Where it stands.
    pub info: TermInfo,
    /// The highest weight of frequency and length that any of its documents gives it.
    pub peak: f64,
    /// The same of documents that hold it alone; 0 when none does.
    pub peak_alone: f64,
    /// A digest of its documents and how often each holds it.
    digest: u64,
}

impl TermPostings {
    /// Whether the same documents hold the term of `other`, and just as often.
    pub fn is_same(&self, other: &Self) -> bool {
        self.info.doc_freq == other.info.doc_freq && self.digest == other.digest
    }
}

/// The lists of terms of one segment, under the averages under which their peaks were found.
pub(super) struct TermPostingsCache(Memo<Box<str>, Arc<[TermPostings]>, Averages>);

/// What weights depend on.
#[derive(Clone, Copy)]
pub(super) struct Weighing<'a> {
    /// The averages.
    pub averages: &'a Averages,
    /// The norms under them, by field.
    pub norms: &'a [Norms],
}

impl TermPostingsCache {
    /// No lists, within the budget `memos`.
    pub fn new(memos: &Arc<MemoBudget>) -> Self {
        Self(Memo::new(memos))
    }

    /// The lists of `term` in the text fields of `segment`, by field; they are read as a whole when they are asked for
    /// the first time.
    pub fn of(
        &self,
        segment: &SegmentView,
        term: &str,
        weighing: Weighing<'_>,
    ) -> Result<Arc<[TermPostings]>, EngineError> {
        if let Some(known) = self.0.get(weighing.averages, term) {
            return Ok(known);
        }
        let lists: Arc<[TermPostings]> = read(segment, term, weighing)?.into();
        let bytes = term.len() + size_of_val(&*lists);
        let own = Arc::clone(&lists);
        self.0.put(weighing.averages, term.into(), own, bytes);
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
            peak,
            peak_alone,
            digest,
        });
    }
    Ok(found)
}

/// The digest of some documents, continued with another one.
fn continued(digest: u64, document: DocId, occurrences: u32) -> u64 {
    let next = u64::from(document) << 32 | u64::from(occurrences);
    (digest.rotate_left(5) ^ next).wrapping_mul(DIGEST_FACTOR)
}
