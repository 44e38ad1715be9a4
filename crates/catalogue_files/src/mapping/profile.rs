//! Whose column names a file has.

use super::woocommerce;
use super::{field, table};
use crate::rows::columns::FileColumns;
use crate::rows::format::FileFormat;
use domain::DocType;

/// Whose column names a file has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "their names say it")]
pub enum ColumnProfile {
    Google,
    Shopify,
    Woocommerce,
    Magento,
    Shopware,
    Findwell,
    Plain,
}

impl ColumnProfile {
    /// All profiles, in the order in which they are tried.
    pub const ALL: [Self; 7] = [
        Self::Google,
        Self::Shopify,
        Self::Woocommerce,
        Self::Magento,
        Self::Shopware,
        Self::Findwell,
        Self::Plain,
    ];

    /// Returns its name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Google => "google",
            Self::Shopify => "shopify",
            Self::Woocommerce => "woocommerce",
            Self::Magento => "magento",
            Self::Shopware => "shopware",
            Self::Findwell => "findwell",
            Self::Plain => "plain",
        }
    }

    /// Returns the profile of this name, the inverse of [`Self::as_str`].
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|profile| profile.as_str() == text)
    }

    /// Returns the first profile whose columns are there.
    pub fn detect(doc_type: DocType, format: FileFormat, columns: &FileColumns) -> Self {
        let is_product = doc_type == DocType::Products;
        let all = Self::ALL.into_iter();
        let mut possible = all.filter(|p| is_product || matches!(p, Self::Findwell | Self::Plain));
        possible
            .find(|profile| profile.matches(doc_type, format, columns))
            .unwrap_or(Self::Plain)
    }

    fn matches(self, doc_type: DocType, format: FileFormat, columns: &FileColumns) -> bool {
        let has = |key: &str| columns.has(key);
        match self {
            Self::Google => {
                let more = ["link", "imagelink", "availability", "price"];
                matches!(format, FileFormat::Rss | FileFormat::Atom)
                    || has("id")
                        && has("title")
                        && more.into_iter().filter(|key| has(key)).count() >= 2
            }
            Self::Shopify => {
                (has("handle") || has("urlhandle")) && (has("option1name") || has("variantsku"))
            }
            Self::Woocommerce => {
                let english: Vec<&str> = (columns.names().iter())
                    .filter_map(|name| woocommerce::english(name))
                    .collect();
                let mut wanted = ["Type", "SKU", "Regular price"].iter();
                wanted.all(|name| english.contains(name))
            }
            Self::Magento => {
                has("sku")
                    && has("producttype")
                    && (has("attributesetcode") || has("storeviewcode"))
            }
            Self::Shopware => has("productnumber") && (has("pricenet") || has("pricegross")),
            Self::Findwell => {
                let mut names = columns.names().iter();
                format.is_json()
                    && names.all(|name| {
                        field::target(doc_type, name).is_some() || !table::is_name(name)
                    })
            }
            Self::Plain => true,
        }
    }
}
