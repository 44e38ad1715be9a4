//! Counts of documents by value in one field: an array if many documents are expected, else a list that is sorted.

use crate::columns::ValueId;

/// Values per document from which on sorting a list costs less than going through an array of counts.
const SPARSE: usize = 64;

/// Counts of the values of one field.
pub struct ValueCounts {
    /// Documents that have a value.
    pub documents: u32,
    values: Values,
}

enum Values {
    /// Documents by value.
    Counted(Vec<u32>),
    /// The values of all documents, in any order.
    Gathered(Vec<ValueId>),
}

impl ValueCounts {
    /// Returns empty counts for a field of so many `values` and about so many `documents` to come.
    pub fn new(values: usize, documents: usize) -> Self {
        let values = if values > SPARSE * documents {
            Values::Gathered(Vec::new())
        } else {
            Values::Counted(vec![0; values])
        };
        let documents = 0;
        Self { documents, values }
    }

    /// Counts a document with the values `own`.
    #[inline]
    pub fn add(&mut self, own: &[ValueId]) {
        self.documents += u32::from(!own.is_empty());
        match &mut self.values {
            Values::Counted(counts) => own.iter().for_each(|value| counts[*value as usize] += 1),
            Values::Gathered(all) => all.extend_from_slice(own),
        }
    }

    /// Adds the counts of other documents in the same field; both must expect the same number of documents.
    pub fn merge(&mut self, other: Self) {
        self.documents += other.documents;
        match (&mut self.values, other.values) {
            (Values::Counted(counts), Values::Counted(others)) => {
                for (own, more) in counts.iter_mut().zip(others) {
                    *own += more;
                }
            }
            (Values::Gathered(all), Values::Gathered(others)) => all.extend(others),
            (_, Values::Counted(_) | Values::Gathered(_)) => {
                unreachable!("the same is expected of both")
            }
        }
    }

    /// Returns the number of documents of each value that any document has, in the order of values.
    pub fn into_counts(self) -> Vec<(u32, ValueId)> {
        match self.values {
            Values::Counted(counts) => {
                let all = counts.into_iter().zip(0..);
                all.filter(|(count, _)| *count > 0).collect()
            }
            Values::Gathered(mut all) => {
                all.sort_unstable();
                let same = all.chunk_by(|a, b| a == b);
                same.map(|same| (same.len() as u32, same[0])).collect()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    //! 1. Both ways of counting agree, also when two parts are merged.

    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn both_ways_of_counting_agree(documents in proptest::collection::vec(proptest::collection::vec(0u32..20, 0..4), 0..40)) {
            let (some, others) = documents.split_at(documents.len() / 3);
            let counted = |documents: &[Vec<u32>], values: Values| {
                let mut counts = ValueCounts { documents: 0, values };
                documents.iter().for_each(|own| counts.add(own));
                counts
            };
            let fresh: [fn() -> Values; 2] = [|| Values::Counted(vec![0; 20]), || Values::Gathered(Vec::new())];
            let ways = fresh.map(|fresh| {
                let mut way = counted(some, fresh());
                way.merge(counted(others, fresh()));
                way
            });
            let carrying = documents.iter().filter(|own| !own.is_empty()).count();
            prop_assert!(ways.iter().all(|way| way.documents as usize == carrying));
            let [counted, gathered] = ways.map(ValueCounts::into_counts);
            let sum: u32 = counted.iter().map(|(count, _)| count).sum();
            prop_assert_eq!(sum as usize, documents.iter().map(Vec::len).sum::<usize>());
            prop_assert_eq!(counted, gathered);
        }
    }
}
