//! What one row says about a product, before the rows of the product are merged.

use crate::values::stock::Stock;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

/// A value of an attribute or a feature, with its group.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct LabelledValue {
    /// Label of the group.
    pub group: String,
    /// Id of the group.
    pub group_id: String,
    /// The value.
    pub value: String,
}

/// What one row says.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RowFacts {
    /// Number of the row.
    #[serde(rename = "r")]
    pub row: u64,
    /// Its line.
    #[serde(rename = "l")]
    pub line: u64,
    /// Id of the document.
    #[serde(rename = "k")]
    pub key: String,
    /// Id of the row, where it is not that of the document.
    #[serde(rename = "i", default, skip_serializing_if = "is_default")]
    pub row_id: String,
    /// Whether it is a variant of the product.
    #[serde(rename = "v", default, skip_serializing_if = "is_default")]
    pub is_variant: bool,
    /// Whether its filled cells replace those of the row of the same id.
    #[serde(rename = "o", default, skip_serializing_if = "is_default")]
    pub is_overlay: bool,
    /// Whether it is not published at all.
    #[serde(rename = "h", default, skip_serializing_if = "is_default")]
    pub is_hidden: bool,
    /// Whether it is not shown alone.
    #[serde(rename = "j", default, skip_serializing_if = "is_default")]
    pub is_hidden_alone: bool,
    /// Whether `fields` is the document as it is.
    #[serde(rename = "w", default, skip_serializing_if = "is_default")]
    pub is_whole: bool,
    /// Texts and addresses by field: name, descriptions, url, image, brand.
    #[serde(rename = "t", default, skip_serializing_if = "is_default")]
    pub texts: BTreeMap<String, String>,
    /// Further pictures.
    #[serde(rename = "g", default, skip_serializing_if = "is_default")]
    pub images: Vec<String>,
    /// Prices by field.
    #[serde(rename = "p", default, skip_serializing_if = "is_default")]
    pub prices: BTreeMap<String, f64>,
    /// Stock.
    #[serde(rename = "s", default, skip_serializing_if = "is_default")]
    pub stock: Option<Stock>,
    /// Quantity in stock.
    #[serde(rename = "q", default, skip_serializing_if = "is_default")]
    pub quantity: Option<f64>,
    /// Codes by field.
    #[serde(rename = "c", default, skip_serializing_if = "is_default")]
    pub codes: BTreeMap<String, String>,
    /// Categories, names from the root down.
    #[serde(rename = "a", default, skip_serializing_if = "is_default")]
    pub categories: Vec<Vec<String>>,
    /// Ids of categories without names.
    #[serde(rename = "b", default, skip_serializing_if = "is_default")]
    pub category_ids: Vec<String>,
    /// Tags.
    #[serde(rename = "e", default, skip_serializing_if = "is_default")]
    pub tags: Vec<String>,
    /// Attributes.
    #[serde(rename = "m", default, skip_serializing_if = "is_default")]
    pub attributes: Vec<LabelledValue>,
    /// Features.
    #[serde(rename = "n", default, skip_serializing_if = "is_default")]
    pub features: Vec<LabelledValue>,
    /// Names of options by number, which may stand in the first row of a product only.
    #[serde(rename = "d", default, skip_serializing_if = "is_default")]
    pub option_names: BTreeMap<u32, String>,
    /// Values of options by number.
    #[serde(rename = "u", default, skip_serializing_if = "is_default")]
    pub option_values: BTreeMap<u32, Vec<String>>,
    /// Whether the options are features, and not what the variants differ in.
    #[serde(rename = "y", default, skip_serializing_if = "is_default")]
    pub are_options_features: bool,
    /// Fields as they are.
    #[serde(rename = "f", default, skip_serializing_if = "is_default")]
    pub fields: Map<String, Value>,
    /// FileColumns that nothing takes.
    #[serde(rename = "x", default, skip_serializing_if = "is_default")]
    pub extra: Map<String, Value>,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

impl RowFacts {
    /// Returns about how many bytes it takes.
    pub fn bytes(&self) -> usize {
        let texts: usize = self.texts.values().map(String::len).sum();
        let lists = self.tags.iter().chain(&self.images).map(String::len);
        let values = self.attributes.iter().chain(&self.features);
        let values: usize = values
            .map(|value| value.value.len() + value.group.len() + 64)
            .sum();
        let extra = self.extra.iter().chain(&self.fields);
        let extra: usize = extra
            .map(|(name, value)| name.len() + value_bytes(value))
            .sum();
        512 + texts + lists.sum::<usize>() + values + extra
    }

    /// Returns the text of a field.
    pub fn text(&self, field: &str) -> Option<&str> {
        self.texts.get(field).map(String::as_str)
    }

    /// Sets the text of a field if there is one.
    pub fn set_text(&mut self, field: &str, text: Option<String>) {
        if let Some(text) = text.filter(|text| !text.is_empty()) {
            self.texts.insert(field.to_owned(), text);
        }
    }

    /// Takes over what the row of another store view fills.
    pub fn overlay(&mut self, other: Self) {
        self.texts.extend(other.texts);
        self.prices.extend(other.prices);
        self.codes.extend(other.codes);
        self.fields.extend(other.fields);
        self.extra.extend(other.extra);
        self.stock = other.stock.or(self.stock);
        self.quantity = other.quantity.or(self.quantity);
        self.is_hidden |= other.is_hidden;
        self.is_hidden_alone |= other.is_hidden_alone;
        replace_filled(&mut self.images, other.images);
        replace_filled(&mut self.categories, other.categories);
        replace_filled(&mut self.tags, other.tags);
        replace_filled(&mut self.attributes, other.attributes);
        replace_filled(&mut self.features, other.features);
    }
}

fn replace_filled<T>(list: &mut Vec<T>, other: Vec<T>) {
    if !other.is_empty() {
        *list = other;
    }
}

fn value_bytes(value: &Value) -> usize {
    match value {
        Value::String(text) => text.len(),
        Value::Array(values) => values.iter().map(value_bytes).sum(),
        Value::Object(fields) => fields
            .iter()
            .map(|(name, value)| name.len() + value_bytes(value))
            .sum(),
        Value::Null | Value::Bool(_) | Value::Number(_) => 8,
    }
}
