//! Counts as facets: which fields are shown, which of their values, in which order.

use super::facets::Counts;
use super::filters::{Chosen, Filters};
use crate::columns::{Dictionary, Entries, FieldNumber, ValueId};
use crate::found::{Facet, FacetValue};
use domain::limits::{FACET_GROUPS_MAX, FACET_VALUES_MAX};
use domain::search::{FilterField, FilterKind};

/// The facets of an answer: the automatic ones where documents carry them, and every field that was chosen.
pub(super) fn facets(counts: &Counts, filters: &Filters, dictionary: &Dictionary) -> Vec<Facet> {
    let entries = dictionary.read();
    let fixed = FilterField::FIXED.into_iter().filter(|field| {
        let automatic = !matches!(
            field,
            FilterField::Supplier | FilterField::Tags | FilterField::FeatureNum
        );
        automatic || filters.chosen(field).is_some()
    });
    let fixed = fixed.map(|field| match field.kind() {
        FilterKind::Flag => flag_facet(field, counts, filters),
        FilterKind::Range => range_facet(field, counts),
        FilterKind::Values => value_facet(field, counts, filters, &entries),
    });
    let groups = commonest_groups(counts, filters, &entries).into_iter();
    let groups = groups.map(|field| value_facet(field, counts, filters, &entries));
    fixed.flatten().chain(groups.flatten()).collect()
}

/// The groups that most of the found products carry, and those that were chosen.
fn commonest_groups(counts: &Counts, filters: &Filters, entries: &Entries<'_>) -> Vec<FilterField> {
    let carriers = carriers(counts, entries);
    let groups = entries.fields().filter(|(_, field, _)| field.is_group());
    let mut carried: Vec<(u32, &FilterField)> = groups
        .map(|(number, field, _)| (carriers[number as usize], field))
        .filter(|(carriers, _)| *carriers > 0)
        .collect();
    carried.sort_unstable_by(|(many, a), (few, b)| few.cmp(many).then_with(|| a.cmp(b)));
    carried.truncate(FACET_GROUPS_MAX);
    let mut shown: Vec<FilterField> = carried
        .into_iter()
        .map(|(_, field)| field.clone())
        .collect();
    let chosen = filters.tests().iter().map(|test| &test.field);
    for field in chosen.filter(|field| field.is_group()) {
        if !shown.contains(field) {
            shown.push(field.clone());
        }
    }
    shown
}

/// Documents that carry each group: a document with several values of one counts once.
fn carriers(counts: &Counts, entries: &Entries<'_>) -> Vec<u32> {
    let mut carriers = vec![0u32; entries.fields().count()];
    for (field, count) in entries.field_of().iter().zip(&counts.values) {
        carriers[*field as usize] += count;
    }
    let count_of = |value: ValueId| counts.values.get(value as usize).copied().unwrap_or(0);
    for (field, ..) in entries.fields() {
        // The surplus itself was added with the values, so it goes twice.
        let surplus = entries.surplus_of(field).map_or(0, count_of);
        carriers[field as usize] -= 2 * surplus;
    }
    carriers
}

fn flag_facet(field: FilterField, counts: &Counts, filters: &Filters) -> Option<Facet> {
    let states = counts.flag(&field);
    let chosen = match filters.chosen(&field) {
        Some(Chosen::Flag(states)) => *states,
        _ => [false; 2],
    };
    let carried = field != FilterField::Discount || states[1] > 0 || chosen != [false; 2];
    let values = [true, false].map(|state| FacetValue {
        id: state.to_string(),
        label: state.to_string(),
        count: states[usize::from(state)],
        selected: chosen[usize::from(state)],
    });
    let shown = values
        .into_iter()
        .filter(|value| value.count > 0 || value.selected);
    let values: Vec<FacetValue> = shown.collect();
    (carried && !values.is_empty()).then(|| Facet {
        field,
        group: String::new(),
        values,
        range: None,
    })
}

fn range_facet(field: FilterField, counts: &Counts) -> Option<Facet> {
    let range = counts.range(&field)?;
    Some(Facet {
        field,
        group: String::new(),
        values: Vec::new(),
        range: Some(range),
    })
}

fn value_facet(
    field: FilterField,
    counts: &Counts,
    filters: &Filters,
    entries: &Entries<'_>,
) -> Option<Facet> {
    let (chosen, unknown): (&[ValueId], &[String]) = match filters.chosen(&field) {
        Some(Chosen::Values(chosen, unknown)) => (chosen, unknown),
        _ => (&[], &[]),
    };
    let number = entries.number(&field);
    let mut values = number.map_or_else(Vec::new, |number| {
        commonest_values(number, counts, chosen, entries)
    });
    values.extend(unknown.iter().map(|text| FacetValue {
        id: text.clone(),
        label: text.clone(),
        count: 0,
        selected: true,
    }));
    let group = number
        .map_or("", |number| entries.field(number).1)
        .to_owned();
    (!values.is_empty()).then_some(Facet {
        field,
        group,
        values,
        range: None,
    })
}

/// The commonest values of a field, and those that were chosen.
fn commonest_values(
    field: FieldNumber,
    counts: &Counts,
    chosen: &[ValueId],
    entries: &Entries<'_>,
) -> Vec<FacetValue> {
    let count_of = |value: ValueId| counts.values.get(value as usize).copied().unwrap_or(0);
    let selected = |value: ValueId| chosen.binary_search(&value).is_ok();
    let counted = entries
        .values_of(field)
        .iter()
        .map(|value| (count_of(*value), *value));
    let mut shown: Vec<(u32, ValueId)> = counted
        .filter(|(count, value)| *count > 0 || selected(*value))
        .collect();
    if shown.len() > FACET_VALUES_MAX {
        // Texts decide between equal counts only, so all below the last count are out before texts are looked at.
        let (_, (least, _), _) =
            shown.select_nth_unstable_by(FACET_VALUES_MAX - 1, |a, b| b.0.cmp(&a.0));
        let least = *least;
        shown.retain(|(count, value)| *count >= least || selected(*value));
    }
    let mut values: Vec<FacetValue> = shown
        .into_iter()
        .map(|(count, value)| {
            let (id, label) = entries.value(value);
            FacetValue {
                id: id.to_owned(),
                label: label.to_owned(),
                count: u64::from(count),
                selected: selected(value),
            }
        })
        .collect();
    values.sort_by(|a, b| (b.count, &a.label, &a.id).cmp(&(a.count, &b.label, &b.id)));
    let mut kept = 0;
    values.retain(|value| {
        kept += 1;
        kept <= FACET_VALUES_MAX || value.selected
    });
    values
}
