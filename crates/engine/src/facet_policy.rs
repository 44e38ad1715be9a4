//! Which facets a result shows, which of their values, and in which order: pure functions of what an engine counted.
//!
//! An engine counts documents, for each field without its own filter, and knows which values a visitor may see. It may
//! leave out values that are not shown anyway, but decides nothing else.

use crate::search_result::{Facet, FacetGroup, FacetValue};
use crate::{FacetRequest, Request};
use domain::label_text::label_text;
use domain::limits::{FACET_GROUPS_MAX, FACET_VALUES_MAX};
use domain::search::{FilterChoice, FilterField};
use std::cmp::Ordering;
use std::collections::HashSet;
use std::sync::Arc;

/// What a request says about facets.
pub struct FacetPolicy<'a> {
    choices: &'a [FilterChoice],
    /// Ids of the categories that no facet names.
    unnamed: HashSet<&'a str>,
}

/// A value of a field with the number of its documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CountedValue<'a> {
    /// Its id.
    pub id: &'a Arc<str>,
    /// Its label.
    pub label: &'a Arc<str>,
    /// Documents that have it.
    pub count: u32,
}

/// What an engine counted for a field of values.
pub struct CountedField<'a> {
    /// The field.
    pub field: FilterField,
    /// Name of its group in the documents; empty for a field without a group.
    pub group: String,
    /// Values, each once, in any order: all that documents have, or at least those that are shown; and those without a
    /// document that a filter of the field means, or that are requested, if a document has them that the visitor may see.
    pub values: Vec<CountedValue<'a>>,
}

impl CountedField<'_> {
    /// Returns a field without values.
    pub fn empty(field: FilterField) -> Self {
        Self {
            field,
            group: String::new(),
            values: Vec::new(),
        }
    }
}

impl<'a> FacetPolicy<'a> {
    /// Returns the policy of `request`.
    pub fn new(request: &'a Request) -> Self {
        Self {
            choices: &request.choices,
            unnamed: (request.unnamed_categories.iter())
                .map(String::as_str)
                .collect(),
        }
    }

    /// Whether `field` has a filter.
    pub fn is_chosen(&self, field: &FilterField) -> bool {
        self.choice(field).is_some()
    }

    /// Whether the value of `field` with this `id` is shown nowhere.
    pub fn hides(&self, field: &FilterField, id: &str) -> bool {
        *field == FilterField::Categories && self.unnamed.contains(id)
    }

    /// Whether [`Self::hides`] hides any value of `field`.
    pub fn hides_any(&self, field: &FilterField) -> bool {
        *field == FilterField::Categories && !self.unnamed.is_empty()
    }

    /// Returns the fields outside of groups that have an automatic facet, in their order.
    pub fn fixed_fields(&self) -> Vec<FilterField> {
        let fields = FilterField::FIXED.into_iter();
        fields
            .filter(|field| field.is_automatic() || self.is_chosen(field))
            .collect()
    }

    /// Returns the groups that have an automatic facet, from the number of documents of each field: those with the most
    /// documents, then others with a filter.
    pub fn groups<'f>(
        &self,
        carried: impl Iterator<Item = (u32, &'f FilterField)>,
    ) -> Vec<FilterField> {
        let carried = carried.filter(|(documents, field)| *documents > 0 && field.is_group());
        let mut carried: Vec<(u32, &FilterField)> = carried.collect();
        sort_and_split(&mut carried, FACET_GROUPS_MAX, |(many, a), (few, b)| {
            few.cmp(many).then_with(|| a.cmp(b))
        });
        let carried = carried.into_iter();
        let mut shown: Vec<FilterField> = carried.map(|(_, field)| field.clone()).collect();
        let chosen = self.choices.iter().map(FilterChoice::field);
        for field in chosen.filter(|field| field.is_group()) {
            if !shown.contains(field) {
                shown.push(field.clone());
            }
        }
        shown
    }

    /// Returns the automatic facet of a field of values: the commonest values, then the selected others, then what is
    /// selected without meaning any value. None if there is nothing to show.
    pub fn automatic(&self, counted: CountedField<'_>) -> Option<Facet> {
        let CountedField {
            field,
            group,
            mut values,
        } = counted;
        values.retain(|value| !self.hides(&field, value.id));
        let selection = selected(self.choice(&field), &values);
        values.retain(|value| value.count > 0 || selection.has(value.id, value.label));
        let echoes = selection.echoes(&values);
        let mut others = sort_and_split(&mut values, FACET_VALUES_MAX, CountedValue::order);
        others.retain(|value| selection.has(value.id, value.label));
        others.sort_unstable_by(CountedValue::order);
        let values = values.into_iter().chain(others);
        let values = values.map(|value| value.shown(&selection));
        facet(field, group, values.chain(echoes).collect(), Vec::new())
    }

    /// Returns the facet of a field of values that is `requested`, with these `groups`: all values outside of groups, the
    /// commonest first, and the selected ones; then what is selected without meaning any value. None if there is nothing to
    /// show.
    pub fn requested(
        &self,
        requested: &FacetRequest,
        counted: CountedField<'_>,
        groups: Vec<FacetGroup>,
    ) -> Option<Facet> {
        let CountedField {
            field,
            group,
            mut values,
        } = counted;
        let texts = requested.groups.iter().flatten().map(String::as_str);
        let grouped = NamedValues::of(texts, CountedValue::names(&values));
        values.retain(|value| !self.hides(&field, value.id));
        let selection = selected(self.choice(&field), &values);
        let echoes = selection.echoes(&values);
        values.retain(|value| {
            let counts = value.count > 0 || requested.include_empty;
            selection.has(value.id, value.label) || (counts && !grouped.has(value.id, value.label))
        });
        values.sort_unstable_by(CountedValue::order);
        let values = values.into_iter().map(|value| value.shown(&selection));
        facet(field, group, values.chain(echoes).collect(), groups)
    }

    /// Returns a requested group of values of `field`, with so many documents. `members` are the id and label of each of its
    /// values that the visitor may see, or of all without restrictions, in the order of the request; the first one that is
    /// not hidden names it.
    pub fn group<'v>(
        &self,
        field: &FilterField,
        mut members: impl Iterator<Item = (&'v Arc<str>, &'v Arc<str>)>,
        count: u32,
    ) -> FacetGroup {
        let named = members.find(|(id, _)| !self.hides(field, id));
        FacetGroup {
            label: named.map(|(_, label)| Arc::clone(label)),
            count: u64::from(count),
        }
    }

    /// Returns the facet of a flag, of which so many documents are without and with it: the states that documents have or
    /// that are selected. None if there is nothing to show; for discounts also if no document has one.
    pub fn flag(&self, field: FilterField, documents: [u64; 2]) -> Option<Facet> {
        let selection = selected(self.choice(&field), &[]);
        let [without, with] = documents;
        let states = [("true", with), ("false", without)].map(|(text, count)| FacetValue {
            id: text.into(),
            label: text.into(),
            count,
            selected: selection.texts.contains(&text),
        });
        let is_chosen = states.iter().any(|state| state.selected);
        let is_used = field != FilterField::Discount || with > 0 || is_chosen;
        let shown = states
            .into_iter()
            .filter(|own| own.count > 0 || own.selected);
        let values = shown.filter(|_| is_used).collect();
        facet(field, String::new(), values, Vec::new())
    }

    /// Returns the facet of a field of numbers, from its lowest and highest number.
    pub fn range(&self, field: FilterField, range: Option<(f64, f64)>) -> Option<Facet> {
        range.map(|range| Facet {
            field,
            group: String::new(),
            values: Vec::new(),
            groups: Vec::new(),
            range: Some(range),
        })
    }

    fn choice(&self, field: &FilterField) -> Option<&'a FilterChoice> {
        self.choices.iter().find(|choice| choice.field() == field)
    }
}

/// Texts that name values of a field: selected ones, or those of groups.
///
/// A text that is the id of a value names that value alone; any other names the values with this label, in any writing of
/// it.
#[derive(Default)]
pub struct NamedValues<'a> {
    /// In the order of the request, each once.
    texts: Vec<&'a str>,
    ids: HashSet<&'a str>,
    labels: HashSet<String>,
}

impl<'a> NamedValues<'a> {
    /// Returns what `texts` name of the values with these ids and labels.
    pub fn of<'v>(
        texts: impl Iterator<Item = &'a str>,
        values: impl Iterator<Item = (&'v str, &'v str)>,
    ) -> Self {
        let mut named = Self::default();
        let mut seen = HashSet::new();
        named.texts = texts.filter(|text| seen.insert(*text)).collect();
        if named.texts.is_empty() {
            return named;
        }
        // A value that the feed sent without an id has its label as one.
        let with_ids = values.filter(|(id, label)| id != label);
        let ids: HashSet<&str> = with_ids.map(|(id, _)| id).collect();
        for text in &named.texts {
            match ids.contains(text) {
                true => drop(named.ids.insert(*text)),
                false => drop(named.labels.insert(label_text(text))),
            }
        }
        named
    }

    /// Returns whether the value with this id and label is named.
    pub fn has(&self, id: &str, label: &str) -> bool {
        !self.texts.is_empty() && (self.ids.contains(id) || self.labels.contains(label))
    }

    /// Returns the texts that mean none of `values`, as values: nothing that the visitor may not see is disclosed by selecting
    /// it.
    fn echoes(&self, values: &[CountedValue<'_>]) -> Vec<FacetValue> {
        if self.texts.is_empty() {
            return Vec::new();
        }
        let ids: HashSet<&str> = values.iter().map(|value| &**value.id).collect();
        let labels: HashSet<&str> = values.iter().map(|value| &**value.label).collect();
        let is_meant = |text: &str| {
            self.ids.contains(text) && ids.contains(text)
                || !self.ids.contains(text) && labels.contains(&*label_text(text))
        };
        let echoed = self.texts.iter().filter(|text| !is_meant(text));
        echoed
            .map(|text| FacetValue {
                id: (*text).into(),
                label: (*text).into(),
                count: 0,
                selected: true,
            })
            .collect()
    }
}

/// Returns what is selected in a field.
fn selected<'a>(choice: Option<&'a FilterChoice>, values: &[CountedValue<'_>]) -> NamedValues<'a> {
    let Some(FilterChoice::Any(_, sent)) = choice else {
        return NamedValues::default();
    };
    NamedValues::of(sent.iter().map(String::as_str), CountedValue::names(values))
}

impl CountedValue<'_> {
    fn names(values: &[Self]) -> impl Iterator<Item = (&str, &str)> {
        values.iter().map(|value| (&**value.id, &**value.label))
    }

    /// The order of values in a facet: by count, then by label, then by id.
    fn order(&self, other: &Self) -> Ordering {
        let texts = || (self.label, self.id).cmp(&(other.label, other.id));
        other.count.cmp(&self.count).then_with(texts)
    }

    fn shown(&self, selection: &NamedValues<'_>) -> FacetValue {
        FacetValue {
            id: Arc::clone(self.id),
            label: Arc::clone(self.label),
            count: u64::from(self.count),
            selected: selection.has(self.id, self.label),
        }
    }
}

fn facet(
    field: FilterField,
    group: String,
    values: Vec<FacetValue>,
    groups: Vec<FacetGroup>,
) -> Option<Facet> {
    let is_shown = !(values.is_empty() && groups.is_empty());
    is_shown.then_some(Facet {
        field,
        group,
        values,
        groups,
        range: None,
    })
}

/// Sorts `all` and truncates it to its first `most` items; returns the others, in any order.
fn sort_and_split<T>(all: &mut Vec<T>, most: usize, order: impl Fn(&T, &T) -> Ordering) -> Vec<T> {
    let mut others = Vec::new();
    if all.len() > most {
        all.select_nth_unstable_by(most - 1, &order);
        others = all.split_off(most);
    }
    all.sort_unstable_by(order);
    others
}

#[cfg(test)]
mod tests {
    //! 1. The 15 groups with the most documents are shown, and any other with a filter.
    //! 2. The commonest values are shown, by count, label and id; the selected ones are, whatever their count.
    //! 3. What is selected without meaning a value is echoed, once, after the values.
    //! 4. Hidden categories are neither counted nor named.
    //! 5. A requested facet shows all values outside of its groups, without a document only if that is requested.
    //! 6. A discount that no document has is not shown, other flags are.

    use super::*;
    use domain::search::RangeValue;

    fn request(field: &FilterField, texts: &[&str]) -> Request {
        let texts = texts.iter().map(|text| (*text).to_owned()).collect();
        Request {
            choices: vec![FilterChoice::Any(field.clone(), texts)],
            unnamed_categories: vec!["hidden".to_owned()].into(),
            ..Request::default()
        }
    }

    /// Ids that are their own labels, with counts.
    fn counted<'a>(field: &FilterField, values: &'a [(Arc<str>, u32)]) -> CountedField<'a> {
        let values = values.iter().map(|(text, count)| CountedValue {
            id: text,
            label: text,
            count: *count,
        });
        CountedField {
            field: field.clone(),
            group: String::new(),
            values: values.collect(),
        }
    }

    fn values(texts: &[(&str, u32)]) -> Vec<(Arc<str>, u32)> {
        let texts = texts.iter();
        texts
            .map(|(text, count)| ((*text).into(), *count))
            .collect()
    }

    /// The values of a facet: text, count and whether it is selected.
    fn shown(facet: Option<Facet>) -> Vec<(String, u64, bool)> {
        let values = facet.into_iter().flat_map(|facet| facet.values);
        values
            .map(|value| (value.id.to_string(), value.count, value.selected))
            .collect()
    }

    fn expected(values: &[(&str, u64, bool)]) -> Vec<(String, u64, bool)> {
        let values = values.iter();
        values
            .map(|(text, count, selected)| ((*text).to_owned(), *count, *selected))
            .collect()
    }

    #[test]
    fn the_groups_with_the_most_documents_are_shown_and_those_with_a_filter() {
        let group = |number: u32| FilterField::Attributes(format!("{number:02}"));
        let groups: Vec<FilterField> = (0..20).map(group).collect();
        let request = request(&groups[19], &["red"]);
        let policy = FacetPolicy::new(&request);
        let carried = groups.iter().enumerate();
        let carried = carried.map(|(number, field)| (if number == 3 { 9 } else { 1 }, field));
        let found = policy.groups(carried.chain([(0, &groups[18]), (50, &FilterField::Tags)]));
        let mut wanted = vec![groups[3].clone()];
        let others = groups.iter().filter(|field| **field != groups[3]);
        wanted.extend(others.take(FACET_GROUPS_MAX - 1).cloned());
        wanted.push(groups[19].clone());
        assert_eq!(found, wanted);
    }

    #[test]
    fn the_commonest_and_the_selected_values_are_shown() {
        let field = FilterField::Manufacturer;
        let texts = (0..FACET_VALUES_MAX + 10).map(|at| (format!("v{at:03}").into(), 2));
        let mut all: Vec<(Arc<str>, u32)> = texts.collect();
        all[40].1 = 7;
        all.extend(values(&[("none", 0), ("never", 0)]));
        let request = request(&field, &["none", "v059", "gone", "gone"]);
        let found = shown(FacetPolicy::new(&request).automatic(counted(&field, &all)));
        assert_eq!(found[0], ("v040".to_owned(), 7, false));
        assert_eq!(found[1], ("v000".to_owned(), 2, false));
        let end = [("v059", 2, true), ("none", 0, true), ("gone", 0, true)];
        assert_eq!(found[FACET_VALUES_MAX..], expected(&end));
    }

    #[test]
    fn hidden_categories_are_not_named() {
        let field = FilterField::Categories;
        let all = values(&[("hidden", 9), ("shoes", 1)]);
        let request = request(&field, &["hidden"]);
        let policy = FacetPolicy::new(&request);
        let found = shown(policy.automatic(counted(&field, &all)));
        assert_eq!(found, expected(&[("shoes", 1, false), ("hidden", 0, true)]));
        let group = policy.group(&field, all.iter().map(|(text, _)| (text, text)), 3);
        assert_eq!(group.label.as_deref(), Some("shoes"));
        assert!(!policy.hides(&FilterField::Tags, "hidden"));
    }

    #[test]
    fn a_requested_facet_shows_all_values_outside_of_its_groups() {
        let field = FilterField::Tags;
        let all = values(&[("a", 1), ("b", 0), ("c", 4), ("d", 0), ("e", 1)]);
        let request = request(&field, &["d", "x"]);
        let policy = FacetPolicy::new(&request);
        let mut requested = FacetRequest {
            field: field.clone(),
            groups: vec![vec!["c".to_owned(), "d".to_owned()]],
            include_empty: false,
        };
        let found = policy.requested(&requested, counted(&field, &all), Vec::new());
        let end = [("d", 0, true), ("x", 0, true)];
        let wanted = [&[("a", 1, false), ("e", 1, false)], &end[..]].concat();
        assert_eq!(shown(found), expected(&wanted));
        requested.include_empty = true;
        let found = policy.requested(&requested, counted(&field, &all), Vec::new());
        assert_eq!(shown(found)[2], ("b".to_owned(), 0, false));
    }

    #[test]
    fn a_discount_is_shown_if_a_document_has_one() {
        let request = Request::default();
        let policy = FacetPolicy::new(&request);
        assert_eq!(policy.flag(FilterField::Discount, [5, 0]), None);
        let found = shown(policy.flag(FilterField::Discount, [5, 1]));
        assert_eq!(found, expected(&[("true", 1, false), ("false", 5, false)]));
        let found = shown(policy.flag(FilterField::InStock, [5, 0]));
        assert_eq!(found, expected(&[("false", 5, false)]));
    }

    #[test]
    fn fixed_fields_are_automatic_or_have_a_filter() {
        let request = Request {
            choices: vec![FilterChoice::Range(
                FilterField::FeatureNum,
                RangeValue::default(),
            )],
            ..Request::default()
        };
        let fields = FacetPolicy::new(&request).fixed_fields();
        assert!(fields.contains(&FilterField::FeatureNum));
        assert!(!fields.contains(&FilterField::Tags));
    }
}
