//! Counts what automatic facets may show: few enough fields and values to read the texts of all.

use super::counted::CountedDocuments;
use super::selected::{chosen, visible_values};
use super::value_counts::ValueCounts;
use crate::columns::{DictionaryEntries, FieldNumber, ValueId, View};
use crate::embedded::scale::Scale;
use crate::embedded::topk::filters::Filters;
use crate::facet_policy::{CountedField, CountedValue, FacetPolicy};
use crate::search_result::Facet;
use domain::limits::FACET_VALUES_MAX;
use domain::search::{FilterField, FilterKind};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Returns the automatic facets of a result under `policy`.
pub fn facets<S: Scale>(
    counted: &CountedDocuments,
    filters: &Filters,
    view: &View<'_>,
    policy: &FacetPolicy<'_>,
) -> Vec<Facet> {
    let entries = view.columns().dictionary().read();
    let mut shown = policy.fixed_fields();
    let groups = groups::<S>(counted, (filters, policy), &entries, view);
    let of_values = shown.iter().filter(|f| f.kind() == FilterKind::Values);
    let numbers = of_values.chain(&groups).filter_map(|f| entries.number(f));
    let numbers: Vec<FieldNumber> = numbers.collect();
    let counts = counted.value_counts::<S>(&numbers, filters, &entries, view);
    let mut counts: BTreeMap<FieldNumber, ValueCounts> = numbers.into_iter().zip(counts).collect();
    let carriers = counts.iter();
    let carriers = carriers.map(|(number, counts)| (counts.documents, entries.field(*number).0));
    shown.extend(policy.groups(carriers));
    let mut ranges = (counted.range_facets::<S>(shown.iter(), filters, view)).into_iter();
    let facets = shown.into_iter().map(|field| match field.kind() {
        FilterKind::Flag | FilterKind::Range => ranges.next()?.into_facet(field, policy),
        FilterKind::Values => {
            let number = entries.number(&field);
            let counts = number.and_then(|number| Some((number, counts.remove(&number)?)));
            policy.automatic(match counts {
                Some(counts) => counted_field(field, counts, (filters, policy), (&entries, view)),
                None => CountedField::empty(field),
            })
        }
    });
    facets.flatten().collect()
}

/// Returns the groups that may be shown: few enough to count the values of all.
fn groups<S: Scale>(
    counted: &CountedDocuments,
    (filters, policy): (&Filters, &FacetPolicy<'_>),
    entries: &DictionaryEntries<'_>,
    view: &View<'_>,
) -> Vec<FilterField> {
    let carried = |number: FieldNumber| view.columns().carriers(number) > 0;
    let groups = entries.fields().filter(|(_, field, _)| field.is_group());
    let mut groups =
        groups.filter(|(number, field, _)| carried(*number) || policy.is_chosen(field));
    let some: Vec<FilterField> = (groups.by_ref().take(S::GROUPS_COUNTED_MAX))
        .map(|(_, field, _)| field.clone())
        .collect();
    if groups.next().is_none() {
        return some;
    }
    let carriers = counted.carriers::<S>(filters, entries, view);
    let carriers = carriers.into_iter().zip(0..);
    policy.groups(carriers.map(|(documents, number)| (documents, entries.field(number).0)))
}

/// Returns the values of `field` that may be shown, of all that have `counts`, and the selected ones that the visitor may see.
fn counted_field<'a>(
    field: FilterField,
    (number, counts): (FieldNumber, ValueCounts),
    (filters, policy): (&Filters, &FacetPolicy<'_>),
    (entries, view): (&'a DictionaryEntries<'_>, &View<'_>),
) -> CountedField<'a> {
    let mut counts = counts.into_counts();
    if policy.hides_any(&field) {
        counts.retain(|(_, value)| !policy.hides(&field, entries.value(number, *value).0));
    }
    let selected = chosen(filters, &field).iter();
    let selected = selected.map(|value| (count_of(*value, &counts), *value));
    let mut selected: Vec<(u32, ValueId)> = selected.collect();
    let uncounted = selected.iter().filter(|(count, _)| *count == 0);
    let uncounted = uncounted.map(|(_, value)| *value).collect();
    let visible = visible_values(number, uncounted, view);
    selected.retain(|(count, value)| *count > 0 || visible.contains(value));
    drop_uncommon(&mut counts, |value| entries.label_prefix(number, value));
    selected.retain(|(_, value)| !counts.iter().any(|(_, kept)| kept == value));
    let values = counts.into_iter().chain(selected).map(|(count, value)| {
        let (id, label) = entries.value(number, value);
        CountedValue { id, label, count }
    });
    CountedField {
        group: entries.field(number).1.to_owned(),
        values: values.collect(),
        field,
    }
}

/// Returns how many documents have a value; `counts` is ordered by value.
fn count_of(value: ValueId, counts: &[(u32, ValueId)]) -> u32 {
    let at = counts.binary_search_by_key(&value, |(_, own)| *own);
    at.map_or(0, |at| counts[at].0)
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
            dropped.sort_unstable_by(order);
            dropped.truncate(FACET_VALUES_MAX);
            all.sort_unstable_by(order);
            all.truncate(FACET_VALUES_MAX);
            prop_assert_eq!(dropped, all);
        }
    }
}
