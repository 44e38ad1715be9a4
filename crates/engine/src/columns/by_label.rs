//! The values of a field by their label; several values may share one.

use super::dictionary::ValueId;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// Values by their current label.
#[derive(Default)]
pub(super) struct ByLabel(HashMap<Arc<str>, Named>);

/// The values with one label, mostly a single one.
enum Named {
    One(ValueId),
    Several(BTreeSet<ValueId>),
}

impl ByLabel {
    /// Adds a value with the label `label`.
    pub fn insert(&mut self, label: &Arc<str>, value: ValueId) {
        let named = self.0.entry(Arc::clone(label));
        let named = named.or_insert(Named::One(value));
        match named {
            Named::One(one) if *one == value => {}
            Named::One(one) => *named = Named::Several([*one, value].into()),
            Named::Several(several) => drop(several.insert(value)),
        }
    }

    /// Removes a value that had the label `label`.
    pub fn remove(&mut self, label: &str, value: ValueId) {
        let is_empty = match self.0.get_mut(label) {
            Some(Named::One(one)) => *one == value,
            Some(Named::Several(several)) => {
                several.remove(&value);
                several.is_empty()
            }
            None => false,
        };
        if is_empty {
            self.0.remove(label);
        }
    }

    /// The values with the label `label`, in order.
    pub fn of(&self, label: &str) -> impl Iterator<Item = ValueId> {
        let (one, several) = match self.0.get(label) {
            Some(Named::One(one)) => (Some(*one), None),
            Some(Named::Several(several)) => (None, Some(several)),
            None => (None, None),
        };
        let several = several.into_iter().flatten().copied();
        one.into_iter().chain(several)
    }
}
