//! Which interned entries are in use, and their new numbers once the others are removed.

use super::dictionary::{FieldNumber, ValueId};

/// Marks of entries in use, by number.
#[derive(Clone, Debug, Default)]
pub(super) struct UseMarks(Vec<bool>);

impl UseMarks {
    /// No marks for `count` entries.
    pub fn none(count: usize) -> Self {
        Self(vec![false; count])
    }

    /// Marks the entry with this number; a number out of range is ignored.
    pub fn mark(&mut self, number: u32) {
        if let Some(mark) = self.0.get_mut(number as usize) {
            *mark = true;
        }
    }

    /// The new number of each entry, in the same order; meaningless for entries that are not marked.
    fn numbers(&self) -> Vec<u32> {
        let mut next = 0;
        let number = |marked: &bool| {
            let number = next;
            next += u32::from(*marked);
            number
        };
        self.0.iter().map(number).collect()
    }
}

/// The items of `all` that are `marked`.
pub(super) fn kept<'a, T>(all: &'a [T], marked: &UseMarks) -> impl Iterator<Item = &'a T> {
    let marked = all.iter().zip(&marked.0);
    marked.filter_map(|(item, marked)| marked.then_some(item))
}

/// The marks of all kinds of entries.
pub(super) struct InUse {
    /// Fields.
    pub fields: UseMarks,
    /// Values, by the number of their field.
    pub values: Vec<UseMarks>,
    /// Fields of prices.
    pub prices: UseMarks,
    /// Group sets.
    pub groups: UseMarks,
    /// Currencies.
    pub currencies: UseMarks,
}

/// The new numbers by the old ones, in the same order, so that sorted lists stay sorted.
pub(super) struct Renumbering {
    fields: Vec<u32>,
    values: Vec<Vec<u32>>,
    prices: Vec<u32>,
    groups: Vec<u32>,
    currencies: Vec<u32>,
}

impl Renumbering {
    /// The new numbers of the entries in use.
    pub fn of(in_use: &InUse) -> Self {
        Self {
            fields: in_use.fields.numbers(),
            values: in_use.values.iter().map(UseMarks::numbers).collect(),
            prices: in_use.prices.numbers(),
            groups: in_use.groups.numbers(),
            currencies: in_use.currencies.numbers(),
        }
    }

    /// The new number of a field.
    pub fn field(&self, number: FieldNumber) -> FieldNumber {
        self.fields[number as usize]
    }

    /// The new number of a value of the field with the old number `field`.
    pub fn value(&self, field: FieldNumber, number: ValueId) -> ValueId {
        self.values[field as usize][number as usize]
    }

    /// The new number of a price field.
    pub fn price(&self, number: u32) -> u32 {
        self.prices[number as usize]
    }

    /// The new number of a group set.
    pub fn groups(&self, number: u32) -> u32 {
        self.groups[number as usize]
    }

    /// The new number of a currency; a missing one stays missing.
    pub fn currency(&self, number: u32) -> u32 {
        self.currencies
            .get(number as usize)
            .copied()
            .unwrap_or(number)
    }
}
