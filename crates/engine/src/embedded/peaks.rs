//! How much a term weighs at most in a field of a segment, by frequency and length; remembered once it was asked for.
//!
//! The most that any term can weigh is half as much again or twice as much as most terms ever do, and a bound that much
//! too high passes over little.

use super::averages::{Averages, Norms};
use super::executor::lists;
use super::segment::SegmentView;
use crate::EngineError;
use domain::relevance::field::{FIELD_COUNT, FieldId};
use parking_lot::Mutex;
use std::collections::HashMap;
use tantivy::postings::TermInfo;

/// Terms that one segment remembers: every term that many shoppers ask for.
const TERMS_MAX: usize = 50_000;

/// Peaks of the terms of one segment, and the averages under which they were found.
#[derive(Default)]
pub(super) struct Peaks(Mutex<Known>);

#[derive(Default)]
struct Known {
    averages: Averages,
    /// By term and field; 0 where it was not asked for.
    terms: HashMap<Box<str>, [f32; FIELD_COUNT]>,
}

/// What weights depend on.
#[derive(Clone, Copy)]
pub(super) struct Weighing<'a> {
    /// The averages.
    pub averages: &'a Averages,
    /// The norms under them, by field.
    pub norms: &'a [Norms],
}

impl Peaks {
    /// The highest weight of frequency and length that any document of `segment` gives `term`, whose list in `field` is
    /// `info`; all its documents are read when it is asked for the first time.
    pub fn peak(
        &self,
        segment: &SegmentView,
        (field, term, info): (FieldId, &str, &TermInfo),
        weighing: Weighing<'_>,
    ) -> Result<f64, EngineError> {
        if let Some(known) = self.known(field, term, weighing.averages) {
            return Ok(known);
        }
        let Some(reader) = segment.terms(field) else {
            return Ok(0.0);
        };
        let norms = &weighing.norms[field.index()];
        let mut peak = 0.0f64;
        lists::open(reader, info)?.visit_before(segment.reader.max_doc(), |document, tf| {
            peak = peak.max(norms.weight(tf, segment.length(field, document)));
        });
        self.note(field, term, peak);
        Ok(peak)
    }

    fn known(&self, field: FieldId, term: &str, averages: &Averages) -> Option<f64> {
        let mut known = self.0.lock();
        if known.averages != *averages {
            *known = Known {
                averages: averages.clone(),
                terms: HashMap::new(),
            };
        }
        let peak = known.terms.get(term)?[field.index()];
        (peak > 0.0).then_some(f64::from(peak))
    }

    fn note(&self, field: FieldId, term: &str, peak: f64) {
        let mut known = self.0.lock();
        if known.terms.len() >= TERMS_MAX {
            known.terms.clear();
        }
        let peaks = known.terms.entry(term.into()).or_insert([0.0; FIELD_COUNT]);
        peaks[field.index()] = peak as f32;
    }
}
