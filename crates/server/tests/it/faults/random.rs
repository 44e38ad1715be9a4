//! Reproducible random choices.

use evaluation::choices::Choices;

/// A sequence of choices.
#[derive(Clone, Debug)]
pub struct Random(Choices);

impl Random {
    /// The sequence of this seed.
    pub fn new(seed: u64) -> Self {
        let seed = usize::try_from(seed).expect("a small number");
        Self(Choices::new(seed))
    }

    /// A number below `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        self.0.below(bound)
    }

    /// Returns true once in `times` on average.
    pub fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// Distinct numbers below `bound`, up to `count` of them.
    pub fn some_below(&mut self, bound: usize, count: usize) -> Vec<usize> {
        let mut numbers: Vec<usize> = (0..=self.below(count)).map(|_| self.below(bound)).collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    }
}
