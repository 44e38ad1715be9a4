//! The sizes from which on the executor works in another way: the set that is shipped, and a small one with which
//! catalogues of a few dozen documents go every way that large ones do.
//!
//! They are constants of a type, so each set has machine code of its own, in which every one of them is known.

use std::ops::{Index, IndexMut};

/// A set of sizes. No result depends on it, only how a result is found.
pub(super) trait Scale: Copy + Default + Send + Sync + 'static {
    /// A bit for each document of a window: at most 64 words, and as an array none fewer at run time.
    type Lanes: LaneWords;

    /// Documents that are worked on together.
    const WINDOW: usize = Self::Lanes::COUNT * 64;

    /// Of so many windows one is in the sample that tells what the last of many hits may score.
    const STRIDE: usize;

    /// Windows of the shortest stretch that a thread takes at once, where there are several threads.
    const STRETCH_MIN: usize;

    /// Hits from which on a search is worth several threads.
    const HITS_MIN: usize;

    /// Documents from which on counting for facets is worth several threads.
    const SHARED_MIN: usize;

    /// Groups that facets count at once; of more, those that are shown are found out first.
    const GROUPS_COUNTED_MAX: usize;

    /// Documents of the longest posting list of a fuzzy term that is cached as it is.
    const SHORT_MAX: u32;
}

/// Words of bits, as many as their type says.
pub(super) trait LaneWords:
    Copy + Send + Sync + Index<usize, Output = u64> + IndexMut<usize> + AsRef<[u64]> + AsMut<[u64]>
{
    /// How many they are.
    const COUNT: usize;

    /// All of them with the bits of `word`.
    fn of(word: u64) -> Self;
}

impl<const COUNT: usize> LaneWords for [u64; COUNT] {
    const COUNT: usize = COUNT;

    #[inline]
    fn of(word: u64) -> Self {
        [word; COUNT]
    }
}

/// The sizes that are shipped.
#[derive(Clone, Copy, Default)]
pub(super) struct Shipped;

impl Scale for Shipped {
    type Lanes = [u64; 64];
    const STRIDE: usize = 32;
    const STRETCH_MIN: usize = 6;
    const HITS_MIN: usize = 100;
    /// Some hundred microseconds of work.
    const SHARED_MIN: usize = 8_192;
    const GROUPS_COUNTED_MAX: usize = 64;
    const SHORT_MAX: u32 = 16;
}

/// Sizes that small catalogues reach.
#[derive(Clone, Copy, Default)]
pub(super) struct Small;

impl Scale for Small {
    type Lanes = [u64; 2];
    const STRIDE: usize = 4;
    const STRETCH_MIN: usize = 1;
    const HITS_MIN: usize = 3;
    const SHARED_MIN: usize = 16;
    const GROUPS_COUNTED_MAX: usize = 2;
    const SHORT_MAX: u32 = 2;
}
