//! The values of a facet as the cluster returns them: documents by value and label.

use super::fields::{value_parts, value_prefix};
use super::queries::buckets;
use crate::FacetRequest;
use domain::search::FilterField;
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The values of a field: label and documents by id.
#[derive(Default)]
pub struct FieldValues {
    /// The values.
    pub values: BTreeMap<Arc<str>, CountedLabel>,
    /// The name of its group; empty for none.
    pub group: String,
}

/// The rank of a label that is the id, because no document states or derives another one.
const NAMELESS: (bool, bool) = (false, false);

/// No value.
pub static NO_VALUES: FieldValues = FieldValues {
    values: BTreeMap::new(),
    group: String::new(),
};

/// A value.
pub struct CountedLabel {
    /// Its label.
    pub label: Arc<str>,
    /// Whether documents state it, and whether they do or it is a name rather than the id.
    rank: (bool, bool),
    /// Documents with this label.
    most: u64,
    /// Documents that are counted.
    pub count: u64,
}

impl FieldValues {
    /// Adds the values of a response, with their documents if they are `counted`.
    pub fn add(&mut self, field: &FilterField, found: &Value, counted: bool) {
        for (term, documents) in buckets(&found["values"]) {
            let Some((id, is_stated, label)) = value_parts(field, term) else {
                continue;
            };
            let rank = (is_stated, is_stated || label != id);
            let value = self
                .values
                .entry(id.into())
                .or_insert_with(|| CountedLabel {
                    label: label.into(),
                    rank,
                    most: documents,
                    count: 0,
                });
            value.count += if counted { documents } else { 0 };
            // A label that documents state before one that is derived, a name before an id, then the commonest.
            if (rank, documents) > (value.rank, value.most) {
                (value.label, value.rank, value.most) = (label.into(), rank, documents);
            }
        }
        let names = buckets(&found["groups"])
            .filter_map(|(term, _)| term.strip_prefix(&value_prefix(field)));
        self.group = names.map(str::to_owned).next().unwrap_or_default();
    }

    /// The ids of values that have no name: no document states a label, and none derives one.
    pub fn nameless(&self) -> impl Iterator<Item = &str> {
        let values = self.values.iter();
        values.filter_map(|(id, value)| (value.rank == NAMELESS).then_some(&**id))
    }

    /// Gives values without a name the one that they have among `others`.
    pub fn name(&mut self, others: &Self) {
        for (id, value) in &mut self.values {
            if let Some(other) = others.values.get(id)
                && value.rank == NAMELESS
            {
                (value.label, value.rank) = (Arc::clone(&other.label), other.rank);
            }
        }
    }
}

/// The values of each facet that are shown without a document that matches.
pub fn values_shown(requested: &[FacetRequest], found: &Value) -> Vec<FieldValues> {
    let shown = requested.iter().enumerate().map(|(at, own)| {
        let mut values = FieldValues::default();
        values.add(&own.field, &found[at.to_string()], false);
        values
    });
    shown.collect()
}
