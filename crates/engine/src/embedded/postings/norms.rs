//! Length norms: the average lengths of fields, and the BM25 weights that depend on them.
//!
//! BM25 by Robertson & Zaragoza, "The probabilistic relevance framework: BM25 and beyond", 2009. Averages are
//! means of exact lengths, documents count by their rounded length (`docs/adr/0052-counted-lengths.md`); the norms of
//! short fields are computed once for each length.

use super::segment::SegmentView;
use crate::embedded::write::averages::Averages;
use domain::relevance::field::{FIELD_COUNT, FieldId};
use query::scoring::{Saturation, counted_length, saturation};

/// Lengths with a precomputed norm.
const TABLE_LENGTHS: u16 = 512;

/// The averages of the documents of `segments`.
pub fn average_lengths(segments: &[SegmentView]) -> Averages {
    let mut sums = [(0u64, 0u64); FIELD_COUNT];
    let mut documents = 0;
    for segment in segments {
        for document in segment.alive() {
            documents += 1;
            for field in FieldId::texts() {
                let length = segment.length(field, document);
                if length > 0 {
                    sums[field.index()].0 += u64::from(length);
                    sums[field.index()].1 += 1;
                }
            }
        }
    }
    let average = |(sum, count): (u64, u64)| {
        if count == 0 {
            0.0
        } else {
            sum as f64 / count as f64
        }
    };
    Averages {
        documents,
        lengths: sums.into_iter().map(average).collect(),
    }
}

/// The BM25 weights of one field, with precomputed length norms.
pub struct Norms {
    saturation: Saturation,
    average: f64,
    table: Vec<f64>,
}

impl Norms {
    /// The norms of every field under `averages`.
    pub fn all(averages: &Averages) -> Vec<Self> {
        FieldId::all()
            .map(|field| Self::new(field, averages.length(field)))
            .collect()
    }

    fn new(field: FieldId, average: f64) -> Self {
        let saturation = saturation(field.kind());
        let table = (0..TABLE_LENGTHS)
            .map(|length| length_norm(saturation, length, average))
            .collect();
        Self {
            saturation,
            average,
            table,
        }
    }

    /// The BM25 weight of `tf` occurrences in a field of `length` words.
    pub fn weight(&self, tf: u32, length: u16) -> f64 {
        let norm = match self.table.get(usize::from(length)) {
            Some(norm) => *norm,
            None => length_norm(self.saturation, length, self.average),
        };
        query::scoring::saturated(self.saturation, f64::from(tf), norm)
    }
}

/// The norm of a field of `length` words.
fn length_norm(saturation: Saturation, length: u16, average: f64) -> f64 {
    let counted = counted_length(u32::from(length));
    query::scoring::norm(saturation, f64::from(counted), average)
}
