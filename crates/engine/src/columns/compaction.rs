//! Compaction: renumbers columns once less than half of their interned entries are in use.

use super::Columns;
use super::numbers;
use super::renumbering::{InUse, Renumbering};
use std::sync::Arc;

/// Bytes of interned entries below which columns are never compacted.
const SLACK_BYTES: usize = 1024 * 1024;

impl Columns {
    /// Returns these columns, or a compacted copy when less than half of the interned entries are in use. Earlier
    /// states are not changed.
    ///
    /// Rows are scanned only when a lower bound of the bytes in use suggests it.
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
        let in_use = self.find_in_use();
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

    /// Whether the numbers of entries have the same meaning in `other`.
    pub fn numbers_as(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.shared, &other.shared)
    }

    /// Marks every entry that a row refers to.
    fn find_in_use(&self) -> InUse {
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
