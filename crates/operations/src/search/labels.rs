//! Labels of facets: groups are called as in the shop, fixed fields as the widget's texts call them.

use crate::search::responses::{FacetValueView, FacetView};
use domain::labels::Labels;
use domain::search::{FilterField, FilterKind};
use engine::{Facet, FacetValue};

/// Returns the facets with their labels.
pub(super) fn facets(facets: &[Facet], labels: &Labels<'_>) -> Vec<FacetView> {
    facets.iter().map(|facet| view(facet, labels)).collect()
}

/// Returns one facet with its labels.
pub(super) fn view(facet: &Facet, labels: &Labels<'_>) -> FacetView {
    let kind = match facet.field.kind() {
        FilterKind::Range => "range",
        FilterKind::Flag => "boolean",
        FilterKind::Values => "list",
    };
    let values = facet.values.iter().map(|value| FacetValueView {
        id: value.id.to_string(),
        label: value_label(&facet.field, value, labels),
        count: value.count,
        selected: value.selected,
    });
    FacetView {
        field: facet.field.to_string(),
        label: field_label(&facet.field, &facet.group, labels),
        kind,
        values: facet.range.is_none().then(|| values.collect()),
        min: facet.range.map(|(min, _)| min),
        max: facet.range.map(|(_, max)| max),
    }
}

/// Returns the label of a field; `group` is the shop's name of its group, empty if it has none.
pub(crate) fn field_label(field: &FilterField, group: &str, labels: &Labels<'_>) -> String {
    match field {
        FilterField::Attributes(id) | FilterField::Features(id) => {
            let named = Some(group).filter(|name| !name.is_empty());
            named.unwrap_or(id).to_owned()
        }
        fixed => text_or_key(&format!("facet.{fixed}"), labels),
    }
}

/// Returns the label of one value.
pub(crate) fn value_label(field: &FilterField, value: &FacetValue, labels: &Labels<'_>) -> String {
    let is_true = &*value.id == "true";
    match field {
        FilterField::InStock | FilterField::Discount => {
            text_or_key(&format!("value.{field}.{is_true}"), labels)
        }
        _ => value.label.to_string(),
    }
}

fn text_or_key(key: &str, labels: &Labels<'_>) -> String {
    labels.text(key).unwrap_or(key).to_owned()
}
