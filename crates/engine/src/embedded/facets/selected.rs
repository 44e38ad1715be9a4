//! The selected values of a field that a visitor may see.

use crate::columns::{FieldNumber, ValueId, View};
use crate::embedded::topk::filters::{ChosenField, Filters};
use domain::search::FilterField;
use std::collections::BTreeSet;

/// Returns the values that the filter of `field` means, in order.
pub fn chosen<'a>(filters: &'a Filters, field: &FilterField) -> &'a [ValueId] {
    match filters.chosen(field) {
        Some(ChosenField::Values(chosen)) => &chosen.all,
        _ => &[],
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
