//! What of the numbered things of an index is in use, and the numbers that it has once the rest is gone.

use super::dictionary::{FieldNumber, ValueId};

/// What is in use, by number.
#[derive(Clone, Debug, Default)]
pub(super) struct UseMarks(Vec<bool>);

impl UseMarks {
    /// Nothing of so many things.
    pub fn none(count: usize) -> Self {
        Self(vec![false; count])
    }

    /// Marks the thing of that number; one that there is not stays out.
    pub fn mark(&mut self, number: u32) {
        if let Some(mark) = self.0.get_mut(number as usize) {
            *mark = true;
        }
    }

    /// The new number of each, in the order of the former ones; of what is not marked it says nothing.
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

/// Those of `all` that are `marked`.
pub(super) fn kept<'a, T>(all: &'a [T], marked: &UseMarks) -> impl Iterator<Item = &'a T> {
    let marked = all.iter().zip(&marked.0);
    marked.filter_map(|(thing, marked)| marked.then_some(thing))
}

/// Everything that rows name, each with what of it is in use.
pub(super) struct InUse {
    /// Fields.
    pub fields: UseMarks,
    /// Values, by the number of their field.
    pub values: Vec<UseMarks>,
    /// Fields of prices.
    pub prices: UseMarks,
    /// Sets of groups.
    pub groups: UseMarks,
    /// Currencies.
    pub currencies: UseMarks,
}

/// The new numbers by the former ones. They are in the same order, so what was in order stays so.
pub(super) struct Renumbering {
    fields: Vec<u32>,
    values: Vec<Vec<u32>>,
    prices: Vec<u32>,
    groups: Vec<u32>,
    currencies: Vec<u32>,
}

impl Renumbering {
    /// The numbers of what is in use.
    pub fn of(in_use: &InUse) -> Self {
        Self {
            fields: in_use.fields.numbers(),
            values: in_use.values.iter().map(UseMarks::numbers).collect(),
            prices: in_use.prices.numbers(),
            groups: in_use.groups.numbers(),
            currencies: in_use.currencies.numbers(),
        }
    }

    /// The number of a field.
    pub fn field(&self, number: FieldNumber) -> FieldNumber {
        self.fields[number as usize]
    }

    /// The number of a value of the field that had the number `field`.
    pub fn value(&self, field: FieldNumber, number: ValueId) -> ValueId {
        self.values[field as usize][number as usize]
    }

    /// The number of a field of prices.
    pub fn price(&self, number: u32) -> u32 {
        self.prices[number as usize]
    }

    /// The number of a set of groups.
    pub fn groups(&self, number: u32) -> u32 {
        self.groups[number as usize]
    }

    /// The number of a currency; what is none stays none.
    pub fn currency(&self, number: u32) -> u32 {
        self.currencies
            .get(number as usize)
            .copied()
            .unwrap_or(number)
    }
}
