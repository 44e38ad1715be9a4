//! How often a document holds a term, and whether in one form alone, as the one number that a posting has for it.
//!
//! Most words of a text stand there in one form, which is their stem. So such a form is no term of its own: that the stem
//! stands alone is told by its frequency, which is odd then. That is nearly half of all postings and terms of texts.

/// The frequency of a term in a field of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frequency(u32);

impl Frequency {
    /// That of a list without frequencies.
    pub const ONCE: Self = Self(1);

    /// Postings for one occurrence of a term: the `first` one in its field or a further one, of a term that stands alone
    /// there or not. Together they are odd for a term that stands alone, and even for any other.
    pub fn postings(first: bool, alone: bool) -> usize {
        if first && alone { 1 } else { 2 }
    }

    /// The frequency at one `place` of a list, of which is told how many postings each document has, if anything is.
    pub fn of_place(postings: &[u32], place: usize) -> Self {
        postings.get(place).copied().map_or(Self::ONCE, Self)
    }

    /// The postings that tell it.
    pub fn told_by(self) -> u32 {
        self.0
    }

    /// Occurrences.
    pub fn occurrences(self) -> u32 {
        self.0.div_ceil(2)
    }

    /// Whether all of them are the term itself; of a stem, none is another form of it.
    pub fn is_alone(self) -> bool {
        self.0 % 2 == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn postings_tell_occurrences_and_whether_they_are_alone() {
        for (occurrences, alone) in (1..100).flat_map(|count| [(count, true), (count, false)]) {
            let postings = (0..occurrences).map(|at| Frequency::postings(at == 0, alone));
            let told = Frequency(postings.sum::<usize>() as u32);
            assert_eq!((told.occurrences(), told.is_alone()), (occurrences, alone));
        }
        assert_eq!(Frequency::ONCE.occurrences(), 1);
        assert!(Frequency::ONCE.is_alone());
    }
}
