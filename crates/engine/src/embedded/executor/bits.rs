//! Sets of documents of one window as bits, and counting over several of them at once.

use super::WINDOW;

const LANES: usize = WINDOW / 64;
/// Planes of a bit-sliced counter: enough for 32 words.
const PLANES: usize = 6;

/// Documents of one window, by their distance from its start.
#[derive(Clone)]
pub struct Bits([u64; LANES]);

impl Bits {
    /// No document.
    pub fn none() -> Self {
        Self([0; LANES])
    }

    /// Every document.
    pub fn all() -> Self {
        Self([u64::MAX; LANES])
    }

    pub fn clear(&mut self) {
        self.0 = [0; LANES];
    }

    pub fn set(&mut self, at: usize) {
        self.0[at / 64] |= 1 << (at % 64);
    }

    pub fn unset(&mut self, at: usize) {
        self.0[at / 64] &= !(1 << (at % 64));
    }

    pub fn has(&self, at: usize) -> bool {
        self.0[at / 64] & (1 << (at % 64)) != 0
    }

    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|lane| *lane == 0)
    }

    pub fn count(&self) -> usize {
        self.0.iter().map(|lane| lane.count_ones() as usize).sum()
    }

    pub fn add(&mut self, other: &Self) {
        for (lane, more) in self.0.iter_mut().zip(&other.0) {
            *lane |= more;
        }
    }

    pub fn remove(&mut self, other: &Self) {
        for (lane, removed) in self.0.iter_mut().zip(&other.0) {
            *lane &= !removed;
        }
    }

    /// What is in both.
    pub fn both(&self, other: &Self) -> Self {
        let mut both = self.clone();
        both.keep(other);
        both
    }

    pub fn keep(&mut self, other: &Self) {
        for (lane, kept) in self.0.iter_mut().zip(&other.0) {
            *lane &= kept;
        }
    }

    /// Those of `documents` that are in it.
    pub fn with_those(&self, documents: &[u16]) -> Self {
        let mut both = Self::none();
        let own = documents.iter().map(|at| usize::from(*at));
        own.filter(|at| self.has(*at)).for_each(|at| both.set(at));
        both
    }

    /// The first `count` documents.
    pub fn first(&self, count: usize) -> Self {
        let mut first = Self::none();
        self.iter().take(count).for_each(|at| first.set(at));
        first
    }

    /// The documents, in order.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().enumerate().flat_map(|(lane, bits)| {
            let mut rest = *bits;
            std::iter::from_fn(move || {
                let at = (rest != 0).then(|| lane * 64 + rest.trailing_zeros() as usize);
                rest &= rest.wrapping_sub(1);
                at
            })
        })
    }

    /// The documents that are in at least `least` of `sets`.
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
            found = Self::all();
            sets.iter().for_each(|set| found.keep(set));
            return found;
        }
        for lane in 0..LANES {
            let mut planes = [0u64; PLANES];
            for set in sets {
                let mut carry = set.0[lane];
                for plane in &mut planes {
                    let next = *plane & carry;
                    *plane ^= carry;
                    carry = next;
                }
            }
            found.0[lane] = not_below(&planes, least);
        }
        found
    }
}

/// Bits whose counter in `planes` is at least `least`.
fn not_below(planes: &[u64; PLANES], least: usize) -> u64 {
    let (mut above, mut equal) = (0u64, u64::MAX);
    for (place, plane) in planes.iter().enumerate().rev() {
        if least >> place & 1 == 1 {
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
    use super::*;

    #[test]
    fn counting_agrees_with_one_by_one() {
        let sets: Vec<Bits> = (1..=32)
            .map(|step| {
                let mut bits = Bits::none();
                (0..WINDOW).step_by(step).for_each(|at| bits.set(at));
                bits
            })
            .collect();
        for least in [1, 2, 3, 7, 16, 31, 32, 33] {
            let found = Bits::in_at_least(least, &sets.iter().collect::<Vec<_>>());
            for at in 0..WINDOW {
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
    fn documents_come_in_order() {
        let mut bits = Bits::none();
        [WINDOW - 1, 1, 2, 0]
            .into_iter()
            .for_each(|at| bits.set(at));
        bits.unset(1);
        assert_eq!(bits.iter().collect::<Vec<_>>(), [0, 2, WINDOW - 1]);
        assert_eq!(bits.count(), 3);
    }
}
