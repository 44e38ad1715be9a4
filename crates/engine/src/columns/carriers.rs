//! The number of documents with a value in each filter field, by the groups that may see them.

use super::dictionary::FieldNumber;
use super::numbers::NumberRow;
use super::renumbering::Renumbering;
use domain::search::FilterField;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Number of the group set of documents that everybody may see.
const OPEN: u32 = 0;

/// Counts of documents by field, and by the group set that may see them.
#[derive(Clone, Default)]
pub(super) struct Carriers {
    all: Vec<u32>,
    /// Documents that everybody may see.
    open: Vec<u32>,
    /// The others by number of their group set, each behind its own pointer, so that a change copies only what it
    /// concerns. Sparse, because a set may have few documents.
    closed: Vec<Arc<BTreeMap<FieldNumber, u32>>>,
}

impl Carriers {
    /// Number of documents with a value in `field`.
    pub fn of_all(&self, field: FieldNumber) -> u32 {
        self.all.get(field as usize).copied().unwrap_or(0)
    }

    /// Returns the counts with new numbers of fields and group sets. Those with documents are in use and have a number.
    pub fn renumbered(&self, numbers: &Renumbering) -> Self {
        let mut next = Self::default();
        let carried = |counts: &[u32], next: &mut Vec<u32>| {
            let counts = (0..).zip(counts.iter().copied());
            for (field, count) in counts.filter(|(_, count)| *count > 0) {
                *at_least(next, numbers.field(field) as usize) = count;
            }
        };
        carried(&self.all, &mut next.all);
        carried(&self.open, &mut next.open);
        let closed = (0..).zip(&self.closed);
        for (set, own) in closed.filter(|(_, own)| !own.is_empty()) {
            let own = own
                .iter()
                .map(|(field, count)| (numbers.field(*field), *count));
            *at_least(&mut next.closed, numbers.groups(set) as usize) = Arc::new(own.collect());
        }
        next
    }

    /// Number of documents with a value in each field, over the group sets that are `admitted`.
    pub fn of_sets(&self, admitted: &[bool]) -> Vec<u32> {
        let mut carriers = vec![0; self.all.len()];
        if admitted.get(OPEN as usize) == Some(&true) {
            carriers[..self.open.len()].copy_from_slice(&self.open);
        }
        let closed = self.closed.iter().zip(admitted).filter(|(_, own)| **own);
        for (field, count) in closed.flat_map(|(own, _)| own.iter()) {
            carriers[*field as usize] += count;
        }
        carriers
    }

    /// Counts a document of the group set `set` with values in `fields`.
    pub fn add(&mut self, set: u32, fields: impl IntoIterator<Item = FieldNumber>) {
        if set == OPEN {
            for field in fields {
                *at_least(&mut self.all, field as usize) += 1;
                *at_least(&mut self.open, field as usize) += 1;
            }
            return;
        }
        let own = Arc::make_mut(at_least(&mut self.closed, set as usize));
        for field in fields {
            *at_least(&mut self.all, field as usize) += 1;
            *own.entry(field).or_default() += 1;
        }
    }

    /// Reverts [`Self::add`].
    pub fn remove(&mut self, set: u32, fields: impl IntoIterator<Item = FieldNumber>) {
        if set == OPEN {
            for field in fields {
                for counts in [&mut self.all, &mut self.open] {
                    let count = at_least(counts, field as usize);
                    *count = count.saturating_sub(1);
                }
            }
            return;
        }
        let own = Arc::make_mut(at_least(&mut self.closed, set as usize));
        for field in fields {
            let count = at_least(&mut self.all, field as usize);
            *count = count.saturating_sub(1);
            let left = own.remove(&field).map_or(0, |count| count - 1);
            if left > 0 {
                own.insert(field, left);
            }
        }
    }
}

/// The item at `at` of `all`, which is extended if needed.
fn at_least<T: Clone + Default>(all: &mut Vec<T>, at: usize) -> &mut T {
    if all.len() <= at {
        all.resize(at + 1, T::default());
    }
    &mut all[at]
}

/// The fields with a value in the numbers of a document. The number of a fixed field is its index.
pub(super) fn fields_of(row: &NumberRow) -> impl Iterator<Item = FieldNumber> {
    let carried = |field: &FilterField| match field {
        FilterField::Price => row.has_price(),
        FilterField::InStock => row.present(),
        FilterField::Rating => row.rating().is_some(),
        FilterField::Discount => row.has_discount(),
        FilterField::FeatureNum => row.feature_num().is_some(),
        _ => false,
    };
    (0..)
        .zip(FilterField::FIXED)
        .filter_map(move |(number, field)| carried(&field).then_some(number))
}
