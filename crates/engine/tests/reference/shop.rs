//! A random shop: documents with words, codes and numbers so similar that every case occurs.

use super::vocabulary::Vocabulary;
use domain::document::{DocType, Document};
use proptest::collection::vec;
use proptest::option::{of, weighted};
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::{Map, Value, json};

/// Brands as id and name; without an id the name is the id.
pub const BRANDS: [(Option<&str>, &str); 5] = [
    (Some("b-1"), "Tent & Co"),
    (Some("b-2"), "Red"),
    (Some("b-3"), "Red"),
    (None, "Café Ñandú"),
    (None, "   "),
];

/// Categories as id and name.
pub const CATEGORIES: [(&str, &str); 5] = [
    ("c-1", "Tents"),
    ("c-2", "Red tents"),
    ("c-3", "Red tents"),
    ("c-4", "For men"),
    ("c-5", "Fish"),
];

/// Names of price fields of all kinds.
pub const PRICE_FIELDS: [&str; 15] = [
    "priceExclTax",
    "originalPriceExclTax",
    "priceInclTax_USD",
    "originalPriceInclTax_USD",
    "priceInclTax_t4",
    "priceExclTax_t4",
    "originalPriceExclTax_t4",
    "priceInclTax_t4_cfr",
    "priceInclTax_USD_t4",
    "originalPriceInclTax_USD_t4",
    "priceInclTax_cfr",
    "originalPriceInclTax_cfr",
    "priceExclTax_cfr",
    "priceInclTax_USD_cfr",
    "priceInclTax_USD_t4_cfr",
];

/// Number of attribute and feature groups, more than are returned: by id, by name, and without either.
pub const GROUPS: u8 = 20;

/// Attributes or features of one product, some of them in the same group.
fn group_values(
    vocabulary: &Vocabulary,
    keys: [&'static str; 2],
) -> impl Strategy<Value = Vec<Value>> + use<> {
    let value = (0..GROUPS, text(vocabulary, 0..4), weighted(0.5, 0..4u8));
    vec(value, 0..6).prop_map(move |values| {
        let values = values.into_iter();
        values
            .map(|(group, text, id)| {
                // An id has the same label everywhere, as in a shop.
                let text = id.map_or(text, |id| format!("value {}", id / 2));
                let mut value = json!({"id": id.map(|id| id.to_string()), "value": text});
                if group % 4 != 3 {
                    value[keys[1]] = json!(format!("Group {group}"));
                }
                if group % 2 == 0 {
                    value[keys[0]] = json!(group.to_string());
                }
                value
            })
            .collect()
    })
}

/// The texts and numbers of a document, as sent by a feed.
#[derive(Clone, Debug)]
pub struct Draft {
    texts: Map<String, Value>,
    numbers: Map<String, Value>,
}

impl Draft {
    /// Returns the document with the numbers of another.
    pub fn with_numbers_of(&self, other: &Self) -> Self {
        Self {
            texts: self.texts.clone(),
            numbers: other.numbers.clone(),
        }
    }

    pub fn document(&self, id: &str, doc_type: DocType) -> Document {
        let mut body = self.texts.clone();
        body.extend(self.numbers.clone());
        body.insert("id".to_owned(), json!(id));
        if doc_type == DocType::Pages {
            let name = body["name"].clone();
            body.insert("title".to_owned(), name);
        }
        Document::parse(doc_type, 0, Value::Object(body)).expect("a document of a shop")
    }
}

pub fn drafts(vocabulary: &Vocabulary) -> impl Strategy<Value = Draft> + use<> {
    (texts(vocabulary), codes(vocabulary), numbers()).prop_map(|(mut texts, codes, numbers)| {
        texts.extend(codes);
        Draft { texts, numbers }
    })
}

/// Some words, with all kinds of punctuation between them.
fn text(
    vocabulary: &Vocabulary,
    words: std::ops::Range<usize>,
) -> impl Strategy<Value = String> + use<> {
    let sign = select(vec![
        " ", " ", " ", " ", "-", ", ", "/", "  ", " & ", "&amp;", "<br>",
    ]);
    vec((vocabulary.words(), sign), words).prop_map(|words| {
        let mut text = String::new();
        for (word, sign) in words {
            text.push_str(&word);
            text.push_str(sign);
        }
        text
    })
}

fn texts(vocabulary: &Vocabulary) -> impl Strategy<Value = Map<String, Value>> + use<> {
    let values = || vec(text(vocabulary, 0..4), 0..4);
    let long = || prop_oneof![3 => Just(String::new()), 2 => text(vocabulary, 0..12)];
    let lists = (
        values(),
        group_values(vocabulary, ["groupId", "group"]),
        group_values(vocabulary, ["featureId", "feature"]),
    );
    let longs = (long(), long(), long(), long(), long());
    (
        text(vocabulary, 1..5),
        lists,
        longs,
        brand(),
        vec(select(CATEGORIES.to_vec()), 0..3),
    )
        .prop_map(
            |(name, (tags, attributes, features), longs, brand, categories)| {
                let (short, description, supplier, ai, manual) = longs;
                let mut texts = Map::new();
                let mut put = |field: &str, value: Value| texts.insert(field.to_owned(), value);
                put("name", json!(name));
                put("tags", json!(tags));
                put("attributes", json!(attributes));
                put("features", json!(features));
                put("short_description", json!(short));
                put("description", json!(description));
                put("content", json!(description));
                put("supplier", json!(supplier));
                put("ai_description", json!(ai));
                put("ai_description_manual", json!(manual));
                put("categoryName", json!(supplier));
                if let Some((id, name)) = brand {
                    put("manufacturer", json!(name));
                    put("manufacturerId", json!(id));
                }
                // Every category is named, so no name of an ancestor must be guessed.
                let ids = categories.iter().map(|(id, _)| *id);
                put("categoryIds", json!(ids.collect::<Vec<_>>()));
                let named = categories
                    .iter()
                    .map(|(id, name)| json!({"id": id, "name": name}));
                put("categories", Value::Array(named.collect()));
                texts
            },
        )
}

fn brand() -> impl Strategy<Value = Option<(Option<&'static str>, &'static str)>> {
    of(select(BRANDS.to_vec()))
}

fn codes(vocabulary: &Vocabulary) -> impl Strategy<Value = Map<String, Value>> + use<> {
    let single = vec(
        (
            select(vec!["reference", "ean13", "upc", "mpn", "isbn"]),
            vocabulary.codes(),
        ),
        0..3,
    );
    let variants = vec![
        "combinationReferences",
        "combinationEans",
        "combinationUpcs",
        "combinationMpns",
    ];
    let several = vec((select(variants), vec(vocabulary.codes(), 0..3)), 0..3);
    (single, several).prop_map(|(single, several)| {
        let single = single
            .into_iter()
            .map(|(field, code)| (field.to_owned(), json!(code)));
        let several = several
            .into_iter()
            .map(|(field, codes)| (field.to_owned(), json!(codes)));
        single.chain(several).collect()
    })
}

fn numbers() -> impl Strategy<Value = Map<String, Value>> {
    let amount = || select(vec![0.0, 5.0, 10.0, 19.99]);
    let price = || weighted(0.7, amount());
    let further = vec((select(PRICE_FIELDS.to_vec()), amount()), 0..8);
    let number = |values: Vec<f64>| weighted(0.6, select(values));
    let groups = select(vec![
        Value::Null,
        Value::Null,
        Value::Null,
        Value::Null,
        json!([]),
        json!(["none"]),
        json!(["vip"]),
        json!(["none", "vip"]),
        json!(["staff", "vip"]),
    ]);
    let stock = (
        number(vec![0.0, 3.0, -1.0]),
        weighted(0.3, any::<bool>()),
        weighted(0.2, any::<bool>()),
    );
    let fame = (
        number(vec![0.0, 10.0, 10.0, 1000.0, -5.0]),
        number(vec![0.0, 4.5, 9.0]),
        number(vec![-2.5, 0.0, 12.5]),
        weighted(
            0.6,
            select(vec!["2026-01-01T00:00:00Z", "1969-12-31T23:00:00Z"]),
        ),
    );
    (price(), price(), further, stock, fame, groups).prop_map(
        |(price, original, further, (quantity, in_stock, out), fame, groups)| {
            let (sales, rating, feature_num, added) = fame;
            // A null is equivalent to a missing field.
            let mut numbers = json!({
                "priceInclTax": price, "originalPriceInclTax": original,
                "quantity": quantity, "inStock": in_stock, "outOfStock": out,
                "sales_count": sales, "rating": rating, "feature_num": feature_num, "dateAdd": added,
                "accessGroups": groups,
            });
            for (field, amount) in further {
                numbers[field] = json!(amount);
            }
            match numbers {
                Value::Object(numbers) => numbers,
                _ => Map::new(),
            }
        },
    )
}
