//! Size thresholds of the executor: those of the product, and small ones for tests, with which a few dozen documents take
//! every code path of a large index.
//!
//! They are associated constants, so that the code of each scale is compiled with constant sizes.

use std::ops::{Index, IndexMut};

/// A set of sizes. Results do not depend on it.
pub(super) trait Scale: Copy + Default + Send + Sync + 'static {
    /// A bit for each document of a block: an array of at most 64 words.
    type Lanes: LaneWords;

    /// Documents of a block.
    const BLOCK: usize = Self::Lanes::COUNT * 64;

    /// One of so many blocks is in the sample from which the first threshold is estimated.
    const SAMPLE_STRIDE: usize;

    /// Fewest hits for which the first threshold is estimated.
    const SAMPLE_HITS_MIN: usize;

    /// Fewest documents for which counting facets uses several threads.
    const PARALLEL_DOCUMENTS_MIN: usize;

    /// Most facet groups that are counted at once; of more, those to return are determined first.
    const GROUPS_COUNTED_MAX: usize;

    /// Longest posting list of a fuzzy term that is cached as a whole.
    const SHORT_POSTINGS_MAX: u32;
}

/// A fixed number of 64-bit words.
pub(super) trait LaneWords:
    Copy + Send + Sync + Index<usize, Output = u64> + IndexMut<usize> + AsRef<[u64]> + AsMut<[u64]>
{
    /// Number of words.
    const COUNT: usize;

    /// All words set to `word`.
    fn of(word: u64) -> Self;
}

impl<const COUNT: usize> LaneWords for [u64; COUNT] {
    const COUNT: usize = COUNT;

    #[inline]
    fn of(word: u64) -> Self {
        [word; COUNT]
    }
}

/// The sizes of the product.
#[derive(Clone, Copy, Default)]
pub(super) struct Shipped;

impl Scale for Shipped {
    type Lanes = [u64; 64];
    const SAMPLE_STRIDE: usize = 32;
    const SAMPLE_HITS_MIN: usize = 100;
    /// Some hundred microseconds of work.
    const PARALLEL_DOCUMENTS_MIN: usize = 8_192;
    const GROUPS_COUNTED_MAX: usize = 64;
    const SHORT_POSTINGS_MAX: u32 = 16;
}

/// Sizes for tests, which small catalogues exceed.
#[derive(Clone, Copy, Default)]
pub(super) struct Small;

impl Scale for Small {
    type Lanes = [u64; 2];
    const SAMPLE_STRIDE: usize = 4;
    const SAMPLE_HITS_MIN: usize = 3;
    const PARALLEL_DOCUMENTS_MIN: usize = 16;
    const GROUPS_COUNTED_MAX: usize = 2;
    const SHORT_POSTINGS_MAX: u32 = 2;
}
