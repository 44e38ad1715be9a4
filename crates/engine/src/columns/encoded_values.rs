//! The facet values of one document by field: their encoding and decoding.

use super::dictionary::{FieldNumber, ValueId};
use super::renumbering::Renumbering;

/// Encodes the values of a document: for each field its number, the number of values, and the values in order.
pub(super) fn written(mut values: Vec<(FieldNumber, ValueId)>) -> Vec<u32> {
    values.sort_unstable();
    values.dedup();
    let mut all = Vec::with_capacity(2 * values.len());
    for own in values.chunk_by(|a, b| a.0 == b.0) {
        all.extend([own[0].0, own.len() as u32]);
        all.extend(own.iter().map(|(_, value)| *value));
    }
    all
}

/// Encodes values with new numbers, which keep the order.
pub(super) fn renumbered(own: EncodedValues<'_>, numbers: &Renumbering) -> Vec<u32> {
    let mut all = Vec::with_capacity(own.0.len());
    for (field, values) in own {
        all.extend([numbers.field(field), values.len() as u32]);
        all.extend(values.iter().map(|value| numbers.value(field, *value)));
    }
    all
}

/// The encoded fields of a document, by number, each with its values in order.
#[derive(Clone, Copy, Debug, Default)]
pub struct EncodedValues<'a>(&'a [u32]);

impl<'a> EncodedValues<'a> {
    /// Wraps values that were [`written`].
    pub(super) fn of(written: &'a [u32]) -> Self {
        Self(written)
    }

    /// The values of `field`.
    pub fn of_field(mut self, field: FieldNumber) -> &'a [ValueId] {
        let own = self.find(|(number, _)| *number >= field);
        own.filter(|(number, _)| *number == field)
            .map_or(&[], |(_, values)| values)
    }

    /// Each field with its values here and those in `other`, if any; a merge in linear time.
    pub(super) fn beside(
        self,
        mut other: EncodedValues<'a>,
    ) -> impl Iterator<Item = (FieldNumber, &'a [ValueId], Option<&'a [ValueId]>)> {
        let mut next = other.next();
        self.map(move |(field, values)| {
            while next.is_some_and(|(number, _)| number < field) {
                next = other.next();
            }
            let same = next.filter(|(number, _)| *number == field);
            (field, values, same.map(|(_, values)| values))
        })
    }

    /// The fields.
    pub fn fields(self) -> impl Iterator<Item = FieldNumber> {
        self.map(|(field, _)| field)
    }
}

impl<'a> Iterator for EncodedValues<'a> {
    type Item = (FieldNumber, &'a [ValueId]);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let [field, length, rest @ ..] = self.0 else {
            return None;
        };
        let (values, rest) = rest.split_at_checked(*length as usize)?;
        self.0 = rest;
        Some((*field, values))
    }
}
