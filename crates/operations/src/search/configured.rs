//! The facets of a store that has configured filters: which are asked for, what a group means, and what is shown.

use super::labels;
use super::response::{FacetValueView, FacetView};
use domain::Language;
use domain::filter::{Filter, FilterConfig, OptionSort, ValueGroup};
use domain::limits::FACET_VALUES_MAX;
use domain::search::{FilterChoice, FilterField};
use engine::{Facet, FacetRequest};
use std::cmp::Reverse;
use std::collections::HashSet;
use std::sync::Arc;

/// The filters of a store for one question.
pub(super) struct Configured<'a> {
    filters: &'a [Filter],
    choices: &'a [FilterChoice],
    /// The shopper's language, then the store's default one.
    languages: [&'a Language; 2],
}

impl<'a> Configured<'a> {
    /// The filters of a store, for a shopper who chose `choices`; none where the store has configured none.
    pub fn new(
        filters: &'a [Filter],
        choices: &'a [FilterChoice],
        languages: [&'a Language; 2],
    ) -> Option<Self> {
        (!filters.is_empty()).then_some(Self {
            filters,
            choices,
            languages,
        })
    }

    /// The facets to count: those of active filters in their order, then the other fields that were chosen.
    pub fn wishes(&self) -> Arc<[FacetRequest]> {
        let active = self.filters.iter().filter(|filter| filter.content.active);
        let mut wishes: Vec<FacetRequest> = active
            .map(|filter| self.wish(&filter.content.field))
            .collect();
        for choice in self.choices {
            if !wishes.iter().any(|wish| wish.field == *choice.field()) {
                wishes.push(self.wish(choice.field()));
            }
        }
        wishes.into()
    }

    fn wish(&self, field: &FilterField) -> FacetRequest {
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

    /// The choices with the values of a group in place of its key.
    pub fn choices(&self) -> Vec<FilterChoice> {
        let meant = self.choices.iter().map(|choice| match choice {
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
        meant.collect()
    }

    fn of(&self, field: &FilterField) -> Option<&'a Filter> {
        self.filters
            .iter()
            .find(|filter| filter.content.field == *field)
    }

    fn config(&self, field: &FilterField) -> Option<&'a FilterConfig> {
        self.of(field).map(|filter| &filter.content.config)
    }

    /// What is shown of the counted facets.
    pub fn views(&self, facets: &[Facet]) -> Vec<FacetView> {
        facets.iter().map(|facet| self.view(facet)).collect()
    }

    fn view(&self, facet: &Facet) -> FacetView {
        let mut view = labels::view(facet, self.languages[0]);
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
                .find_map(|language| names.get(*language));
            if let Some(name) = name {
                view.label.clone_from(name);
            }
        }
        if let Some(values) = view.values.take() {
            view.values = Some(self.options(facet, &filter.content.config, values));
        }
        view
    }

    /// Groups and the values beside them, as the filter wants them.
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
        // A value of a group is an option of its own only where it was chosen by itself.
        options.extend(values.into_iter().filter(|value| {
            let by_itself = [&value.id, &value.label]
                .into_iter()
                .any(|text| chosen.contains(text.as_str()));
            by_itself
                || !(members.contains(value.id.as_str()) || members.contains(value.label.as_str()))
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
            Some(OptionSort::Alpha) => {
                options.sort_by_cached_key(|option| query::analysis::fold(&option.label))
            }
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

/// The options of groups; those without a product are shown only where they were chosen, or the filter wants them.
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
                .as_deref()
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

/// Orders options by their count and leaves the first `most`, and those that were chosen.
fn shorten(options: &mut Vec<FacetValueView>, most: usize) {
    options.sort_by(|a, b| {
        let place = |of: &FacetValueView| (Reverse(of.count), of.label.clone(), of.id.clone());
        place(a).cmp(&place(b))
    });
    let mut place = 0;
    options.retain(|option| {
        place += 1;
        place <= most || option.selected
    });
}
