//! Requests that create and update filters and list values.

use super::groups::{GroupInput, with_keys};
use super::{FilterConfig, FilterContent, FilterType, OptionSort, ValueGroup};
use crate::Language;
use crate::clearable::Clearable;
use crate::form::LabelMap;
use crate::invalid::Invalid;
use crate::limits::{
    FACET_VALUES_CONFIGURED_MAX, FIELD_CHARACTERS_MAX, FILTER_GROUPS_MAX, FILTER_POSITION_MAX,
    STORE_LANGUAGES_MAX, VALUE_PAGE_DEFAULT, VALUE_PAGE_MAX, VALUE_SEARCH_CHARACTERS_MAX,
};
use crate::message;
use crate::published_schema::object_schema;
use crate::search::{FilterField, FilterKind};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// A function that creates the key of a new group.
pub type NewGroupKey<'a> = &'a mut dyn FnMut() -> String;

/// Request of `POST …/filters`.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(extend("x-published" = type_of_field()))]
pub struct NewFilter {
    /// The field: price, manufacturer, supplier, categories, tags, inStock, discount, rating, feature_num,
    /// attributes.<group> or features.<group>.
    #[schemars(with = "FilterField")]
    pub field: String,
    /// Names by language; the automatic name if left out.
    #[serde(default)]
    #[schemars(with = "BTreeMap<String, String>", extend("maxProperties" = STORE_LANGUAGES_MAX, "x-published" = LabelMap::published()))]
    pub label: Option<BTreeMap<String, String>>,
    /// How it is shown; the usual type of its field if left out.
    #[serde(default, rename = "type")]
    #[schemars(with = "FilterType")]
    pub kind: Option<FilterType>,
    /// Position, lower ones first; after all others if left out.
    #[serde(default)]
    #[schemars(with = "u32", range(max = FILTER_POSITION_MAX))]
    pub position: Option<u32>,
    /// Whether it is shown; true if left out.
    #[serde(default = "yes")]
    pub active: bool,
    /// Its options.
    #[serde(default)]
    pub config: ConfigInput,
}

fn yes() -> bool {
    true
}

/// The options of a new filter.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ConfigInput {
    /// Groups of values, each shown as one option.
    #[serde(default)]
    #[schemars(with = "Vec<GroupInput>", length(max = FILTER_GROUPS_MAX))]
    pub value_groups: Option<Vec<GroupInput>>,
    /// Order of the options.
    #[serde(default)]
    #[schemars(with = "OptionSort")]
    pub sort: Option<OptionSort>,
    /// Maximum number of options.
    #[serde(default)]
    #[schemars(with = "u32", range(min = 1, max = FACET_VALUES_CONFIGURED_MAX))]
    pub limit: Option<u32>,
    /// Whether options without hits are left out.
    #[serde(default)]
    #[schemars(with = "bool")]
    pub hide_empty: Option<bool>,
}

/// Request of `PUT …/filters/{filterId}`; what is left out stays.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct FilterPatch {
    /// Its field, which cannot change.
    #[serde(default)]
    #[schemars(with = "String", length(min = 1, max = FIELD_CHARACTERS_MAX))]
    pub field: Option<String>,
    /// All names by language; null restores the automatic name.
    #[serde(default)]
    #[schemars(extend("x-published" = LabelMap::published()))]
    pub label: Clearable<BTreeMap<String, String>>,
    /// How it is shown.
    #[serde(default, rename = "type")]
    #[schemars(with = "FilterType")]
    pub kind: Option<FilterType>,
    /// Position, lower ones first.
    #[serde(default)]
    #[schemars(with = "u32", range(max = FILTER_POSITION_MAX))]
    pub position: Option<u32>,
    /// Whether it is shown.
    #[serde(default)]
    #[schemars(with = "bool")]
    pub active: Option<bool>,
    /// Changes of its options; what is left out stays.
    #[serde(default)]
    #[schemars(with = "ConfigPatch")]
    pub config: Option<ConfigPatch>,
}

/// A change of the options of a filter; what is left out stays.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ConfigPatch {
    /// All groups, replacing the current ones; null unsets them.
    #[serde(default)]
    #[schemars(extend("x-published" = {"maxItems": FILTER_GROUPS_MAX}))]
    pub value_groups: Clearable<Vec<GroupInput>>,
    /// Order of the options; null unsets it.
    #[serde(default)]
    pub sort: Clearable<OptionSort>,
    /// Maximum number of options, 1 to 1,000; null unsets it.
    #[serde(default)]
    #[schemars(extend("x-published" = {"minimum": 1, "maximum": FACET_VALUES_CONFIGURED_MAX}))]
    pub limit: Clearable<u32>,
    /// Whether options without hits are left out; null unsets it.
    #[serde(default)]
    pub hide_empty: Clearable<bool>,
}

/// Query parameters of `GET …/filters/values`.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ValuesQuery {
    /// The field.
    #[schemars(with = "FilterField")]
    pub field: String,
    /// Language; the store's default if left out.
    #[serde(default)]
    #[schemars(with = "Language")]
    pub lang: Option<Language>,
    /// Only values with a word of the label that starts with this text, ignoring case and accents.
    #[serde(default)]
    #[schemars(with = "String", length(max = VALUE_SEARCH_CHARACTERS_MAX))]
    pub q: Option<String>,
    /// Page, from 1. Without page, limit and q all values are returned.
    #[serde(default)]
    #[schemars(with = "u32", range(min = 1))]
    pub page: Option<u32>,
    /// Values per page, 1 to 100; default 20.
    #[serde(default)]
    #[schemars(with = "u32", range(min = 1, max = VALUE_PAGE_MAX))]
    pub limit: Option<u32>,
}

impl ValuesQuery {
    /// Returns the number and size of the page; `None` for all values.
    pub fn page(&self) -> Option<(u32, u32)> {
        let paged = self.page.is_some() || self.limit.is_some() || self.q.is_some();
        let limit = self.limit.unwrap_or(VALUE_PAGE_DEFAULT);
        paged.then_some((self.page.unwrap_or(1), limit))
    }
}

/// The types that a filter of each field may have, and which of them may group values.
fn type_of_field() -> Value {
    let of = |fields: &[String]| object_schema(json!({"field": {"enum": fields}}), &["field"]);
    let ungrouped = |kind: FilterType| {
        let config = object_schema(json!({"valueGroups": {"maxItems": 0}}), &[]);
        object_schema(
            json!({"type": {"const": kind.as_str()}, "config": config}),
            &[],
        )
    };
    let one_of = |kinds: &[FilterType]| {
        let names: Vec<&str> = kinds.iter().map(|kind| kind.as_str()).collect();
        object_schema(json!({"type": {"enum": names}}), &[])
    };
    let (ranges, flags) = (
        FilterField::names_of(FilterKind::Range),
        FilterField::names_of(FilterKind::Flag),
    );
    let trees = [FilterField::Categories.to_string()];
    let others = [&ranges[..], &flags, &trees].concat();
    json!({"allOf": [
        {"if": of(&ranges), "then": ungrouped(FilterType::Range)},
        {"if": of(&flags), "then": ungrouped(FilterType::Boolean)},
        {"if": of(&trees), "then": one_of(&[FilterType::List, FilterType::Tree])},
        {"if": of(&others), "else": one_of(&[FilterType::List])},
    ]})
}

impl NewFilter {
    /// Returns the filter; `next` is the position after all others.
    ///
    /// Errors: every invalid value, by its path.
    pub fn check(self, next: u32, new_key: NewGroupKey<'_>) -> Result<FilterContent, Vec<Invalid>> {
        self.check_with_groups(next, &[], new_key)
    }

    /// Returns the filter as a configuration file has it: a group keeps the key that it was sent with, or that of the same
    /// values among `present`.
    ///
    /// Errors: every invalid value, by its path.
    pub fn check_of_file(
        self,
        next: u32,
        present: &[ValueGroup],
        new_key: NewGroupKey<'_>,
    ) -> Result<FilterContent, Vec<Invalid>> {
        let sent = self.config.value_groups.iter().flatten();
        let mut groups: Vec<ValueGroup> = sent.filter_map(GroupInput::as_present).collect();
        groups.extend(present.iter().cloned());
        self.check_with_groups(next, &groups, new_key)
    }

    fn check_with_groups(
        self,
        next: u32,
        present: &[ValueGroup],
        new_key: NewGroupKey<'_>,
    ) -> Result<FilterContent, Vec<Invalid>> {
        let mut errors = Vec::new();
        let label = self.label.and_then(|names| labels(names, &mut errors));
        let Some(field) = FilterField::parse(&self.field) else {
            let reason =
                message::value::one_of_got(FilterField::names(), message::quoted(&self.field));
            errors.insert(0, Invalid::new("field", reason));
            return Err(errors);
        };
        let groups = self.config.value_groups;
        let content = FilterContent {
            kind: self.kind.unwrap_or(FilterType::usual(&field)),
            field,
            label,
            position: self.position.unwrap_or(next),
            active: self.active,
            config: FilterConfig {
                value_groups: groups.map(|groups| with_keys(groups, present, new_key, &mut errors)),
                sort: self.config.sort,
                limit: self.config.limit,
                hide_empty: self.config.hide_empty,
            },
        };
        content.checked(errors)
    }
}

impl FilterPatch {
    /// Returns `before` with the change applied.
    ///
    /// Errors: every invalid value, by its path.
    pub fn apply(
        self,
        before: &FilterContent,
        new_key: NewGroupKey<'_>,
    ) -> Result<FilterContent, Vec<Invalid>> {
        let mut errors = Vec::new();
        if let Some(field) = &self.field
            && *field != before.field.to_string()
        {
            let reason = message::filter::field_fixed(before.field.to_string());
            errors.push(Invalid::new("field", reason));
        }
        let label = match self.label {
            Clearable::Keep => before.label.clone(),
            Clearable::Clear => None,
            Clearable::Set(names) => labels(names, &mut errors),
        };
        let content = FilterContent {
            field: before.field.clone(),
            label,
            kind: self.kind.unwrap_or(before.kind),
            position: self.position.unwrap_or(before.position),
            active: self.active.unwrap_or(before.active),
            config: self.config.unwrap_or_default().apply(
                before.config.clone(),
                new_key,
                &mut errors,
            ),
        };
        content.checked(errors)
    }
}

impl ConfigPatch {
    fn apply(
        self,
        before: FilterConfig,
        new_key: NewGroupKey<'_>,
        errors: &mut Vec<Invalid>,
    ) -> FilterConfig {
        let present: &[ValueGroup] = before.value_groups.as_deref().unwrap_or_default();
        let value_groups = match self.value_groups {
            Clearable::Set(groups) => Some(with_keys(groups, present, new_key, errors)),
            Clearable::Clear => None,
            Clearable::Keep => before.value_groups,
        };
        FilterConfig {
            value_groups,
            sort: self.sort.over(before.sort),
            limit: self.limit.over(before.limit),
            hide_empty: self.hide_empty.over(before.hide_empty),
        }
    }
}

/// Parses names by language; adds what is invalid to `errors`.
fn labels(names: BTreeMap<String, String>, errors: &mut Vec<Invalid>) -> Option<LabelMap> {
    LabelMap::parse("label", names)
        .map_err(|wrong| errors.extend(wrong))
        .ok()
}
