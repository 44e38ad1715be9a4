//! Merges the rows of one product into its document.

use super::facts::{LabelledValue, RowFacts};
use super::row_lists::extend_new;
use super::variants::{
    add_codes, add_stock, cheapest, common_name, insert_number, insert_stock, resolve_options,
};
use crate::bounds::{GROUP_BYTES_MAX, GROUP_ROWS_MAX, IMAGES_MAX};
use crate::values::groups::{category_id, value_id};
use crate::values::stock::Stock;
use domain::DocType;
use serde_json::{Map, Value, json};

/// The rows of one document, in the order of the file.
#[derive(Debug, Default)]
pub struct RowGroup {
    /// The row of the product, where variants have rows of their own.
    parent: Option<RowFacts>,
    variants: Vec<RowFacts>,
    overlays: Vec<RowFacts>,
    bytes: usize,
}

/// What becomes of a row that is added to a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AddedRow {
    /// It is part of the product.
    New,
    /// It replaces an earlier row of the same id.
    Again,
    /// There are too many.
    TooMany,
}

/// What becomes of a group.
#[derive(Debug)]
pub enum MergedGroup {
    /// A document.
    Document(Box<MergedDocument>),
    /// No row is published.
    Hidden,
    /// No row has a name.
    Nameless,
}

/// A document and where it comes from.
#[derive(Clone, Debug, PartialEq)]
pub struct MergedDocument {
    /// Its fields.
    pub fields: Map<String, Value>,
    /// Rows that are left out because they are not published.
    pub hidden: u64,
}

/// What all documents of an import have in common.
#[derive(Clone, Debug)]
pub struct MergeRules {
    /// Their type.
    pub doc_type: DocType,
    /// The currency of their prices.
    pub currency: Option<String>,
    /// Whether nothing says what is in stock.
    pub is_stock_assumed: bool,
    /// Whether the first row of a product is that of the product too, as Shopify writes it.
    pub is_first_parent: bool,
}

impl RowGroup {
    /// Adds a row.
    pub fn add(&mut self, mut facts: RowFacts) -> AddedRow {
        if self.variants.len() >= GROUP_ROWS_MAX || self.bytes > GROUP_BYTES_MAX {
            return AddedRow::TooMany;
        }
        if facts.is_overlay {
            self.bytes += facts.bytes();
            self.overlays.push(facts);
            return AddedRow::New;
        }
        if facts.is_variant {
            // Long texts count once.
            for field in ["description", "short_description"] {
                if self
                    .variants
                    .iter()
                    .any(|known| known.text(field).is_some())
                {
                    facts.texts.remove(field);
                }
            }
            self.bytes += facts.bytes();
            self.variants.push(facts);
            return AddedRow::New;
        }
        match self.parent.replace(facts) {
            Some(_) => AddedRow::Again,
            None => AddedRow::New,
        }
    }

    /// Returns the rows that the group was made of.
    pub fn rows(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        let rows = self
            .parent
            .iter()
            .chain(&self.variants)
            .chain(&self.overlays);
        rows.map(|facts| (facts.row, facts.line))
    }

    /// Merges the rows.
    pub fn merge(mut self, rules: &MergeRules) -> MergedGroup {
        self.apply_overlays();
        if let Some(parent) = self.parent.take_if(|parent| parent.is_whole) {
            return MergedGroup::Document(Box::new(MergedDocument {
                fields: parent.fields,
                hidden: 0,
            }));
        }
        let all = self.variants.len() + usize::from(self.parent.is_some());
        let is_hidden_product = match (&self.parent, rules.is_first_parent) {
            (Some(parent), _) => parent.is_hidden || parent.is_hidden_alone,
            (None, true) => self.variants.iter().any(|facts| facts.is_hidden),
            (None, false) => false,
        };
        if is_hidden_product {
            return MergedGroup::Hidden;
        }
        self.variants.retain(|facts| !facts.is_hidden);
        let left = self.variants.len() + usize::from(self.parent.is_some());
        if left == 0 {
            return MergedGroup::Hidden;
        }
        let mut variants = std::mem::take(&mut self.variants);
        resolve_options(&mut variants);
        if let Some(parent) = &mut self.parent {
            resolve_options(std::slice::from_mut(parent));
        }
        match document(self.parent, variants, rules) {
            Some(fields) => MergedGroup::Document(Box::new(MergedDocument {
                fields,
                hidden: (all - left) as u64,
            })),
            None => MergedGroup::Nameless,
        }
    }

    fn apply_overlays(&mut self) {
        let id = |facts: &RowFacts| match facts.row_id.is_empty() {
            true => facts.key.clone(),
            false => facts.row_id.clone(),
        };
        for overlay in std::mem::take(&mut self.overlays) {
            let mut rows = self.parent.iter_mut().chain(&mut self.variants);
            if let Some(row) = rows.find(|row| id(row) == id(&overlay)) {
                row.overlay(overlay);
            }
        }
    }
}

/// Returns the document of a product, or none without a name.
fn document(
    parent: Option<RowFacts>,
    variants: Vec<RowFacts>,
    rules: &MergeRules,
) -> Option<Map<String, Value>> {
    let (parent, variants) = match (parent, variants.len()) {
        // One row is a plain product.
        (None, 1) => (variants.into_iter().next(), Vec::new()),
        (parent, _) => (parent, variants),
    };
    let names = rules.doc_type.fields();
    let rows: Vec<&RowFacts> = parent.iter().chain(&variants).collect();
    let text = |field: &str| rows.iter().find_map(|facts| facts.text(field));
    let variant_names: Vec<&str> = variants.iter().filter_map(|v| v.text(names.name)).collect();
    let name = match parent.as_ref().and_then(|parent| parent.text(names.name)) {
        Some(name) => name.to_owned(),
        None => common_name(&variant_names),
    };
    if name.is_empty() {
        return None;
    }
    // A row with a picture alone is no variant.
    let sold: Vec<RowFacts> = variants
        .iter()
        .filter(|facts| is_sold(facts))
        .cloned()
        .collect();
    let lead = cheapest(&sold);
    let mut document = Map::new();
    document.insert("id".to_owned(), json!(rows[0].key));
    document.insert(names.name.to_owned(), json!(name));
    for field in ["short_description", names.description, "manufacturer"] {
        insert_text(field, text(field), &mut document);
    }
    for field in ["url", "image"] {
        let of_parent = parent.as_ref().and_then(|parent| parent.text(field));
        let of_lead = lead.and_then(|lead| lead.text(field));
        insert_text(field, of_parent.or(of_lead).or(text(field)), &mut document);
    }
    let priced = lead.or_else(|| parent.as_ref().filter(|p| !p.prices.is_empty()));
    for (field, price) in priced.iter().flat_map(|facts| &facts.prices) {
        insert_number(field, Some(*price), &mut document);
    }
    if let Some(currency) = &rules.currency
        && priced.is_some_and(|facts| !facts.prices.is_empty())
    {
        document.insert("currency".to_owned(), json!(currency));
    }
    add_stock_of(parent.as_ref(), &sold, rules, &mut document);
    if sold.is_empty() {
        let plain = parent.as_slice();
        add_codes(plain, None, &mut document);
    } else {
        add_codes(&sold, parent.as_ref(), &mut document);
    }
    add_lists(&rows, &mut document);
    for facts in &rows {
        for (field, value) in &facts.fields {
            document.entry(field).or_insert_with(|| value.clone());
        }
    }
    if let Some(facts) = rows.iter().find(|facts| !facts.extra.is_empty()) {
        document.insert("extra".to_owned(), Value::Object(facts.extra.clone()));
    }
    Some(document)
}

fn is_sold(facts: &RowFacts) -> bool {
    !facts.prices.is_empty()
        || !facts.codes.is_empty()
        || facts.quantity.is_some()
        || !facts.attributes.is_empty()
        || !facts
            .texts
            .keys()
            .all(|field| matches!(field.as_str(), "image" | "url"))
}

fn add_stock_of(
    parent: Option<&RowFacts>,
    variants: &[RowFacts],
    rules: &MergeRules,
    document: &mut Map<String, Value>,
) {
    if rules.is_stock_assumed {
        insert_stock(Some(Stock::Available), document);
    } else if variants.is_empty() {
        let stock = parent.and_then(|parent| parent.stock);
        insert_stock(stock, document);
        insert_number(
            "quantity",
            parent.and_then(|parent| parent.quantity),
            document,
        );
    } else {
        add_stock(variants, parent, document);
    }
}

fn insert_text(field: &str, text: Option<&str>, document: &mut Map<String, Value>) {
    if let Some(text) = text {
        document.insert(field.to_owned(), json!(text));
    }
}

fn add_lists(rows: &[&RowFacts], document: &mut Map<String, Value>) {
    let mut images: Vec<String> = Vec::new();
    let mut tags: Vec<String> = Vec::new();
    let mut categories: Vec<Vec<String>> = Vec::new();
    let mut ids: Vec<String> = Vec::new();
    let mut attributes: Vec<LabelledValue> = Vec::new();
    let mut features: Vec<LabelledValue> = Vec::new();
    for facts in rows {
        extend_new(&mut images, facts.text("image").map(str::to_owned));
        extend_new(&mut images, facts.images.iter().cloned());
        extend_new(&mut tags, facts.tags.iter().cloned());
        extend_new(&mut categories, facts.categories.iter().cloned());
        extend_new(&mut ids, facts.category_ids.iter().cloned());
        extend_new(&mut attributes, facts.attributes.iter().cloned());
        extend_new(&mut features, facts.features.iter().cloned());
    }
    let image = document.get("image").and_then(Value::as_str);
    images.retain(|other| Some(other.as_str()) != image);
    images.truncate(IMAGES_MAX);
    // What the variants differ in is no feature of all of them.
    features.retain(|feature| {
        attributes
            .iter()
            .all(|other| other.group_id != feature.group_id)
    });
    insert_list("images", images.into_iter().map(Value::String), document);
    insert_list("tags", tags.into_iter().map(Value::String), document);
    for path in &categories {
        for end in 1..=path.len() {
            extend_new(&mut ids, [category_id(&path[..end])]);
        }
    }
    let references = categories.iter().map(|path| {
        let name = path.last().map_or("", String::as_str);
        json!({"id": category_id(path), "name": name, "path": path})
    });
    insert_list("categories", references, document);
    insert_list("categoryIds", ids.into_iter().map(Value::String), document);
    insert_values("attributes", ["groupId", "group"], attributes, document);
    insert_values("features", ["featureId", "feature"], features, document);
}

fn insert_list(
    field: &str,
    values: impl Iterator<Item = Value>,
    document: &mut Map<String, Value>,
) {
    let values: Vec<Value> = values.collect();
    if !values.is_empty() {
        document.insert(field.to_owned(), Value::Array(values));
    }
}

/// Adds values with their groups; of several spellings of an id the first is its label.
fn insert_values(
    field: &str,
    [id, label]: [&str; 2],
    values: Vec<LabelledValue>,
    document: &mut Map<String, Value>,
) {
    let mut seen: Vec<(String, String)> = Vec::new();
    let objects = values.into_iter().filter_map(|value| {
        let key = (value.group_id.clone(), value_id(&value.value));
        if seen.contains(&key) {
            return None;
        }
        let (group_id, value_id) = key.clone();
        seen.push(key);
        Some(json!({id: group_id, label: value.group, "id": value_id, "value": value.value}))
    });
    let objects: Vec<Value> = objects.collect();
    insert_list(field, objects.into_iter(), document);
}
