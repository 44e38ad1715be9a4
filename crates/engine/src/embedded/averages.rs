//! Average lengths of fields, frozen until the index has grown or shrunk much, so that scores do not drift with every
//! batch.

use super::segment::SegmentView;
use domain::relevance::field::{FIELD_COUNT, FieldId};
use query::scoring::{Saturation, saturation};
use serde::{Deserialize, Serialize};

/// Lengths with a precomputed norm.
const TABLE_LENGTHS: usize = 512;

/// Average lengths of all fields, and the number of documents that they were computed from.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Averages {
    /// Number of documents.
    pub documents: u64,
    /// Average length by field, over the documents with a value; 0 when there are none.
    pub lengths: Vec<f64>,
}

impl Averages {
    /// The averages of the documents of `segments`.
    pub fn of(segments: &[SegmentView]) -> Self {
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
        Self {
            documents,
            lengths: sums.into_iter().map(average).collect(),
        }
    }

    /// Whether the number of documents has doubled or halved since the averages were computed.
    pub fn outdated(&self, documents: u64) -> bool {
        documents >= self.documents.saturating_mul(2).max(1) || documents * 2 <= self.documents
    }

    /// The average length of `field`.
    pub fn length(&self, field: FieldId) -> f64 {
        self.lengths.get(field.index()).copied().unwrap_or(0.0)
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
            .map(|length| query::scoring::norm(saturation, length as f64, average))
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
            None => query::scoring::norm(self.saturation, f64::from(length), self.average),
        };
        query::scoring::saturated(self.saturation, f64::from(tf), norm)
    }
}
