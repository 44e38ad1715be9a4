//! The types of documents.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The four types of documents.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum DocType {
    /// Products.
    Products,
    /// Categories.
    Categories,
    /// Brands (`type: MANUFACTURER`).
    Brands,
    /// CMS pages.
    Pages,
}

impl DocType {
    /// All types, in the order of the API.
    pub const ALL: [Self; 4] = [Self::Products, Self::Categories, Self::Brands, Self::Pages];

    /// Returns the name used by the API and in the database.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Products => "products",
            Self::Categories => "categories",
            Self::Brands => "brands",
            Self::Pages => "pages",
        }
    }

    /// Returns the type with this name, the inverse of [`Self::as_str`].
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|t| t.as_str() == text)
    }
}
