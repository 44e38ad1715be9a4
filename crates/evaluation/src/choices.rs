//! Pseudo-random choices that are the same in each run.

/// A pseudo-random sequence (SplitMix64; Steele, Lea, Flood 2014).
#[derive(Clone, Debug)]
pub struct Choices(u64);

impl Choices {
    /// Starts the sequence of `seed`.
    pub fn new(seed: usize) -> Self {
        Self(seed as u64)
    }

    /// Returns a number of at least 0 and below 1.
    pub fn share(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        (mixed >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Returns a number below `bound`, uniformly distributed.
    pub fn below(&mut self, bound: usize) -> usize {
        ((self.share() * bound as f64) as usize).min(bound.saturating_sub(1))
    }

    /// Returns a number below `bound`, by Zipf's law: the n-th about 1/n as often as the first.
    pub fn ranked(&mut self, bound: usize) -> usize {
        let rank = (bound as f64).powf(self.share()) as usize;
        rank.clamp(1, bound.max(1)) - 1
    }
}

#[cfg(test)]
mod tests {
    use super::Choices;

    #[test]
    fn small_ranks_are_chosen_more_often_and_none_is_out_of_bounds() {
        let mut choices = Choices::new(7);
        let ranks: Vec<usize> = (0..10_000).map(|_| choices.ranked(100)).collect();
        let of = |rank: usize| ranks.iter().filter(|other| **other == rank).count();
        assert!(ranks.iter().all(|rank| *rank < 100));
        assert!(of(0) > 3 * of(9), "{} and {}", of(0), of(9));
        assert!((0..10_000).all(|_| choices.below(3) < 3));
    }
}
