//! Which values a facet names: those of products that the visitor may see. What he selected beside them is echoed as it
//! was sent, so that no name is learnt by selecting ids.

use super::filters::{ChosenField, ChosenValues, Filters};
use crate::columns::{DictionaryEntries, FieldNumber, ValueId, View};
use crate::search_result::FacetValue;
use domain::search::FilterField;
use std::collections::BTreeSet;

/// Values of categories whose names the visitor may not learn.
pub struct Unnamed(BTreeSet<ValueId>);

impl Unnamed {
    /// The values of the categories with these `ids`, in the facet of `field`; none in any other.
    pub fn new(ids: &[String], field: &FilterField, entries: &DictionaryEntries<'_>) -> Self {
        let number = entries.number(field);
        let number = number.filter(|_| *field == FilterField::Categories);
        let values = number.into_iter().flat_map(|number| {
            let own = ids.iter().map(move |id| (number, id));
            own.flat_map(|(number, id)| {
                // A category may be called like the id of another.
                let found = entries.find(field, id).into_iter();
                found.filter(move |value| **entries.value(number, *value).0 == **id)
            })
        });
        Self(values.collect())
    }

    pub fn has(&self, value: ValueId) -> bool {
        self.0.contains(&value)
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// What was selected of one field, as its facet shows it.
#[derive(Default)]
pub struct Selected<'a> {
    /// Values that are named, in order.
    pub values: Vec<ValueId>,
    /// Texts that mean none of these.
    echoed: Vec<&'a str>,
}

impl<'a> Selected<'a> {
    /// What `filters` select of `field`, of which the values are named of which `is_named` is true.
    pub fn new(
        filters: &'a Filters,
        field: &FilterField,
        is_named: impl Fn(ValueId) -> bool,
    ) -> Self {
        let Some(chosen) = chosen(filters, field) else {
            return Self::default();
        };
        let values = chosen.all.iter().copied();
        let values: Vec<ValueId> = values.filter(|value| is_named(*value)).collect();
        let named = |value: &ValueId| values.binary_search(value).is_ok();
        let echoed = chosen.sent.iter();
        let echoed = echoed.filter(|(_, own)| !own.iter().any(named));
        Self {
            echoed: echoed.map(|(text, _)| text.as_str()).collect(),
            values,
        }
    }

    pub fn has(&self, value: ValueId) -> bool {
        self.values.binary_search(&value).is_ok()
    }

    /// What is shown of the texts that mean no value that is named.
    pub fn echoes(&self) -> impl Iterator<Item = FacetValue> {
        self.echoed.iter().map(|text| FacetValue {
            id: (*text).into(),
            label: (*text).into(),
            count: 0,
            selected: true,
        })
    }
}

/// The values that were chosen of `field`.
pub fn chosen<'a>(filters: &'a Filters, field: &FilterField) -> Option<&'a ChosenValues> {
    match filters.chosen(field) {
        Some(ChosenField::Values(chosen)) => Some(chosen),
        _ => None,
    }
}

/// Those of `values` that any product has which the visitor may see. All products are gone through where one has none.
pub fn carried(
    field: FieldNumber,
    mut values: BTreeSet<ValueId>,
    view: &View<'_>,
) -> BTreeSet<ValueId> {
    let mut carried = BTreeSet::new();
    if values.is_empty() {
        return carried;
    }
    for seen in view.all() {
        for value in seen.values().of_field(field) {
            carried.extend(values.take(value));
        }
        if values.is_empty() {
            break;
        }
    }
    carried
}
