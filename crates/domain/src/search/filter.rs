//! The fields that a shopper may filter by (docs/api.md, "Filters"), and the values of a filter.

use super::{FilterValue, RangeValue};
use crate::form::bounded;
use crate::limits::{FIELD_CHARACTERS_MAX, FILTER_VALUES_MAX};
use crate::message::{self, Message, MessageValue};
use crate::published_schema::PUBLISHED_KEY;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Value, json};
use std::borrow::Cow;
use std::fmt;

/// A field that a shopper may filter by, in the order of facets.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FilterField {
    /// Price of the visitor: a range.
    Price,
    /// Brand.
    Manufacturer,
    /// Categories, including all ancestors.
    Categories,
    /// Whether it is in stock.
    InStock,
    /// Rating: a range.
    Rating,
    /// Whether the visitor gets a discount.
    Discount,
    /// Supplier.
    Supplier,
    /// Tags.
    Tags,
    /// Value of the chosen feature: a range.
    FeatureNum,
    /// Attributes of one group, by the shop's id, or by name if the feed sends no id.
    Attributes(String),
    /// Values of one feature, by the shop's id or by name.
    Features(String),
}

/// The kind of values that a field is filtered by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FilterKind {
    /// Values, by id or text.
    Values,
    /// `true`, `false` or both.
    Flag,
    /// A range of numbers.
    Range,
}

impl FilterField {
    /// All fields with a fixed name.
    pub const FIXED: [Self; 9] = [
        Self::Price,
        Self::Manufacturer,
        Self::Categories,
        Self::InStock,
        Self::Rating,
        Self::Discount,
        Self::Supplier,
        Self::Tags,
        Self::FeatureNum,
    ];

    /// Returns the field called `name`.
    pub fn parse(name: &str) -> Option<Self> {
        let group = |group: &str| Some(group.to_owned()).filter(|group| !group.is_empty());
        if let Some(name) = name.strip_prefix("attributes.") {
            return group(name).map(Self::Attributes);
        }
        if let Some(name) = name.strip_prefix("features.") {
            return group(name).map(Self::Features);
        }
        Self::FIXED
            .into_iter()
            .find(|field| field.fixed_name() == Some(name))
    }

    /// Returns the reason for an unknown name.
    pub fn expected() -> Message {
        message::value::one_of(Self::names())
    }

    /// Returns the names that a field can have, for an error.
    pub(crate) fn names() -> MessageValue {
        let groups = ["attributes.<group>", "features.<group>"].map(str::to_owned);
        message::list(
            Self::FIXED
                .map(|field| field.to_string())
                .into_iter()
                .chain(groups),
        )
    }

    /// Returns the keywords that the schema of a name publishes.
    pub(crate) fn published() -> Value {
        let fixed = Self::FIXED.map(|field| field.to_string()).join("|");
        json!({"pattern": format!(r"^({fixed}|(attributes|features)\.[\s\S]+)$")})
    }

    /// Returns the names of the fields of this kind.
    pub(crate) fn names_of(kind: FilterKind) -> Vec<String> {
        let fixed = Self::FIXED.into_iter().filter(|field| field.kind() == kind);
        fixed.map(|field| field.to_string()).collect()
    }

    /// Returns the kind of values it is filtered by.
    pub fn kind(&self) -> FilterKind {
        match self {
            Self::Price | Self::Rating | Self::FeatureNum => FilterKind::Range,
            Self::InStock | Self::Discount => FilterKind::Flag,
            _ => FilterKind::Values,
        }
    }

    /// Returns whether it is a facet of a store without configured filters (docs/api.md, "Facets").
    pub fn is_automatic(&self) -> bool {
        !matches!(self, Self::Supplier | Self::Tags | Self::FeatureNum)
    }

    /// Returns whether it is an attribute or a feature.
    pub fn is_group(&self) -> bool {
        self.group().is_some()
    }

    /// Returns the group of an attribute or a feature.
    pub fn group(&self) -> Option<&str> {
        match self {
            Self::Attributes(group) | Self::Features(group) => Some(group),
            _ => None,
        }
    }

    fn fixed_name(&self) -> Option<&'static str> {
        Some(match self {
            Self::Price => "price",
            Self::Manufacturer => "manufacturer",
            Self::Categories => "categories",
            Self::InStock => "inStock",
            Self::Rating => "rating",
            Self::Discount => "discount",
            Self::Supplier => "supplier",
            Self::Tags => "tags",
            Self::FeatureNum => "feature_num",
            Self::Attributes(_) | Self::Features(_) => return None,
        })
    }
}

impl JsonSchema for FilterField {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "FilterField".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let mut schema = bounded(1..=FIELD_CHARACTERS_MAX);
        schema.insert(PUBLISHED_KEY.to_owned(), Self::published());
        schema
    }
}

impl fmt::Display for FilterField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Attributes(group) => write!(f, "attributes.{group}"),
            Self::Features(group) => write!(f, "features.{group}"),
            fixed => f.write_str(fixed.fixed_name().unwrap_or_default()),
        }
    }
}

/// One checked filter of a search.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum FilterChoice {
    /// Any of these values, by id or text; `true` or `false` for a flag.
    Any(FilterField, Vec<String>),
    /// A range of numbers.
    Range(FilterField, RangeValue),
}

impl FilterChoice {
    /// Checks `value` as a filter of `field`.
    ///
    /// Errors: the reason why it is invalid.
    pub fn new(field: FilterField, value: FilterValue) -> Result<Self, Message> {
        match (field.kind(), value) {
            (FilterKind::Range, FilterValue::Range(range)) => range_of(field, range),
            (FilterKind::Range, FilterValue::Any(_)) => Err(message::number::range()),
            (_, FilterValue::Range(_)) => Err(message::filter::values()),
            (_, FilterValue::Any(values)) if values.is_empty() => Err(message::filter::no_value()),
            (_, FilterValue::Any(values)) if values.len() > FILTER_VALUES_MAX => Err(
                message::filter::values_at_most(FILTER_VALUES_MAX, values.len()),
            ),
            (FilterKind::Flag, FilterValue::Any(values))
                if values.iter().any(|v| v != "true" && v != "false") =>
            {
                Err(message::filter::flag())
            }
            (_, FilterValue::Any(values)) => Ok(Self::Any(field, values)),
        }
    }

    /// Returns its approximate size in bytes.
    pub fn bytes(&self) -> usize {
        let group = self.field().group().map_or(0, str::len);
        let values = match self {
            Self::Any(_, values) => values.as_slice(),
            Self::Range(..) => &[],
        };
        let values = values.iter().map(|value| size_of::<String>() + value.len());
        size_of::<Self>() + group + values.sum::<usize>()
    }

    /// Returns the field it filters by.
    pub fn field(&self) -> &FilterField {
        match self {
            Self::Any(field, _) | Self::Range(field, _) => field,
        }
    }
}

fn range_of(field: FilterField, range: RangeValue) -> Result<FilterChoice, Message> {
    match (range.min, range.max) {
        (None, None) => Err(message::number::range_empty()),
        (Some(min), Some(max)) if min > max => Err(message::number::range_reversed(min, max)),
        _ => Ok(FilterChoice::Range(field, range)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_parsed_and_formatted_alike() {
        for name in [
            "price",
            "inStock",
            "feature_num",
            "attributes.1",
            "features.Colour. of it",
        ] {
            let field = FilterField::parse(name).expect("a field");
            assert_eq!(field.to_string(), name);
        }
        for name in ["attributes.", "features", "colour", ""] {
            assert_eq!(FilterField::parse(name), None, "{name}");
        }
    }
}
