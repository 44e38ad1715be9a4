//! The types of documents, and the fields of the feed whose names depend on the type.

use crate::error_codes;
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

/// The fields whose names depend on the type of the document.
#[derive(Clone, Copy, Debug)]
pub struct TypeFields {
    /// Field of the name, which no document is without.
    pub name: &'static str,
    /// Error code of a document without a name.
    pub name_missing: &'static str,
    /// Field of the description.
    pub description: &'static str,
    /// Field with the names of categories.
    pub category_names: CategoryNames,
}

/// The field with the names of categories that a document is found by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CategoryNames {
    /// `categories`, a list of objects with a name each.
    Categories,
    /// A list of names, in this field.
    List(&'static str),
    /// At most one name, in this field.
    Single(&'static str),
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

    /// Returns the names of the fields that depend on the type.
    pub fn fields(self) -> TypeFields {
        let named = TypeFields {
            name: "name",
            name_missing: error_codes::NAME_MISSING,
            description: "description",
            category_names: CategoryNames::Categories,
        };
        match self {
            Self::Products => named,
            Self::Categories | Self::Brands => TypeFields {
                category_names: CategoryNames::List("path"),
                ..named
            },
            Self::Pages => TypeFields {
                name: "title",
                name_missing: error_codes::TITLE_MISSING,
                description: "content",
                category_names: CategoryNames::Single("categoryName"),
            },
        }
    }
}
