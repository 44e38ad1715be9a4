//! Filters: which facets shoppers see, in which order, under which names, with which options (contract section 7).

mod change;
mod groups;

pub use change::{ConfigInput, ConfigPatch, FilterPatch, NewFilter, ValuesQuery};
pub use groups::{GroupInput, ValueGroup};

use crate::invalid::Invalid;
use crate::limits::{FACET_VALUES_CONFIGURED_MAX, FILTER_POSITION_MAX, NAME_LETTERS_MAX};
use crate::search::{FilterField, FilterKind};
use crate::store::check_name;
use crate::{FilterId, Language, Timestamp};
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeMap;

/// How a filter is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum FilterType {
    /// Options to choose from.
    List,
    /// Two ends of a range.
    Range,
    /// Yes or no.
    Boolean,
    /// Options under each other.
    Tree,
}

impl FilterType {
    /// The word of the interface.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::List => "list",
            Self::Range => "range",
            Self::Boolean => "boolean",
            Self::Tree => "tree",
        }
    }

    /// The type that a filter of `field` has when none is named.
    pub fn usual(field: &FilterField) -> Self {
        match field.kind() {
            FilterKind::Values => Self::List,
            FilterKind::Flag => Self::Boolean,
            FilterKind::Range => Self::Range,
        }
    }

    /// Whether a filter of `field` may have it.
    fn fits(self, field: &FilterField) -> bool {
        self == Self::usual(field) || (self == Self::Tree && *field == FilterField::Categories)
    }
}

/// Order of the options of a filter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum OptionSort {
    /// The commonest first.
    Count,
    /// By their names.
    Alpha,
    /// Groups in their order, then the others, the commonest first.
    Position,
}

/// What a filter shows of its options; what is not set is as in the automatic facets.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FilterConfig {
    /// Values that are one option together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value_groups: Option<Vec<ValueGroup>>,
    /// Order of the options; by count when not set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sort: Option<OptionSort>,
    /// How many options are shown, the commonest; 50 when not set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
    /// Whether options that no product found has are left out; they are when not set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hide_empty: Option<bool>,
}

/// What a filter says, checked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FilterContent {
    /// The field that it filters by; it never changes.
    #[serde(serialize_with = "write_field", deserialize_with = "read_field")]
    #[schemars(with = "String")]
    pub field: FilterField,
    /// Its names by language; the automatic one when there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "BTreeMap<String, String>")]
    pub label: Option<BTreeMap<Language, String>>,
    /// How it is shown.
    #[serde(rename = "type")]
    pub kind: FilterType,
    /// Its place; lower ones come first.
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
    /// What it says.
    #[serde(flatten)]
    pub content: FilterContent,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
}

impl FilterContent {
    /// The filter of `field` as the automatic facets have it, at this place.
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

    /// The content, unless something of it or of what led to it is wrong.
    fn checked(self, mut errors: Vec<Invalid>) -> Result<Self, Vec<Invalid>> {
        if !self.kind.fits(&self.field) {
            let usual = FilterType::usual(&self.field).as_str();
            let also = match self.field {
                FilterField::Categories => " or \"tree\"",
                _ => "",
            };
            let got = self.kind.as_str();
            let field = &self.field;
            let reason = format!("must be \"{usual}\"{also} for the field {field}, got \"{got}\"");
            errors.push(Invalid::new("type", reason));
        }
        for (language, text) in self.label.iter().flatten() {
            if let Err(reason) = check_name(text, NAME_LETTERS_MAX) {
                errors.push(Invalid::new(format!("label.{language}"), reason));
            }
        }
        if self.position > FILTER_POSITION_MAX {
            let got = self.position;
            let reason = format!("must be between 0 and {FILTER_POSITION_MAX}, got {got}");
            errors.push(Invalid::new("position", reason));
        }
        if let Some(limit) = self.config.limit
            && !(1..=FACET_VALUES_CONFIGURED_MAX).contains(&limit)
        {
            let reason =
                format!("must be between 1 and {FACET_VALUES_CONFIGURED_MAX}, got {limit}");
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
    FilterField::parse(&name).ok_or_else(|| serde::de::Error::custom("is no such field"))
}

#[cfg(test)]
mod tests;
