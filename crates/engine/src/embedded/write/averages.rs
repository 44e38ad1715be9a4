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

    /// Whether one of `next` differs from these by at least the share `by`; by anything if that is 0.
    pub fn moved(&self, next: &Self, by: f64) -> bool {
        if by <= 0.0 {
            return self != next;
        }
        let fields = self.lengths.len().max(next.lengths.len());
        let of = |lengths: &[f64], at: usize| lengths.get(at).copied().unwrap_or(0.0);
        (0..fields).any(|at| {
            let (former, now) = (of(&self.lengths, at), of(&next.lengths, at));
            former != now && (now - former).abs() >= former * by
        })
    }

    /// The average length of `field`.
    pub fn length(&self, field: FieldId) -> f64 {
        self.lengths.get(field.index()).copied().unwrap_or(0.0)
    }
}

#[cfg(test)]
mod tests {
    //! Averages have moved once one of them has by the share that is given, or where there was none.

    use super::*;

    #[test]
    fn one_of_them_has_to_move() {
        let averages = |lengths: &[f64]| Averages {
            documents: 1,
            lengths: lengths.to_vec(),
        };
        let before = averages(&[10.0, 0.0, 4.0]);
        for (after, by, moved) in [
            (&[10.4, 0.0, 4.1][..], 0.05, false),
            (&[10.5, 0.0, 4.0], 0.05, true),
            (&[10.0, 0.0, 3.7], 0.05, true),
            (&[10.0, 2.0, 4.0], 0.05, true),
            (&[10.0, 0.0, 0.0], 0.05, true),
            (&[10.0, 0.0, 4.0], 0.05, false),
            (&[10.001, 0.0, 4.0], 0.0, true),
            (&[10.0, 0.0, 4.0], 0.0, false),
        ] {
            assert_eq!(before.moved(&averages(after), by), moved, "{after:?} {by}");
        }
        assert!(Averages::default().moved(&before, 0.05));
    }
}
