//! Turns counts into facets: which fields are shown, which of their values, and in which order.

use super::counted::CountedDocuments;
use super::selected::{Selected, Unnamed, chosen, visible_values};
use super::value_counts::ValueCounts;
use crate::columns::{DictionaryEntries, FieldNumber, ValueId, View};
use crate::embedded::scale::Scale;
use crate::embedded::topk::filters::Filters;
use crate::search_result::{Facet, FacetValue};
use domain::limits::{FACET_GROUPS_MAX, FACET_VALUES_MAX};
use domain::search::{FilterField, FilterKind};
use std::cmp::{Ordering, Reverse};
use std::collections::BTreeMap;

/// Returns the facets of a response: automatic ones if documents have values in them, and every field with a filter.
pub fn facets<S: Scale>(
    counted: &CountedDocuments,
    filters: &Filters,
    view: &View<'_>,
    unnamed: &[String],
) -> Vec<Facet> {
    let entries = view.columns().dictionary().read();
    let mut shown: Vec<FilterField> = FilterField::FIXED
        .into_iter()
        .filter(|field| field.is_automatic() || filters.chosen(field).is_some())
        .collect();
    let groups = groups::<S>(counted, filters, &entries, view);
    let of_values = shown.iter().filter(|f| f.kind() == FilterKind::Values);
    let numbers = of_values.chain(&groups).filter_map(|f| entries.number(f));
    let numbers: Vec<FieldNumber> = numbers.collect();
    let counts = counted.value_counts::<S>(&numbers, filters, &entries, view);
    let mut counts: BTreeMap<FieldNumber, ValueCounts> = numbers.into_iter().zip(counts).collect();
    let carriers = (counts.iter()).map(|(number, counts)| (counts.documents, *number));
    shown.extend(commonest_groups(carriers, filters, &entries));
    let mut ranges = (counted.range_facets::<S>(shown.iter(), filters, view)).into_iter();
    let facets = shown.into_iter().map(|field| match field.kind() {
        FilterKind::Flag | FilterKind::Range => ranges.next()?.into_facet(field, filters),
        FilterKind::Values => {
            let number = entries.number(&field);
            let counts = number.and_then(|number| Some((number, counts.remove(&number)?)));
            let unnamed = Unnamed::new(unnamed, &field, &entries);
            value_facet(field, counts, (filters, &unnamed), (&entries, view))
        }
    });
    facets.flatten().collect()
}

/// Returns the groups that may be shown: few enough to count the values of all.
fn groups<S: Scale>(
    counted: &CountedDocuments,
    filters: &Filters,
    entries: &DictionaryEntries<'_>,
    view: &View<'_>,
) -> Vec<FilterField> {
    let carried = |number: FieldNumber| view.columns().carriers(number) > 0;
    let groups = entries.fields().filter(|(_, field, _)| field.is_group());
    let mut groups =
        groups.filter(|(number, field, _)| carried(*number) || filters.chosen(field).is_some());
    let some: Vec<FilterField> = (groups.by_ref().take(S::GROUPS_COUNTED_MAX))
        .map(|(_, field, _)| field.clone())
        .collect();
    if groups.next().is_none() {
        return some;
    }
    let carriers = counted.carriers::<S>(filters, entries, view);
    commonest_groups(carriers.into_iter().zip(0..), filters, entries)
}

/// Returns the groups with the most documents, and those with a filter, from the number of documents of each field.
fn commonest_groups(
    carriers: impl Iterator<Item = (u32, FieldNumber)>,
    filters: &Filters,
    entries: &DictionaryEntries<'_>,
) -> Vec<FilterField> {
    let carried = carriers.filter(|(many, _)| *many > 0);
    let carried = carried.map(|(many, number)| (many, entries.field(number).0));
    let mut carried: Vec<(u32, &FilterField)> = carried.filter(|(_, f)| f.is_group()).collect();
    sort_and_truncate(&mut carried, FACET_GROUPS_MAX, |(many, a), (few, b)| {
        few.cmp(many).then_with(|| a.cmp(b))
    });
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

/// Truncates `all` to its first `most` items, and sorts them.
fn sort_and_truncate<T>(all: &mut Vec<T>, most: usize, order: impl Fn(&T, &T) -> Ordering) {
    if all.len() > most {
        all.select_nth_unstable_by(most - 1, &order);
        all.truncate(most);
    }
    all.sort_unstable_by(order);
}

fn value_facet(
    field: FilterField,
    counts: Option<(FieldNumber, ValueCounts)>,
    (filters, unnamed): (&Filters, &Unnamed),
    (entries, view): (&DictionaryEntries<'_>, &View<'_>),
) -> Option<Facet> {
    let (mut values, mut group) = (Vec::new(), String::new());
    let selected = if let Some((number, counts)) = counts {
        entries.field(number).1.clone_into(&mut group);
        let mut counts = counts.into_counts();
        if !unnamed.is_empty() {
            counts.retain(|(_, value)| !unnamed.has(*value));
        }
        let counts_for = |value: ValueId| count_of(value, &counts) > 0;
        let chosen = chosen(filters, &field).map_or(&[][..], |chosen| &chosen.all);
        let uncounted = chosen.iter().copied().filter(|value| !counts_for(*value));
        let visible = visible_values(number, uncounted.collect(), view);
        let is_named =
            |value| !unnamed.has(value) && (counts_for(value) || visible.contains(&value));
        let selected = Selected::new(filters, &field, is_named);
        values = commonest_values(number, counts, &selected, entries);
        selected
    } else {
        Selected::new(filters, &field, |_| false)
    };
    values.extend(selected.echoes());
    (!values.is_empty()).then_some(Facet {
        field,
        group,
        values,
        groups: Vec::new(),
        range: None,
    })
}

/// Returns how many documents have a value; `counts` is ordered by value.
fn count_of(value: ValueId, counts: &[(u32, ValueId)]) -> u32 {
    let at = counts.binary_search_by_key(&value, |(_, own)| *own);
    at.map_or(0, |at| counts[at].0)
}

/// Returns the commonest values of a field and the selected ones: by count, then by text, then by id.
fn commonest_values(
    field: FieldNumber,
    counts: Vec<(u32, ValueId)>,
    selected: &Selected<'_>,
    entries: &DictionaryEntries<'_>,
) -> Vec<FacetValue> {
    let text_order = |a: &(u32, ValueId), b: &(u32, ValueId)| {
        let [(id, label), (other_id, other_label)] =
            [a, b].map(|(_, at)| entries.value(field, *at));
        (b.0.cmp(&a.0)).then_with(|| (label, id).cmp(&(other_label, other_id)))
    };
    let mut shown = counts;
    let own = selected.values.iter();
    let mut own: Vec<(u32, ValueId)> =
        (own.map(|value| (count_of(*value, &shown), *value))).collect();
    drop_uncommon(&mut shown, |value| entries.beginning(field, value));
    // Values without a document come after all others, if there is room for them.
    shown.extend(own.iter().filter(|(count, _)| *count == 0));
    sort_and_truncate(&mut shown, FACET_VALUES_MAX, text_order);
    own.retain(|value| !shown.contains(value));
    own.sort_unstable_by(text_order);
    let shown = shown.into_iter().chain(own).map(|(count, value)| {
        let (id, label) = entries.value(field, value);
        FacetValue {
            id: id.clone(),
            label: label.clone(),
            count: u64::from(count),
            selected: selected.has(value),
        }
    });
    shown.collect()
}

/// Drops most values that cannot be among the commonest, without reading their texts.
fn drop_uncommon(counts: &mut Vec<(u32, ValueId)>, beginning: impl Fn(ValueId) -> u64) {
    let last = FACET_VALUES_MAX - 1;
    if counts.len() <= FACET_VALUES_MAX {
        return;
    }
    let (_, (least, _), _) = counts.select_nth_unstable_by_key(last, |(count, _)| Reverse(*count));
    let least = *least;
    counts.retain(|(count, _)| *count >= least);
    if counts.len() <= FACET_VALUES_MAX {
        return;
    }
    // Many values have the same count as the last one that is shown; the first characters of their texts decide.
    let mut keys: Vec<(Reverse<u32>, u64, ValueId)> = (counts.iter())
        .map(|(count, value)| (Reverse(*count), beginning(*value), *value))
        .collect();
    let (_, (_, bound, _), _) = keys.select_nth_unstable(last);
    let bound = (Reverse(least), *bound);
    keys.retain(|(count, beginning, _)| (*count, *beginning) <= bound);
    counts.clear();
    counts.extend(keys.into_iter().map(|(count, _, value)| (count.0, value)));
}

#[cfg(test)]
mod tests {
    //! 1. Values that are dropped without reading texts are not among those that are shown.

    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn dropping_uncommon_values_changes_nothing(counts in proptest::collection::vec((1u32..4, "[a-c]{1,3}"), 0..300)) {
            let order = |a: &(u32, ValueId), b: &(u32, ValueId)| {
                let text = |at: ValueId| (&counts[at as usize].1, at);
                b.0.cmp(&a.0).then_with(|| text(a.1).cmp(&text(b.1)))
            };
            let mut all: Vec<(u32, ValueId)> = counts.iter().map(|(count, _)| *count).zip(0..).collect();
            let mut dropped = all.clone();
            drop_uncommon(&mut dropped, |value| u64::from(counts[value as usize].1.as_bytes()[0]));
            sort_and_truncate(&mut dropped, FACET_VALUES_MAX, order);
            all.sort_unstable_by(order);
            all.truncate(FACET_VALUES_MAX);
            prop_assert_eq!(dropped, all);
        }
    }
}
