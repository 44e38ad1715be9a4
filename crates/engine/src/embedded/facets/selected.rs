//! The values that a facet shows by name: those of products that the visitor may see. Other selected values are echoed
//! as they were sent, so that no name is disclosed by selecting ids.

use crate::columns::{DictionaryEntries, FieldNumber, ValueId, View};
use crate::embedded::topk::filters::{ChosenField, ChosenValues, Filters};
use crate::search_result::FacetValue;
use domain::search::FilterField;
use std::collections::BTreeSet;

/// Values of categories whose names the visitor may not see.
pub struct Unnamed(BTreeSet<ValueId>);

impl Unnamed {
    /// Returns the values of the categories with these `ids`, if `field` is that of categories.
    pub fn new(ids: &[String], field: &FilterField, entries: &DictionaryEntries<'_>) -> Self {
        let number = entries.number(field);
        let number = number.filter(|_| *field == FilterField::Categories);
        let values = number.into_iter().flat_map(|number| {
            let own = ids.iter().map(move |id| (number, id));
            own.flat_map(|(number, id)| {
                // A category may have the id of another one as its name.
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

/// The selection in one field, as its facet shows it.
#[derive(Default)]
pub struct Selected<'a> {
    /// Values that are shown by name, in order.
    pub values: Vec<ValueId>,
    /// Texts that mean none of these values.
    echoed: Vec<&'a str>,
}

impl<'a> Selected<'a> {
    /// Returns the selection of `filters` in `field`; `is_named` says which values are shown by name.
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

    /// Returns the texts that mean no value shown by name, as values of the facet.
    pub fn echoes(&self) -> impl Iterator<Item = FacetValue> {
        self.echoed.iter().map(|text| FacetValue {
            id: (*text).into(),
            label: (*text).into(),
            count: 0,
            selected: true,
        })
    }
}

/// Returns the values that are selected in `field`.
pub fn chosen<'a>(filters: &'a Filters, field: &FilterField) -> Option<&'a ChosenValues> {
    match filters.chosen(field) {
        Some(ChosenField::Values(chosen)) => Some(chosen),
        _ => None,
    }
}

/// Returns those of `values` that a product has which the visitor may see. Reads all products if there is none.
pub fn visible_values(
    field: FieldNumber,
    mut values: BTreeSet<ValueId>,
    view: &View<'_>,
) -> BTreeSet<ValueId> {
    let mut visible = BTreeSet::new();
    if values.is_empty() {
        return visible;
    }
    for seen in view.all() {
        for value in seen.values().of_field(field) {
            visible.extend(values.take(value));
        }
        if values.is_empty() {
            break;
        }
    }
    visible
}
