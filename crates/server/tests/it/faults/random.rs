//! Reproducible random choices.

/// A random number generator (splitmix64).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// A generator with this seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`.
    pub fn below(&mut self, bound: usize) -> usize {
        let bound = u64::try_from(bound).expect("a small number");
        usize::try_from(self.next() % bound).expect("below a small number")
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
