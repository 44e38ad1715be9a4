//! Columns anew once less than half of what they number is in use.

use super::Columns;
use super::numbers;
use super::renumbering::{InUse, Renumbering};
use std::sync::Arc;

/// Bytes of things without use that are no reason to do anything.
const SLACK_BYTES: usize = 1024 * 1024;

impl Columns {
    /// These columns, or, where less than half of what they number is in use, the same with new numbers for that half
    /// alone. States of before stay as they are.
    ///
    /// It is looked for only where so much may be out of use, which a few numbers tell; then every row is looked at.
    #[must_use]
    pub fn compacted(self) -> Self {
        self.compacted_beyond(SLACK_BYTES)
    }

    fn compacted_beyond(self, slack: usize) -> Self {
        let held = self.shared.bytes();
        let is_sparse = |in_use: usize| held > slack && in_use < held / 2;
        if !is_sparse(self.in_use) {
            return self;
        }
        let in_use = self.look_for_use();
        let shared = self.shared.only(&in_use);
        let bytes = shared.bytes();
        if !is_sparse(bytes) {
            return Self {
                in_use: bytes,
                ..self
            };
        }
        let renumbering = Renumbering::of(&in_use);
        let numbers = self.numbers.iter();
        let numbers = numbers.map(|chunk| match numbers::is_empty(chunk) {
            true => Arc::clone(chunk),
            false => Arc::new(chunk.renumbered(&renumbering)),
        });
        let labels = self.labels.iter();
        let labels = labels.map(|chunk| Arc::new(chunk.renumbered(&renumbering)));
        Self {
            numbers: numbers.collect(),
            labels: Arc::new(labels.collect()),
            carriers: Arc::new(self.carriers.renumbered(&renumbering)),
            ids: self.ids.clone(),
            in_use: bytes,
            shared: Arc::new(shared),
        }
    }

    /// Whether numbers of things mean the same here and in `other`.
    pub fn numbers_as(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.shared, &other.shared)
    }

    /// Everything that a row names.
    fn look_for_use(&self) -> InUse {
        let mut in_use = self.shared.unmarked();
        for chunk in self
            .numbers
            .iter()
            .filter(|chunk| !numbers::is_empty(chunk))
        {
            chunk.mark(&mut in_use);
        }
        for chunk in self.labels.iter() {
            for (field, values) in chunk.all_values() {
                in_use.fields.mark(field);
                let marks = &mut in_use.values[field as usize];
                values.iter().for_each(|value| marks.mark(*value));
            }
        }
        in_use
    }
}

#[cfg(test)]
mod tests;
