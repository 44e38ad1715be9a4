//! Average lengths of fields, frozen until the index has grown or shrunk much, so that scores do not drift with every
//! batch.

use domain::relevance::field::FieldId;
use serde::{Deserialize, Serialize};

/// Average lengths of all fields, and the number of documents that they were computed from.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Averages {
    /// Number of documents.
    pub documents: u64,
    /// Average length by field, over the documents with a value; 0 when there are none.
    pub lengths: Vec<f64>,
}

impl Averages {
    /// Whether the number of documents has doubled or halved since the averages were computed.
    pub fn outdated(&self, documents: u64) -> bool {
        documents >= self.documents.saturating_mul(2).max(1) || documents * 2 <= self.documents
    }

    /// The average length of `field`.
    pub fn length(&self, field: FieldId) -> f64 {
        self.lengths.get(field.index()).copied().unwrap_or(0.0)
    }
}
