//! Facets that were asked for one by one: all their values, and groups of values that count as one.

use super::super::scale::Scale;
use super::facets::CountedDocuments;
use super::filters::Filters;
use super::selected::{Selected, Unnamed, carried, chosen};
use crate::FacetRequest;
use crate::columns::{DictionaryEntries, FieldNumber, ValueId, View};
use crate::search_result::{Facet, FacetGroup, FacetValue};
use domain::search::FilterKind;

/// The facets of `wishes`, in their order; one that has nothing to show is left out.
pub(super) fn wished<S: Scale>(
    wishes: &[FacetRequest],
    counted: &CountedDocuments,
    filters: &Filters,
    view: &View<'_>,
    unnamed: &[String],
) -> Vec<Facet> {
    let entries = view.columns().dictionary().read();
    let fields = wishes.iter().map(|wish| &wish.field);
    let mut figures = counted.figures::<S>(fields, filters, view).into_iter();
    let facets = wishes.iter().map(|wish| match wish.field.kind() {
        FilterKind::Flag | FilterKind::Range => {
            (figures.next()?).into_facet(wish.field.clone(), filters)
        }
        FilterKind::Values => {
            let unnamed = Unnamed::new(unnamed, &wish.field, &entries);
            of_values(wish, counted, (filters, &unnamed), (&entries, view))
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
    /// Documents by group: one counts once, however many values of the group it has.
    groups: Vec<u32>,
    /// The last document that each group counted.
    last: Vec<u32>,
    documents: u32,
}

impl FacetCounts {
    fn new(wish: &FacetRequest, field: FieldNumber, entries: &DictionaryEntries<'_>) -> Self {
        let count = entries.values_of(field);
        let mut group_of = vec![None; count];
        for (group, values) in (0..).zip(&wish.groups) {
            for value in values.iter().flat_map(|id| entries.find(&wish.field, id)) {
                group_of[value as usize].get_or_insert(group);
            }
        }
        Self {
            values: vec![0; count],
            group_of,
            groups: vec![0; wish.groups.len()],
            last: vec![0; wish.groups.len()],
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
    wish: &FacetRequest,
    counted: &CountedDocuments,
    (filters, unnamed): (&Filters, &Unnamed),
    (entries, view): (&DictionaryEntries<'_>, &View<'_>),
) -> Option<Facet> {
    let mut facet = Facet {
        field: wish.field.clone(),
        group: String::new(),
        values: Vec::new(),
        groups: Vec::new(),
        range: None,
    };
    let selected = if let Some(field) = entries.number(&wish.field) {
        entries.field(field).1.clone_into(&mut facet.group);
        let mut tallies = FacetCounts::new(wish, field, entries);
        for own in counted.own_values(&wish.field, field, filters, view) {
            tallies.count(own);
        }
        let beside = beside_counted(wish, field, &tallies, view);
        let counts_for = |value: ValueId| tallies.values[value as usize] > 0;
        let chosen = chosen(filters, &wish.field).map_or(&[][..], |chosen| &chosen.all);
        let members = (wish.groups.iter().flatten())
            .filter(|_| view.is_restricted())
            .flat_map(|text| entries.find(&wish.field, text));
        let uncounted = chosen.iter().copied().chain(members);
        let uncounted = uncounted.filter(|value| !counts_for(*value));
        let carried = carried(field, uncounted.collect(), view);
        let is_named =
            |value| !unnamed.has(value) && (counts_for(value) || carried.contains(&value));
        let selected = Selected::new(filters, &wish.field, is_named);
        let text = |value| entries.value(field, value);
        facet.values = values(&tallies, &beside, (&selected, unnamed), text);
        // Where all is open to all, staff may have put a value into a group that products do not have any more.
        let is_named = |value| !unnamed.has(value) && (!view.is_restricted() || is_named(value));
        facet.groups = groups(wish, &tallies, (entries, field), is_named);
        selected
    } else {
        Selected::new(filters, &wish.field, |_| false)
    };
    facet.values.extend(selected.echoes());
    let shown = !facet.values.is_empty() || !facet.groups.is_empty();
    shown.then_some(facet)
}

/// Which values are shown although no document counts for them: where they are wished for, all that any document has
/// which the visitor may see. What only deleted documents had stays in the dictionary and is none of them.
fn beside_counted(
    wish: &FacetRequest,
    field: FieldNumber,
    tallies: &FacetCounts,
    view: &View<'_>,
) -> Vec<bool> {
    let mut carried = vec![false; tallies.values.len()];
    if !wish.empty {
        return carried;
    }
    let mut missing = carried.len();
    for seen in view.all() {
        if missing == 0 {
            break;
        }
        for value in seen.values().of_field(field) {
            let carried = &mut carried[*value as usize];
            missing -= usize::from(!*carried);
            *carried = true;
        }
    }
    carried
}

/// Values outside of groups that documents have, those beside them, and every one that was selected; the commonest
/// first.
fn values<'a>(
    tallies: &FacetCounts,
    beside: &[bool],
    (selected, unnamed): (&Selected<'_>, &Unnamed),
    texts: impl Fn(ValueId) -> (&'a std::sync::Arc<str>, &'a std::sync::Arc<str>),
) -> Vec<FacetValue> {
    let all = (0..).zip(&tallies.values);
    let shown = all.filter(|(value, count)| {
        let alone = tallies.group_of[*value as usize].is_none();
        let shown = selected.has(*value) || (alone && (**count > 0 || beside[*value as usize]));
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
    wish: &FacetRequest,
    tallies: &FacetCounts,
    (entries, field): (&DictionaryEntries<'_>, FieldNumber),
    is_named: impl Fn(ValueId) -> bool,
) -> Vec<FacetGroup> {
    let groups = wish.groups.iter().zip(&tallies.groups);
    let counted = groups.map(|(values, count)| {
        let known = values.iter().flat_map(|id| entries.find(&wish.field, id));
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
