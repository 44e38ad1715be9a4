//! A bitset of the documents of one block, and counting over several of them at once.
//!
//! A dense bit set per block, as the bitmap containers of Roaring (Chambi, Lemire, Kaser & Godin, "Better bitmap
//! performance with Roaring bitmaps", 2016). Membership in several sets is counted by bit-sliced adders: Kaser &
//! Lemire, "Compressed bitmap indexes: beyond unions and intersections", 2016.

use crate::embedded::scale::{LaneWords, Scale};
use tantivy::DocId;

/// Used lanes from which on going through all lanes costs less than picking the used ones.
const MANY: u32 = 20;
/// Planes of a bit-sliced counter: enough for 32 words.
const PLANES: usize = 6;

/// Documents of one block, as offsets in the block.
#[derive(Clone)]
pub struct Bits<S: Scale> {
    lanes: S::Lanes,
    /// The lanes that may contain a document; all others are 0. Most sets of most blocks are nearly empty.
    used: u64,
}

/// Returns the indices of the bits that are set in `lanes`.
fn each(mut lanes: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let at = (lanes != 0).then(|| lanes.trailing_zeros() as usize);
        lanes &= lanes.wrapping_sub(1);
        at
    })
}

impl<S: Scale> Bits<S> {
    /// Returns the empty set.
    pub fn none() -> Self {
        Self {
            lanes: S::Lanes::of(0),
            used: 0,
        }
    }

    /// Returns the set of all documents.
    pub fn all() -> Self {
        Self {
            lanes: S::Lanes::of(u64::MAX),
            used: u64::MAX >> (64 - S::Lanes::COUNT),
        }
    }

    fn is_crowded(used: u64) -> bool {
        used.count_ones() >= MANY.min(S::Lanes::COUNT as u32)
    }

    pub fn clear(&mut self) {
        if Self::is_crowded(self.used) {
            self.lanes = S::Lanes::of(0);
        } else {
            each(self.used).for_each(|lane| self.lanes[lane] = 0);
        }
        self.used = 0;
    }

    pub fn set(&mut self, at: usize) {
        self.lanes[at / 64] |= 1 << (at % 64);
        self.used |= 1 << (at / 64);
    }

    /// Adds `documents`, which belong to the block that begins at `start`.
    pub fn set_all(&mut self, documents: &[DocId], start: DocId) {
        let mut used = self.used;
        for document in documents {
            // No document is outside; the remainder spares the bounds check.
            let at = (document - start) as usize % S::BLOCK;
            self.lanes[at / 64] |= 1 << (at % 64);
            used |= 1 << (at / 64);
        }
        self.used = used;
    }

    pub fn unset(&mut self, at: usize) {
        self.lanes[at / 64] &= !(1 << (at % 64));
    }

    pub fn has(&self, at: usize) -> bool {
        self.lanes[at / 64] & (1 << (at % 64)) != 0
    }

    pub fn is_empty(&self) -> bool {
        each(self.used).all(|lane| self.lanes[lane] == 0)
    }

    pub fn count(&self) -> usize {
        let of_lane = |lane: usize| self.lanes[lane].count_ones() as usize;
        each(self.used).map(of_lane).sum()
    }

    pub fn add(&mut self, other: &Self) {
        if Self::is_crowded(other.used) {
            let pairs = self.lanes.as_mut().iter_mut().zip(other.lanes.as_ref());
            pairs.for_each(|(lane, more)| *lane |= more);
        } else {
            each(other.used).for_each(|lane| self.lanes[lane] |= other.lanes[lane]);
        }
        self.used |= other.used;
    }

    pub fn remove(&mut self, other: &Self) {
        let shared = self.used & other.used;
        if Self::is_crowded(shared) {
            let pairs = self.lanes.as_mut().iter_mut().zip(other.lanes.as_ref());
            pairs.for_each(|(lane, removed)| *lane &= !removed);
        } else {
            each(shared).for_each(|lane| self.lanes[lane] &= !other.lanes[lane]);
        }
    }

    /// Whether both may have a document in common, which takes no look at the documents.
    pub fn may_intersect(&self, other: &Self) -> bool {
        self.used & other.used != 0
    }

    /// Returns the intersection.
    pub fn both(&self, other: &Self) -> Self {
        let shared = self.used & other.used;
        if Self::is_crowded(shared) {
            let mut both = self.clone();
            both.keep(other);
            return both;
        }
        let mut both = Self::none();
        for lane in each(shared) {
            both.lanes[lane] = self.lanes[lane] & other.lanes[lane];
            both.used |= u64::from(both.lanes[lane] != 0) << lane;
        }
        both
    }

    pub fn keep(&mut self, other: &Self) {
        if Self::is_crowded(self.used) {
            let pairs = self.lanes.as_mut().iter_mut().zip(other.lanes.as_ref());
            pairs.for_each(|(lane, kept)| *lane &= kept);
        } else {
            each(self.used).for_each(|lane| self.lanes[lane] &= other.lanes[lane]);
        }
        self.used &= other.used;
    }

    /// Returns those of `documents` that are in the set.
    pub fn with_those(&self, documents: &[u16]) -> Self {
        let mut both = Self::none();
        let own = documents.iter().map(|at| usize::from(*at));
        own.filter(|at| self.has(*at)).for_each(|at| both.set(at));
        both
    }

    /// Returns the first `count` documents.
    pub fn first(&self, count: usize) -> Self {
        let mut first = Self::none();
        self.iter().take(count).for_each(|at| first.set(at));
        first
    }

    /// Returns the documents, in order.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        let of_lane = |lane: usize| each(self.lanes[lane]).map(move |at| lane * 64 + at);
        each(self.used).flat_map(of_lane)
    }

    /// Returns the documents that are in at least `least` of `sets`.
    pub fn in_at_least(least: usize, sets: &[&Self]) -> Self {
        let mut found = Self::none();
        if least == 0 || least > sets.len() {
            return found;
        }
        if least == 1 {
            sets.iter().for_each(|set| found.add(set));
            return found;
        }
        if least == sets.len() {
            found = sets[0].clone();
            sets[1..].iter().for_each(|set| found.keep(set));
            return found;
        }
        found.used = sets.iter().fold(0, |used, set| used | set.used);
        for lane in each(found.used) {
            let mut planes = [0u64; PLANES];
            for set in sets {
                let mut carry = set.lanes[lane];
                for plane in &mut planes {
                    let next = *plane & carry;
                    *plane ^= carry;
                    carry = next;
                }
            }
            found.lanes[lane] = not_below(&planes, least);
        }
        found
    }
}

/// Returns the bits whose counter in `planes` is at least `least`.
fn not_below(planes: &[u64; PLANES], least: usize) -> u64 {
    let (mut above, mut equal) = (0u64, u64::MAX);
    for (index, plane) in planes.iter().enumerate().rev() {
        if least >> index & 1 == 1 {
            equal &= plane;
        } else {
            above |= equal & plane;
            equal &= !plane;
        }
    }
    above | equal
}

#[cfg(test)]
mod tests {
    //! For the shipped scale and the small one:
    //!
    //! 1. Sets behave like sets, nearly empty ones and crowded ones.
    //!
    //! 2. Counting over several sets agrees with counting one by one. 3. Documents come in order.

    use super::super::super::scale::{Shipped, Small};
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    type Documents = BTreeSet<usize>;

    fn bits<S: Scale>(documents: &Documents) -> Bits<S> {
        let mut bits = Bits::none();
        documents.iter().for_each(|at| bits.set(*at));
        bits
    }

    fn documents<S: Scale>() -> impl Strategy<Value = Documents> {
        let few = proptest::collection::btree_set(0..S::BLOCK / 8, 0..4);
        let many = proptest::collection::btree_set(0..S::BLOCK, 0..S::BLOCK / 4);
        prop_oneof![few, many]
    }

    fn three<S: Scale>() -> impl Strategy<Value = [Documents; 3]> {
        [documents::<S>(), documents::<S>(), documents::<S>()]
    }

    fn assert_sets<S: Scale>([a, b, c]: [Documents; 3]) -> Result<(), TestCaseError> {
        let seen = |bits: &Bits<S>| bits.iter().collect::<Documents>();
        let (bits_a, bits_b) = (bits::<S>(&a), bits::<S>(&b));
        let shared: Documents = a.intersection(&b).copied().collect();
        prop_assert_eq!(&seen(&bits_a.both(&bits_b)), &shared);
        let mut kept = bits_a.clone();
        kept.keep(&bits_b);
        prop_assert_eq!(&seen(&kept), &shared);
        prop_assert_eq!(kept.count(), shared.len());
        prop_assert_eq!(kept.is_empty(), shared.is_empty());
        kept.add(&bits(&c));
        prop_assert_eq!(
            seen(&kept),
            shared.union(&c).copied().collect::<Documents>()
        );
        let mut left = bits_a.clone();
        left.remove(&bits_b);
        prop_assert_eq!(
            seen(&left),
            a.difference(&b).copied().collect::<Documents>()
        );
        left.clear();
        prop_assert!(left.is_empty());
        left.add(&bits_b);
        prop_assert_eq!(seen(&left), b);
        Ok(())
    }

    proptest! {
        #[test]
        fn sets_do_what_sets_do(small in three::<Small>(), shipped in three::<Shipped>()) {
            assert_sets::<Small>(small)?;
            assert_sets::<Shipped>(shipped)?;
        }
    }

    fn assert_counting_agrees<S: Scale>() {
        let sets: Vec<Bits<S>> = (1..=32)
            .map(|step| {
                let mut bits = Bits::none();
                (0..S::BLOCK).step_by(step).for_each(|at| bits.set(at));
                bits
            })
            .collect();
        for least in [1, 2, 3, 7, 16, 31, 32, 33] {
            let found = Bits::in_at_least(least, &sets.iter().collect::<Vec<_>>());
            for at in 0..S::BLOCK {
                let count = sets.iter().filter(|set| set.has(at)).count();
                assert_eq!(
                    found.has(at),
                    count >= least,
                    "{at} in {count}, least {least}"
                );
            }
        }
    }

    #[test]
    fn counting_agrees_with_one_by_one() {
        assert_counting_agrees::<Small>();
        assert_counting_agrees::<Shipped>();
    }

    fn assert_in_order<S: Scale>() {
        let mut bits = Bits::<S>::none();
        [S::BLOCK - 1, 1, 2, 0]
            .into_iter()
            .for_each(|at| bits.set(at));
        bits.unset(1);
        assert_eq!(bits.iter().collect::<Vec<_>>(), [0, 2, S::BLOCK - 1]);
        assert_eq!(bits.count(), 3);
        let all: Vec<usize> = Bits::<S>::all().iter().collect();
        assert_eq!(all, (0..S::BLOCK).collect::<Vec<_>>());
    }

    #[test]
    fn documents_come_in_order() {
        assert_in_order::<Small>();
        assert_in_order::<Shipped>();
    }
}
