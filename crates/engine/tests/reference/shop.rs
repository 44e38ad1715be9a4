//! A random shop: documents whose words, codes and numbers are alike so often that every rule is met.

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

/// The texts of a document and its numbers, as a feed sends them.
#[derive(Clone, Debug)]
pub struct Draft {
    texts: Map<String, Value>,
    numbers: Map<String, Value>,
}

impl Draft {
    /// The same document with the numbers of another.
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

/// Some words, with all kinds of signs between them.
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
    let lists = (values(), values(), values());
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
                let labelled = |values: Vec<String>| -> Vec<Value> {
                    values
                        .into_iter()
                        .map(|value| json!({"value": value}))
                        .collect()
                };
                let mut texts = Map::new();
                let mut put = |field: &str, value: Value| texts.insert(field.to_owned(), value);
                put("name", json!(name));
                put("tags", json!(tags));
                put("attributes", json!(labelled(attributes)));
                put("features", json!(labelled(features)));
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
    let price = || weighted(0.7, select(vec![0.0, 5.0, 10.0, 19.99]));
    let number = |values: Vec<f64>| weighted(0.6, select(values));
    let groups = select(vec![
        Value::Null,
        Value::Null,
        Value::Null,
        Value::Null,
        json!(["none"]),
        json!(["vip"]),
        json!(["none", "vip"]),
    ]);
    let stock = (
        number(vec![0.0, 3.0, -1.0]),
        weighted(0.3, any::<bool>()),
        weighted(0.2, any::<bool>()),
    );
    let fame = (
        number(vec![0.0, 10.0, 10.0, 1000.0, -5.0]),
        number(vec![0.0, 4.5, 9.0]),
    );
    (price(), price(), stock, fame, groups).prop_map(
        |(price, original, (quantity, in_stock, out), (sales, rating), groups)| {
            // A null is the same as a field that is left out.
            let numbers = json!({
                "priceInclTax": price, "originalPriceInclTax": original,
                "quantity": quantity, "inStock": in_stock, "outOfStock": out,
                "sales_count": sales, "rating": rating, "accessGroups": groups,
            });
            match numbers {
                Value::Object(numbers) => numbers,
                _ => Map::new(),
            }
        },
    )
}
