//! Encodes in the one term frequency of a posting both the occurrences and whether the term has only one surface form.
//!
//! Most words of a text occur in only one surface form, which equals the stem. Such a form is not indexed as a term: an
//! odd frequency of the stem encodes it. That saves nearly half of all postings and terms of texts.

/// The frequency of a term in a field of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frequency(u32);

impl Frequency {
    /// The frequency in a posting list without frequencies.
    pub const ONCE: Self = Self(1);

    /// How often to add a term for one occurrence, the `first` one in its field or a further one. The sum is odd for a
    /// term that is `alone`, without other surface forms in the field, and even for any other.
    pub fn postings(first: bool, alone: bool) -> usize {
        if first && alone { 1 } else { 2 }
    }

    /// The frequency at one index of a posting list; `postings` is empty for a list without frequencies.
    pub fn at(postings: &[u32], index: usize) -> Self {
        postings.get(index).copied().map_or(Self::ONCE, Self)
    }

    /// The encoded frequency.
    pub fn encoded(self) -> u32 {
        self.0
    }

    /// Number of occurrences.
    pub fn occurrences(self) -> u32 {
        self.0.div_ceil(2)
    }

    /// Whether every occurrence has the term itself as its surface form.
    pub fn is_alone(self) -> bool {
        self.0 % 2 == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frequencies_encode_occurrences_and_whether_the_term_is_alone() {
        for (occurrences, alone) in (1..100).flat_map(|count| [(count, true), (count, false)]) {
            let postings = (0..occurrences).map(|at| Frequency::postings(at == 0, alone));
            let frequency = Frequency(postings.sum::<usize>() as u32);
            assert_eq!(
                (frequency.occurrences(), frequency.is_alone()),
                (occurrences, alone)
            );
        }
        assert_eq!(Frequency::ONCE.occurrences(), 1);
        assert!(Frequency::ONCE.is_alone());
    }
}
