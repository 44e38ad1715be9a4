//! How many documents carry each field that shoppers may filter by.

use super::dictionary::FieldNumber;
use super::numbers::NumberRow;
use domain::search::FilterField;

/// Documents by number of the field.
#[derive(Clone, Default)]
pub(super) struct Carriers(Vec<u32>);

impl Carriers {
    /// Documents that carry the field of that number.
    pub fn of(&self, field: FieldNumber) -> u32 {
        self.0.get(field as usize).copied().unwrap_or(0)
    }

    /// All fields with their documents, in the order of their numbers.
    pub fn all(&self) -> impl Iterator<Item = (FieldNumber, u32)> {
        (0..)
            .zip(self.0.iter().copied())
            .filter(|(_, count)| *count > 0)
    }

    /// Says how many documents carry a field.
    pub fn set(&mut self, field: FieldNumber, count: u32) {
        let at = field as usize;
        if self.0.len() <= at {
            self.0.resize(at + 1, 0);
        }
        self.0[at] = count;
    }

    pub fn add(&mut self, fields: impl IntoIterator<Item = FieldNumber>) {
        for field in fields {
            let at = field as usize;
            if self.0.len() <= at {
                self.0.resize(at + 1, 0);
            }
            self.0[at] += 1;
        }
    }

    pub fn remove(&mut self, fields: impl IntoIterator<Item = FieldNumber>) {
        for field in fields {
            if let Some(count) = self.0.get_mut(field as usize) {
                *count = count.saturating_sub(1);
            }
        }
    }
}

/// The fields that the numbers of a document carry. The numbers of the fixed fields are their places.
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
