//! The facets of a store with configured filters: which are requested, how groups expand, and how they are shown.

use super::labels;
use crate::search::responses::{FacetValueView, FacetView};
use domain::Language;
use domain::filter::{Filter, FilterConfig, OptionSort, ValueGroup};
use domain::form::Label;
use domain::labels::Labels;
use domain::limits::FACET_VALUES_MAX;
use domain::search::{FilterChoice, FilterField};
use engine::{Facet, FacetRequest, NamedValues};
use query::Analyser;
use std::cmp::Reverse;
use std::collections::HashSet;
use std::sync::Arc;

/// The configured filters of a store for one search.
pub(super) struct Configured<'a> {
    filters: &'a [Filter],
    choices: &'a [FilterChoice],
    /// The shopper's language, then the store's default one.
    languages: [&'a Language; 2],
    labels: &'a Labels<'a>,
    analyser: Option<&'a Analyser>,
}

impl<'a> Configured<'a> {
    /// Returns the filters of a store for the shopper's `choices`; `None` if the store has configured none.
    pub fn new(
        filters: &'a [Filter],
        choices: &'a [FilterChoice],
        languages: [&'a Language; 2],
        labels: &'a Labels<'a>,
        analyser: Option<&'a Analyser>,
    ) -> Option<Self> {
        (!filters.is_empty()).then_some(Self {
            filters,
            choices,
            languages,
            labels,
            analyser,
        })
    }

    /// Returns the facets to count: those of active filters in their order, then the other fields that were chosen.
    pub fn facet_requests(&self) -> Arc<[FacetRequest]> {
        let active = self.filters.iter().filter(|filter| filter.content.active);
        let mut requests: Vec<FacetRequest> = active
            .map(|filter| self.facet_request(&filter.content.field))
            .collect();
        for choice in self.choices {
            if !requests
                .iter()
                .any(|request| request.field == *choice.field())
            {
                requests.push(self.facet_request(choice.field()));
            }
        }
        requests.into()
    }

    fn facet_request(&self, field: &FilterField) -> FacetRequest {
        let config = self.config(field);
        FacetRequest {
            field: field.clone(),
            groups: groups(config)
                .iter()
                .map(|group| group.values.clone())
                .collect(),
            include_empty: config.is_some_and(|config| config.hide_empty == Some(false)),
        }
    }

    /// Returns the choices with group keys replaced by the values of the group.
    pub fn choices(&self) -> Vec<FilterChoice> {
        let expanded = self.choices.iter().map(|choice| match choice {
            FilterChoice::Range(..) => choice.clone(),
            FilterChoice::Any(field, chosen) => {
                let groups = groups(self.config(field));
                let values = chosen.iter().flat_map(|value| {
                    let group = groups.iter().find(|group| group.key == *value);
                    group.map_or_else(|| vec![value.clone()], |group| group.values.clone())
                });
                FilterChoice::Any(field.clone(), values.collect())
            }
        });
        expanded.collect()
    }

    fn of(&self, field: &FilterField) -> Option<&'a Filter> {
        self.filters
            .iter()
            .find(|filter| filter.content.field == *field)
    }

    fn config(&self, field: &FilterField) -> Option<&'a FilterConfig> {
        self.of(field).map(|filter| &filter.content.config)
    }

    /// Converts the counted facets to views.
    pub fn views(&self, facets: &[Facet]) -> Vec<FacetView> {
        facets.iter().map(|facet| self.view(facet)).collect()
    }

    fn view(&self, facet: &Facet) -> FacetView {
        let mut view = labels::view(facet, self.labels);
        let Some(filter) = self.of(&facet.field) else {
            view.values
                .iter_mut()
                .for_each(|values| shorten(values, FACET_VALUES_MAX));
            return view;
        };
        view.kind = filter.content.kind.as_str();
        if let Some(names) = &filter.content.label {
            let name = self
                .languages
                .iter()
                .find_map(|language| names.get(language));
            if let Some(name) = name {
                view.label = name.to_string();
            }
        }
        if let Some(values) = view.values.take() {
            view.values = Some(self.options(facet, &filter.content.config, values));
        }
        view
    }

    /// Returns groups and remaining values, ordered and limited as the filter is configured.
    fn options(
        &self,
        facet: &Facet,
        config: &FilterConfig,
        values: Vec<FacetValueView>,
    ) -> Vec<FacetValueView> {
        let chosen = self.chosen(&facet.field);
        let groups = groups(Some(config));
        let members: HashSet<&str> = groups
            .iter()
            .flat_map(|g| &g.values)
            .map(String::as_str)
            .collect();
        let mut options = group_options(facet, groups, config, &chosen);
        let names = || values.iter().map(|value| (&*value.id, &*value.label));
        let of_choices = NamedValues::of(chosen.iter().copied(), names());
        let of_groups = NamedValues::of(members.iter().copied(), names());
        // A value of a group is an option of its own only if it was chosen itself.
        options.extend(values.into_iter().filter(|value| {
            let has = |named: &NamedValues<'_>| named.has(&value.id, &value.label);
            !value.selected || has(&of_choices) || !has(&of_groups)
        }));
        let place = |option: &FacetValueView| {
            let place = groups.iter().position(|group| group.key == option.id);
            place.unwrap_or(groups.len())
        };
        shorten(
            &mut options,
            config
                .limit
                .map_or(FACET_VALUES_MAX, |limit| limit as usize),
        );
        match config.sort {
            None | Some(OptionSort::Count) => {}
            Some(OptionSort::Alpha) => options.sort_by_cached_key(|option| {
                (self.analyser).map(|analyser| analyser.label_order(&option.label))
            }),
            Some(OptionSort::Position) => options.sort_by_key(place),
        }
        options
    }

    fn chosen(&self, field: &FilterField) -> HashSet<&'a str> {
        let own = self.choices.iter().filter(|choice| choice.field() == field);
        let values = own.flat_map(|choice| match choice {
            FilterChoice::Any(_, values) => values.as_slice(),
            FilterChoice::Range(..) => &[],
        });
        values.map(String::as_str).collect()
    }
}

fn groups(config: Option<&FilterConfig>) -> &[ValueGroup] {
    let groups = config.and_then(|config| config.value_groups.as_deref());
    groups.unwrap_or_default()
}

/// Returns the options of groups; those without products only if they were chosen, or the filter shows empty options.
fn group_options(
    facet: &Facet,
    groups: &[ValueGroup],
    config: &FilterConfig,
    chosen: &HashSet<&str>,
) -> Vec<FacetValueView> {
    let counted = groups.iter().zip(&facet.groups);
    let options = counted.map(|(group, counted)| {
        let first = || {
            counted
                .label
                .as_deref()
                .or(group.values.first().map(String::as_str))
        };
        FacetValueView {
            id: group.key.clone(),
            label: group
                .label
                .as_ref()
                .map(Label::as_str)
                .or_else(first)
                .unwrap_or_default()
                .to_owned(),
            count: counted.count,
            selected: chosen.contains(group.key.as_str()),
        }
    });
    let shown = options
        .filter(|option| option.count > 0 || option.selected || config.hide_empty == Some(false));
    shown.collect()
}

/// Orders options by count and keeps the first `max`, and those that were chosen.
fn shorten(options: &mut Vec<FacetValueView>, max: usize) {
    options.sort_by(|a, b| {
        let place = |of: &FacetValueView| (Reverse(of.count), of.label.clone(), of.id.clone());
        place(a).cmp(&place(b))
    });
    let mut place = 0;
    options.retain(|option| {
        place += 1;
        place <= max || option.selected
    });
}
