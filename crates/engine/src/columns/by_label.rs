//! The values of a field by their text, of which several may have the same.

use super::dictionary::ValueId;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// Values by the text that each has now.
#[derive(Default)]
pub(super) struct ByLabel(HashMap<Arc<str>, Named>);

/// The values that have one text: mostly there is one.
enum Named {
    One(ValueId),
    Several(BTreeSet<ValueId>),
}

impl ByLabel {
    /// Notes that a value has the text `label`.
    pub fn insert(&mut self, label: &Arc<str>, value: ValueId) {
        let named = self.0.entry(Arc::clone(label));
        let named = named.or_insert(Named::One(value));
        match named {
            Named::One(one) if *one == value => {}
            Named::One(one) => *named = Named::Several([*one, value].into()),
            Named::Several(several) => drop(several.insert(value)),
        }
    }

    /// Notes that a value has the text `label` no more.
    pub fn remove(&mut self, label: &str, value: ValueId) {
        let is_gone = match self.0.get_mut(label) {
            Some(Named::One(one)) => *one == value,
            Some(Named::Several(several)) => {
                several.remove(&value);
                several.is_empty()
            }
            None => false,
        };
        if is_gone {
            self.0.remove(label);
        }
    }

    /// The values whose text is `label`, in order.
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
