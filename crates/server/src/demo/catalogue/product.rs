//! Builds the feed document of one product.

use super::codes::{ChosenValue, chosen, ean13, suffixes};
use super::source::{Brand, Category, Department, Product, Shop};
use serde_json::{Map, Value, json};

/// Builds the documents of one language, and numbers features in order of appearance.
pub(super) struct Builder<'a> {
    shop: &'a Shop,
    language: &'a str,
    base: &'a str,
    /// English labels of the features so far; the index is the id.
    features: Vec<String>,
    /// Label id and English text of the values so far; the index is the id.
    feature_values: Vec<(usize, String)>,
}

impl<'a> Builder<'a> {
    pub fn new(shop: &'a Shop, language: &'a str, base: &'a str) -> Self {
        Self {
            shop,
            language,
            base,
            features: Vec::new(),
            feature_values: Vec::new(),
        }
    }

    /// Builds the document of `product` in category `key`.
    pub fn document(&mut self, key: &str, product: &Product) -> Value {
        let mut body = Map::new();
        let (language, base) = (self.language, self.base);
        let text = product.text.of(language);
        let mut set = |name: &str, value: Value| {
            let empty = value.is_null() || value.as_array().is_some_and(Vec::is_empty);
            if !empty {
                body.insert(name.to_owned(), value);
            }
        };
        set("id", json!(product.id));
        set(
            "url",
            json!(format!("{base}/?lang={language}&q={}", product.reference)),
        );
        set(
            "image",
            json!(format!(
                "{base}/demo/pictures/{}-{}.svg",
                product.kind, product.colour
            )),
        );
        set("name", json!(text.name));
        set("short_description", json!(text.short));
        set("description", json!(text.description));
        set("manufacturer", json!(product.brand));
        set("manufacturerId", json!(self.brand(product).map(|b| &b.id)));
        set("supplier", json!(product.supplier));
        set("tags", json!(product.tags.of(language)));
        let options = chosen(&self.shop.groups, &product.options);
        set("attributes", json!(self.attributes(&options)));
        set("features", json!(self.features(product)));
        for (name, value) in codes(product, &suffixes(&options)) {
            set(name, value);
        }
        let place = self.category_and_department(key);
        for (name, value) in place.iter().flat_map(|(d, c)| categories(d, c, language)) {
            set(name, value);
        }
        let vat = place.map_or(0.0, |(department, _)| department.vat);
        for (name, value) in prices(product, vat) {
            set(name, value);
        }
        for (name, value) in self.state(product) {
            set(name, value);
        }
        Value::Object(body)
    }

    fn brand(&self, product: &Product) -> Option<&'a Brand> {
        self.shop.brands.iter().find(|b| b.name == product.brand)
    }

    fn category_and_department(&self, key: &str) -> Option<(&'a Department, &'a Category)> {
        let category = self.shop.categories.iter().find(|c| c.key == key)?;
        let mut departments = self.shop.departments.iter();
        let department = departments.find(|d| d.id == category.department)?;
        Some((department, category))
    }

    fn attributes(&self, options: &[Vec<ChosenValue<'_>>]) -> Vec<Value> {
        let mut attributes = Vec::new();
        for (group, value) in options.iter().flatten() {
            attributes.push(json!({
                "groupId": group.id,
                "group": group.name.of(self.language),
                "id": format!("{}-{}", group.id, value.code),
                "value": value.label(self.language),
            }));
        }
        attributes
    }

    fn features(&mut self, product: &Product) -> Vec<Value> {
        let mut features = Vec::new();
        for feature in &product.features {
            let [label, value] = feature.of("en").clone();
            let group = index_of(&mut self.features, label);
            let id = index_of(&mut self.feature_values, (group, value));
            let [label, value] = feature.of(self.language);
            features.push(json!({
                "featureId": (group + 1).to_string(),
                "feature": label,
                "id": (id + 1).to_string(),
                "value": value,
            }));
        }
        features
    }

    fn state(&self, product: &Product) -> Vec<(&'static str, Value)> {
        let in_stock = product.stock > 0;
        vec![
            ("inStock", json!(in_stock)),
            ("quantity", json!(product.stock)),
            ("outOfStock", json!(!in_stock && !product.backorder)),
            ("condition", json!("new")),
            ("isNew", json!(product.added >= self.shop.new_since)),
            ("onSale", json!(product.was.is_some())),
            ("dateAdd", json!(format!("{}T00:00:00Z", product.added))),
            ("rating", json!(product.rating)),
            ("ratingCount", json!(product.ratings)),
            ("sales_count", json!(product.sold)),
        ]
    }
}

fn index_of<T: PartialEq>(known: &mut Vec<T>, wanted: T) -> usize {
    known.iter().position(|k| *k == wanted).unwrap_or_else(|| {
        known.push(wanted);
        known.len() - 1
    })
}

fn codes(product: &Product, suffixes: &[String]) -> Vec<(&'static str, Value)> {
    let with_suffixes = |code: &String| -> Vec<String> {
        suffixes
            .iter()
            .map(|suffix| format!("{code}{suffix}"))
            .collect()
    };
    let eans = 1..=suffixes.len();
    let eans: Vec<String> = eans.map(|variant| ean13(&product.id, variant)).collect();
    vec![
        ("reference", json!(product.reference)),
        ("mpn", json!(product.mpn)),
        ("ean13", json!(ean13(&product.id, 0))),
        (
            "combinationReferences",
            json!(with_suffixes(&product.reference)),
        ),
        ("combinationEans", json!(eans)),
        (
            "combinationMpns",
            json!(product.mpn.as_ref().map(with_suffixes)),
        ),
    ]
}

fn categories(
    department: &Department,
    category: &Category,
    language: &str,
) -> Vec<(&'static str, Value)> {
    let name = category.name.of(language);
    let entry = json!({
        "id": category.id,
        "name": name,
        "path": [department.name.of(language), name],
        "default": true,
    });
    vec![
        ("categories", json!([entry])),
        ("categoryIds", json!([category.id, department.id])),
    ]
}

fn prices(product: &Product, vat: f64) -> Vec<(&'static str, Value)> {
    let without_tax = |price: f64| cents(price / (1.0 + vat / 100.0));
    let mut prices = vec![
        ("currency", json!("EUR")),
        ("priceInclTax", json!(cents(product.price))),
        ("priceExclTax", json!(without_tax(product.price))),
    ];
    if let Some(was) = product.was.filter(|was| *was > product.price) {
        prices.push(("originalPriceInclTax", json!(cents(was))));
        prices.push(("originalPriceExclTax", json!(without_tax(was))));
    }
    prices
}

fn cents(price: f64) -> f64 {
    (price * 100.0).round() / 100.0
}
