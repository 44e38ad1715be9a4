//! Facets that are requested by field: all their values, and groups of values that count as one.

use super::counted::CountedDocuments;
use super::selected::{Selected, Unnamed, chosen, visible_values};
use crate::FacetRequest;
use crate::columns::{DictionaryEntries, FieldNumber, ValueId, View};
use crate::embedded::scale::Scale;
use crate::embedded::topk::filters::Filters;
use crate::search_result::{Facet, FacetGroup, FacetValue};
use domain::search::FilterKind;

/// Returns the requested facets, in their order, without empty ones.
pub fn requested_facets<S: Scale>(
    requested: &[FacetRequest],
    counted: &CountedDocuments,
    filters: &Filters,
    view: &View<'_>,
    unnamed: &[String],
) -> Vec<Facet> {
    let entries = view.columns().dictionary().read();
    let fields = requested.iter().map(|requested| &requested.field);
    let mut ranges = counted.range_facets::<S>(fields, filters, view).into_iter();
    let facets = requested
        .iter()
        .map(|requested| match requested.field.kind() {
            FilterKind::Flag | FilterKind::Range => {
                (ranges.next()?).into_facet(requested.field.clone(), filters)
            }
            FilterKind::Values => {
                let unnamed = Unnamed::new(unnamed, &requested.field, &entries);
                of_values(requested, counted, (filters, &unnamed), (&entries, view))
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
    (filters, unnamed): (&Filters, &Unnamed),
    (entries, view): (&DictionaryEntries<'_>, &View<'_>),
) -> Option<Facet> {
    let mut facet = Facet {
        field: requested.field.clone(),
        group: String::new(),
        values: Vec::new(),
        groups: Vec::new(),
        range: None,
    };
    let selected = if let Some(field) = entries.number(&requested.field) {
        entries.field(field).1.clone_into(&mut facet.group);
        let mut counts = FacetCounts::new(requested, field, entries);
        for own in counted.own_values(&requested.field, field, filters, view) {
            counts.count(own);
        }
        let empty = empty_values(requested, field, &counts, view);
        let counts_for = |value: ValueId| counts.values[value as usize] > 0;
        let chosen = chosen(filters, &requested.field).map_or(&[][..], |chosen| &chosen.all);
        let members = (requested.groups.iter().flatten())
            .filter(|_| view.is_restricted())
            .flat_map(|text| entries.find(&requested.field, text));
        let uncounted = chosen.iter().copied().chain(members);
        let uncounted = uncounted.filter(|value| !counts_for(*value));
        let visible = visible_values(field, uncounted.collect(), view);
        let is_named =
            |value| !unnamed.has(value) && (counts_for(value) || visible.contains(&value));
        let selected = Selected::new(filters, &requested.field, is_named);
        let text = |value| entries.value(field, value);
        facet.values = values(&counts, &empty, (&selected, unnamed), text);
        // Without restrictions, groups show values too that no product has any more: staff may have put them there.
        let is_named = |value| !unnamed.has(value) && (!view.is_restricted() || is_named(value));
        facet.groups = groups(requested, &counts, (entries, field), is_named);
        selected
    } else {
        Selected::new(filters, &requested.field, |_| false)
    };
    facet.values.extend(selected.echoes());
    let shown = !facet.values.is_empty() || !facet.groups.is_empty();
    shown.then_some(facet)
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

/// Returns the values outside of groups that documents have, the `empty` ones, and the selected ones; the commonest
/// first.
fn values<'a>(
    counts: &FacetCounts,
    empty: &[bool],
    (selected, unnamed): (&Selected<'_>, &Unnamed),
    texts: impl Fn(ValueId) -> (&'a std::sync::Arc<str>, &'a std::sync::Arc<str>),
) -> Vec<FacetValue> {
    let all = (0..).zip(&counts.values);
    let shown = all.filter(|(value, count)| {
        let alone = counts.group_of[*value as usize].is_none();
        let shown = selected.has(*value) || (alone && (**count > 0 || empty[*value as usize]));
        shown && !unnamed.has(*value)
    });
    let mut values: Vec<FacetValue> = shown
        .map(|(value, count)| {
            let (id, label) = texts(value);
            FacetValue {
                id: id.clone(),
                label: label.clone(),
                count: u64::from(*count),
                selected: selected.has(value),
            }
        })
        .collect();
    values.sort_by(|a, b| (b.count, &a.label, &a.id).cmp(&(a.count, &b.label, &b.id)));
    values
}

fn groups(
    requested: &FacetRequest,
    counts: &FacetCounts,
    (entries, field): (&DictionaryEntries<'_>, FieldNumber),
    is_named: impl Fn(ValueId) -> bool,
) -> Vec<FacetGroup> {
    let groups = requested.groups.iter().zip(&counts.groups);
    let counted = groups.map(|(values, count)| {
        let known = values
            .iter()
            .flat_map(|id| entries.find(&requested.field, id));
        let label = known
            .filter(|value| is_named(*value))
            .map(|value| entries.value(field, value).1.clone())
            .next();
        FacetGroup {
            label,
            count: u64::from(*count),
        }
    });
    counted.collect()
}
