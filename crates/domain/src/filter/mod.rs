//! Filters: the facets that shoppers see, with their order, names and options (docs/api.md, "Filters of a store").

mod change;
mod groups;

pub use change::{ConfigInput, ConfigPatch, FilterPatch, NewFilter, ValuesQuery};
pub use groups::{GroupInput, ValueGroup};

use crate::form::LabelMap;
use crate::invalid::Invalid;
use crate::limits::{FACET_VALUES_CONFIGURED_MAX, FILTER_POSITION_MAX};
use crate::message;
use crate::search::{FilterField, FilterKind};
use crate::{FilterId, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeMap;

/// How a filter is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum FilterType {
    /// Options to choose from.
    List,
    /// Minimum and maximum of a range.
    Range,
    /// Yes or no.
    Boolean,
    /// Nested options.
    Tree,
}

impl FilterType {
    /// All types, in the order of the API.
    pub const ALL: [Self; 4] = [Self::List, Self::Range, Self::Boolean, Self::Tree];

    /// Returns the name used by the API.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::List => "list",
            Self::Range => "range",
            Self::Boolean => "boolean",
            Self::Tree => "tree",
        }
    }

    /// Returns the default type of a filter of `field`.
    pub fn usual(field: &FilterField) -> Self {
        match field.kind() {
            FilterKind::Values => Self::List,
            FilterKind::Flag => Self::Boolean,
            FilterKind::Range => Self::Range,
        }
    }

    /// Returns whether a filter of `field` may have this type.
    fn fits(self, field: &FilterField) -> bool {
        self == Self::usual(field) || (self == Self::Tree && *field == FilterField::Categories)
    }
}

/// Order of the options of a filter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum OptionSort {
    /// The most frequent first.
    Count,
    /// By name.
    Alpha,
    /// Groups in their order, then the others, the most frequent first.
    Position,
}

impl OptionSort {
    /// All orders, in the order of the API.
    pub const ALL: [Self; 3] = [Self::Count, Self::Alpha, Self::Position];
}

/// The options of a filter; what is not set is as in the automatic facets.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FilterConfig {
    /// Groups of values, each shown as one option.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value_groups: Option<Vec<ValueGroup>>,
    /// Order of the options; by count if not set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sort: Option<OptionSort>,
    /// Maximum number of options, the most frequent; 50 if not set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
    /// Whether options without hits are left out; true if not set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hide_empty: Option<bool>,
}

/// The checked content of a filter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FilterContent {
    /// The field that it filters by; it never changes.
    #[serde(serialize_with = "write_field", deserialize_with = "read_field")]
    #[schemars(with = "String")]
    pub field: FilterField,
    /// Its names by language; the automatic name if there are none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "BTreeMap<String, String>")]
    pub label: Option<LabelMap>,
    /// How it is shown.
    #[serde(rename = "type")]
    pub kind: FilterType,
    /// Its position; lower ones come first.
    pub position: u32,
    /// Whether it is shown.
    pub active: bool,
    /// Its options.
    pub config: FilterConfig,
}

/// A filter with its id and dates.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Filter {
    /// Its id.
    pub id: FilterId,
    /// Its content.
    #[serde(flatten)]
    pub content: FilterContent,
    /// When it was created.
    pub created_at: Timestamp,
    /// When it was last updated.
    pub updated_at: Timestamp,
}

impl FilterContent {
    /// Returns the filter of `field` as in the automatic facets, at this position.
    pub fn automatic(field: FilterField, position: u32) -> Self {
        Self {
            kind: FilterType::usual(&field),
            field,
            label: None,
            position,
            active: true,
            config: FilterConfig::default(),
        }
    }

    /// Checks the content; returns all errors, including those given.
    fn checked(self, mut errors: Vec<Invalid>) -> Result<Self, Vec<Invalid>> {
        if !self.kind.fits(&self.field) {
            let usual = message::quoted(FilterType::usual(&self.field).as_str());
            let expected = match self.field {
                FilterField::Categories => {
                    message::kind::either(usual, message::quoted("tree")).into()
                }
                _ => usual,
            };
            let (field, got) = (self.field.to_string(), message::quoted(self.kind.as_str()));
            let reason = message::filter::kind_of_field(expected, field, got);
            errors.push(Invalid::new("type", reason));
        }
        if self.position > FILTER_POSITION_MAX {
            let got = self.position;
            let reason = message::number::between(0, FILTER_POSITION_MAX, got);
            errors.push(Invalid::new("position", reason));
        }
        if let Some(limit) = self.config.limit
            && !(1..=FACET_VALUES_CONFIGURED_MAX).contains(&limit)
        {
            let reason = message::number::between(1, FACET_VALUES_CONFIGURED_MAX, limit);
            errors.push(Invalid::new("config.limit", reason));
        }
        groups::check(&self, &mut errors);
        if errors.is_empty() {
            Ok(self)
        } else {
            Err(errors)
        }
    }
}

fn write_field<S: Serializer>(field: &FilterField, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(field)
}

fn read_field<'de, D: Deserializer<'de>>(deserializer: D) -> Result<FilterField, D::Error> {
    let name = String::deserialize(deserializer)?;
    FilterField::parse(&name)
        .ok_or_else(|| serde::de::Error::custom(message::value::unknown_field()))
}

#[cfg(test)]
mod tests;
