//! Reads from the one term frequency of a posting what `write/frequency.rs` encodes in it.

/// The frequency of a term in a field of a document, as it was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frequency(u32);

impl Frequency {
    /// The frequency in a posting list without frequencies.
    pub const ONCE: Self = Self(1);

    /// The frequency at one index of a posting list; `postings` is empty for a list without frequencies.
    #[inline]
    pub fn at(postings: &[u32], index: usize) -> Self {
        postings.get(index).copied().map_or(Self::ONCE, Self)
    }

    /// As it is in a posting list.
    #[inline]
    pub fn encoded(self) -> u32 {
        self.0
    }

    /// Number of occurrences.
    #[inline]
    pub fn occurrences(self) -> u32 {
        self.0.div_ceil(2)
    }

    /// Whether every occurrence has the term itself as its surface form.
    #[inline]
    pub fn is_alone(self) -> bool {
        self.0 % 2 == 1
    }
}

#[cfg(test)]
mod tests {
    //! 1. What is read of a term is what was written of it, however often it occurs, alone or not.
    //! 2. A posting list without frequencies holds terms that occur once, alone.

    use super::*;
    use crate::embedded::write::frequency::postings;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_is_read_is_what_was_written(written in prop::collection::vec((1..5_000_u32, any::<bool>()), 1..20)) {
            let frequency = |(occurrences, alone): &(u32, bool)| {
                let postings = (0..*occurrences).map(|at| postings(at == 0, *alone));
                postings.sum::<usize>() as u32
            };
            let list: Vec<u32> = written.iter().map(frequency).collect();
            let read = (0..list.len()).map(|at| {
                let frequency = Frequency::at(&list, at);
                assert_eq!(frequency.encoded(), list[at]);
                (frequency.occurrences(), frequency.is_alone())
            });
            prop_assert_eq!(read.collect::<Vec<_>>(), written);
        }
    }

    #[test]
    fn a_list_without_frequencies_holds_terms_once() {
        let frequency = Frequency::at(&[], 3);
        assert_eq!((frequency.occurrences(), frequency.is_alone()), (1, true));
        assert_eq!(postings(true, true) as u32, frequency.encoded());
    }
}
