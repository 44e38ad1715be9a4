//! Where terms that are near a word stand in the text fields of a segment; remembered once it was asked for.
//!
//! Questions have dozens of such terms, and most stand in few documents. So short lists are remembered as they are, and
//! a question that is asked again opens none of them.

use super::executor::{Place, Postings, lists};
use super::scale::Scale;
use super::segment::SegmentView;
use crate::EngineError;
use domain::relevance::field::FieldId;
use parking_lot::Mutex;
use std::collections::HashMap;
use std::sync::Arc;

/// Terms that one segment remembers, some ten megabytes at most.
const TERMS_MAX: usize = 10_000;

/// The lists of a term, by field.
pub(super) type Places = Arc<[(FieldId, Place)]>;

/// The terms of one segment.
#[derive(Default)]
pub(super) struct NearPlaces(Mutex<HashMap<Arc<str>, Places>>);

impl NearPlaces {
    /// The lists of `term` in the text fields of `segment`, whose memory it is.
    pub fn of<S: Scale>(
        &self,
        segment: &SegmentView,
        term: &Arc<str>,
    ) -> Result<Places, EngineError> {
        if let Some(places) = self.0.lock().get(term) {
            return Ok(Arc::clone(places));
        }
        let places: Places = read::<S>(segment, term)?.into();
        let mut known = self.0.lock();
        if known.len() >= TERMS_MAX {
            known.clear();
        }
        known.insert(Arc::clone(term), Arc::clone(&places));
        Ok(places)
    }
}

fn read<S: Scale>(segment: &SegmentView, term: &str) -> Result<Vec<(FieldId, Place)>, EngineError> {
    let mut found = Vec::new();
    for (field, reader, info) in lists::in_texts(segment, term)? {
        let place = if info.doc_freq <= S::SHORT_MAX {
            let mut postings = Postings::default();
            let end = segment.reader.max_doc();
            lists::open(reader, &info)?.visit_before(end, |document, tf| {
                postings.documents.push(document);
                postings.frequencies.push(tf.told_by());
            });
            Place::Short(Arc::new(postings))
        } else {
            Place::new(reader, &info)
        };
        found.push((field, place));
    }
    Ok(found)
}
