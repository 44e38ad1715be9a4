//! Counts the facets that are requested by field: all their values, and groups of values that count as one.

use super::counted::CountedDocuments;
use super::selected::{chosen, visible_values};
use crate::FacetRequest;
use crate::columns::{DictionaryEntries, FieldNumber, ValueId, View};
use crate::embedded::scale::Scale;
use crate::embedded::topk::filters::Filters;
use crate::facet_policy::{CountedField, CountedValue, FacetPolicy};
use crate::search_result::{Facet, FacetGroup};
use domain::search::FilterKind;
use std::collections::BTreeSet;

/// Returns the requested facets under `policy`, in their order, without empty ones.
pub fn requested_facets<S: Scale>(
    requested: &[FacetRequest],
    counted: &CountedDocuments,
    filters: &Filters,
    view: &View<'_>,
    policy: &FacetPolicy<'_>,
) -> Vec<Facet> {
    let entries = view.columns().dictionary().read();
    let fields = requested.iter().map(|requested| &requested.field);
    let mut ranges = counted.range_facets::<S>(fields, filters, view).into_iter();
    let facets = requested
        .iter()
        .map(|requested| match requested.field.kind() {
            FilterKind::Flag | FilterKind::Range => {
                (ranges.next()?).into_facet(requested.field.clone(), policy)
            }
            FilterKind::Values => {
                of_values(requested, counted, (filters, policy), (&entries, view))
            }
        });
    facets.flatten().collect()
}

/// Counts of the values and groups of one field.
struct FacetCounts {
    /// Documents by value.
    values: Vec<u32>,
    /// The group of each value.
    group_of: Vec<Option<u32>>,
    /// Documents by group; a document counts once, however many values of the group it has.
    groups: Vec<u32>,
    /// The number of the last document that each group counted.
    last: Vec<u32>,
    documents: u32,
}

impl FacetCounts {
    fn new(requested: &FacetRequest, field: FieldNumber, entries: &DictionaryEntries<'_>) -> Self {
        let count = entries.values_of(field);
        let mut group_of = vec![None; count];
        for (group, values) in (0..).zip(&requested.groups) {
            for value in values
                .iter()
                .flat_map(|id| entries.find(&requested.field, id))
            {
                group_of[value as usize].get_or_insert(group);
            }
        }
        Self {
            values: vec![0; count],
            group_of,
            groups: vec![0; requested.groups.len()],
            last: vec![0; requested.groups.len()],
            documents: 0,
        }
    }

    fn has(&self, value: ValueId) -> bool {
        self.values[value as usize] > 0
    }

    fn count(&mut self, own: &[ValueId]) {
        self.documents += 1;
        for value in own {
            self.values[*value as usize] += 1;
            if let Some(group) = self.group_of[*value as usize] {
                let group = group as usize;
                if self.last[group] != self.documents {
                    self.last[group] = self.documents;
                    self.groups[group] += 1;
                }
            }
        }
    }
}

fn of_values(
    requested: &FacetRequest,
    counted: &CountedDocuments,
    (filters, policy): (&Filters, &FacetPolicy<'_>),
    (entries, view): (&DictionaryEntries<'_>, &View<'_>),
) -> Option<Facet> {
    let field = &requested.field;
    let Some(number) = entries.number(field) else {
        let nothing = CountedField::empty(field.clone());
        return policy.requested(requested, nothing, Vec::new());
    };
    let mut counts = FacetCounts::new(requested, number, entries);
    for own in counted.values_by_document(field, number, filters, view) {
        counts.count(own);
    }
    let empty = empty_values(requested, number, &counts, view);
    let chosen = chosen(filters, field).iter().copied();
    let members = (requested.groups.iter().flatten())
        .filter(|_| view.is_restricted())
        .flat_map(|text| entries.find(field, text));
    let uncounted = chosen.clone().chain(members);
    let uncounted = uncounted.filter(|value| !counts.has(*value));
    let visible = visible_values(number, uncounted.collect(), view);
    let may_be_named = |value| counts.has(value) || visible.contains(&value);
    let selected: BTreeSet<ValueId> = chosen.filter(|value| may_be_named(*value)).collect();
    let all = (0..).zip(&counts.values);
    let given = all
        .filter(|(value, count)| **count > 0 || empty[*value as usize] || selected.contains(value));
    let values = given.map(|(value, count)| {
        let (id, label) = entries.value(number, value);
        let count = *count;
        CountedValue { id, label, count }
    });
    let values = CountedField {
        field: field.clone(),
        group: entries.field(number).1.to_owned(),
        values: values.collect(),
    };
    // Without restrictions, groups are named by values too that no product has any more: staff may have put them there.
    let may_name = |value| !view.is_restricted() || may_be_named(value);
    let groups = groups(
        requested,
        (policy, &counts.groups),
        (entries, number),
        may_name,
    );
    policy.requested(requested, values, groups)
}

/// Returns which values are shown although no document counts for them: if the request asks for empty values, those of
/// any document that the visitor may see. Values of deleted documents stay in the dictionary but are not shown.
fn empty_values(
    requested: &FacetRequest,
    field: FieldNumber,
    counts: &FacetCounts,
    view: &View<'_>,
) -> Vec<bool> {
    let mut visible = vec![false; counts.values.len()];
    if !requested.include_empty {
        return visible;
    }
    let mut missing = visible.len();
    for seen in view.all() {
        if missing == 0 {
            break;
        }
        for value in seen.values().of_field(field) {
            let visible = &mut visible[*value as usize];
            missing -= usize::from(!*visible);
            *visible = true;
        }
    }
    visible
}

fn groups(
    requested: &FacetRequest,
    (policy, documents): (&FacetPolicy<'_>, &[u32]),
    (entries, field): (&DictionaryEntries<'_>, FieldNumber),
    may_name: impl Fn(ValueId) -> bool,
) -> Vec<FacetGroup> {
    let groups = requested.groups.iter().zip(documents);
    let groups = groups.map(|(texts, documents)| {
        let members = (texts.iter()).flat_map(|text| entries.find(&requested.field, text));
        let members = members.filter(|value| may_name(*value));
        let members = members.map(|value| entries.value(field, value));
        policy.group(&requested.field, members, *documents)
    });
    groups.collect()
}
