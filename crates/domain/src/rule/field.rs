//! The fields that a boost may depend on: numeric fields, and fields with text values.

use crate::message;
use crate::search::{FilterField, FilterKind};
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;

/// A field that is numeric in the index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, JsonSchema)]
#[schemars(with = "String")]
pub enum NumericField {
    /// Price of the visitor.
    Price,
    /// Units sold.
    SalesCount,
    /// Rating.
    Rating,
    /// Number of ratings.
    RatingCount,
    /// Value of the chosen feature.
    FeatureNum,
}

/// The numeric fields with their names.
pub const NUMERIC_FIELDS: [(NumericField, &str); 5] = [
    (NumericField::Price, "price"),
    (NumericField::SalesCount, "sales_count"),
    (NumericField::Rating, "rating"),
    (NumericField::RatingCount, "ratingCount"),
    (NumericField::FeatureNum, "feature_num"),
];

impl NumericField {
    /// Returns the field called `name`.
    pub fn parse(name: &str) -> Option<Self> {
        let row = NUMERIC_FIELDS.iter().find(|(_, known)| *known == name);
        row.map(|(field, _)| *field)
    }

    fn name(self) -> &'static str {
        let row = NUMERIC_FIELDS.iter().find(|(field, _)| *field == self);
        row.map_or("", |(_, name)| *name)
    }
}

/// A field that a `term` entry compares.
#[derive(Clone, Debug, PartialEq, Eq, Hash, JsonSchema)]
#[schemars(with = "String")]
pub enum TermField {
    /// A field that shoppers may filter by.
    Of(FilterField),
    /// Any attribute, whatever its group: `attributes.value`.
    AnyAttribute,
    /// Any feature, whatever its group: `features.value`.
    AnyFeature,
}

/// The names of the fields of `term` entries.
pub const TERM_FIELDS: &str = "manufacturer, supplier, categories (or categories.name), tags, inStock, discount, \
     attributes.<group>, features.<group>, attributes.value, features.value";

const ANY_ATTRIBUTE: &str = "attributes.value";
const ANY_FEATURE: &str = "features.value";

impl TermField {
    /// Returns the field called `name`, in the naming of filters or of boosts.
    pub fn parse(name: &str) -> Option<Self> {
        match name {
            ANY_ATTRIBUTE => Some(Self::AnyAttribute),
            ANY_FEATURE => Some(Self::AnyFeature),
            "categories.name" => Some(Self::Of(FilterField::Categories)),
            other => FilterField::parse(other)
                .filter(|field| field.kind() != FilterKind::Range)
                .map(Self::Of),
        }
    }
}

impl fmt::Display for NumericField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl fmt::Display for TermField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Of(field) => write!(f, "{field}"),
            Self::AnyAttribute => f.write_str(ANY_ATTRIBUTE),
            Self::AnyFeature => f.write_str(ANY_FEATURE),
        }
    }
}

/// Serialises a field as its name.
macro_rules! by_name {
    ($type:ty) => {
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let name = String::deserialize(deserializer)?;
                Self::parse(&name)
                    .ok_or_else(|| serde::de::Error::custom(message::value::unknown_field()))
            }
        }
    };
}

by_name!(NumericField);
by_name!(TermField);
