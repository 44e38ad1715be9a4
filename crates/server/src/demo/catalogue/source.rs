//! The types of the catalogue's TOML files, with both languages.

use serde::Deserialize;

/// A text in both languages of the shop.
#[derive(Deserialize)]
pub(super) struct Both<T = String> {
    en: T,
    es: T,
}

impl<T> Both<T> {
    /// Returns the text in `language`, or in English for every language but Spanish.
    pub fn of(&self, language: &str) -> &T {
        if language == "es" { &self.es } else { &self.en }
    }
}

/// Everything but the products.
#[derive(Deserialize)]
pub(super) struct Shop {
    /// Products added since this day are new.
    pub new_since: String,
    #[serde(rename = "department")]
    pub departments: Vec<Department>,
    #[serde(rename = "category")]
    pub categories: Vec<Category>,
    #[serde(rename = "brand")]
    pub brands: Vec<Brand>,
    #[serde(rename = "group")]
    pub groups: Vec<OptionGroup>,
}

/// A top-level category.
#[derive(Deserialize)]
pub(super) struct Department {
    pub id: String,
    #[serde(flatten)]
    pub name: Both,
    /// Value-added tax of its products, in percent.
    pub vat: f64,
    pub about: Both,
}

/// A second-level category; its products are in the file named after `key`.
#[derive(Deserialize)]
pub(super) struct Category {
    pub id: String,
    pub key: String,
    /// Id of its department.
    pub department: String,
    #[serde(flatten)]
    pub name: Both,
    pub about: Both,
}

/// A brand.
#[derive(Deserialize)]
pub(super) struct Brand {
    pub id: String,
    pub name: String,
    pub about: Both,
}

/// A group of options, such as the size.
#[derive(Deserialize)]
pub(super) struct OptionGroup {
    pub id: String,
    pub key: String,
    #[serde(flatten)]
    pub name: Both,
    pub values: Vec<OptionValue>,
}

/// One value of a group.
#[derive(Deserialize)]
pub(super) struct OptionValue {
    pub key: String,
    /// Suffix of the codes of variants.
    pub code: String,
    en: Option<String>,
    es: Option<String>,
}

impl OptionValue {
    /// Returns the displayed text, or the key if both languages share it.
    pub fn label(&self, language: &str) -> &str {
        let own = if language == "es" { &self.es } else { &self.en };
        own.as_deref().unwrap_or(&self.key)
    }
}

/// The products of one category.
#[derive(Deserialize)]
pub(super) struct Shelf {
    #[serde(rename = "product")]
    pub products: Vec<Product>,
}

/// One product.
#[derive(Deserialize)]
pub(super) struct Product {
    pub id: String,
    /// Silhouette of the picture.
    pub kind: String,
    /// Colour of the picture.
    pub colour: String,
    pub brand: String,
    pub supplier: Option<String>,
    pub reference: String,
    pub mpn: Option<String>,
    pub price: f64,
    /// The former, higher price.
    pub was: Option<f64>,
    pub stock: u32,
    /// Whether it can be ordered without stock.
    #[serde(default)]
    pub backorder: bool,
    pub sold: u32,
    pub rating: Option<f64>,
    pub ratings: Option<u32>,
    /// Day, such as `2026-03-14`.
    pub added: String,
    pub tags: Both<Vec<String>>,
    /// Pairs of a label and its value.
    pub features: Vec<Both<[String; 2]>>,
    #[serde(default)]
    pub options: Vec<OptionChoice>,
    #[serde(flatten)]
    pub text: Both<Text>,
}

/// The values of one option group that a product is available in.
#[derive(Deserialize)]
pub(super) struct OptionChoice {
    /// Key of the group.
    pub group: String,
    /// Keys of its values.
    pub values: Vec<String>,
}

/// The texts of a product in one language.
#[derive(Deserialize)]
pub(super) struct Text {
    pub name: String,
    pub short: String,
    pub description: String,
}
