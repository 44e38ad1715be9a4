//! What the variants of a product have in common, and which of them stands for it.

use super::facts::{LabelledValue, RowFacts};
use super::row_lists::{extend_new, push_new};
use crate::values::groups::group_id;
use crate::values::stock::Stock;
use serde_json::{Map, Number, Value};
use std::collections::BTreeMap;

/// The lists of codes of variants.
const CODE_LISTS: [(&str, &str); 5] = [
    ("reference", "combinationReferences"),
    ("ean13", "combinationEans"),
    ("isbn", "combinationEans"),
    ("upc", "combinationUpcs"),
    ("mpn", "combinationMpns"),
];

/// Returns the longest start of whole words that all names share, or the first name.
pub fn common_name(names: &[&str]) -> String {
    let Some((first, others)) = names.split_first() else {
        return String::new();
    };
    let words: Vec<&str> = first.split_whitespace().collect();
    let shared = others.iter().fold(words.len(), |shared, name| {
        let same = name
            .split_whitespace()
            .zip(&words)
            .take_while(|(a, b)| a == *b);
        shared.min(same.count())
    });
    let start = words[..shared].join(" ");
    let start =
        start.trim_end_matches(|c: char| !c.is_alphanumeric() && !matches!(c, ')' | '"' | '%'));
    let is_enough = start.split_whitespace().count() >= 2 || start.chars().count() >= 6;
    if is_enough {
        start.to_owned()
    } else {
        (*first).to_owned()
    }
}

/// Returns the variant with the lowest price of those in stock, or else of all.
pub fn cheapest(variants: &[RowFacts]) -> Option<&RowFacts> {
    let price = |facts: &RowFacts| facts.prices.get("priceInclTax").copied();
    let highest = variants.iter().filter_map(price).fold(0.0, f64::max);
    // 0 is a price, but not beside another one.
    let counts =
        |facts: &&RowFacts| price(facts).is_some_and(|price| price > 0.0 || highest == 0.0);
    let priced: Vec<&RowFacts> = variants.iter().filter(counts).collect();
    let in_stock = priced
        .iter()
        .filter(|facts| facts.stock == Some(Stock::Available));
    let lowest = |a: &&RowFacts, b: &&RowFacts| {
        let (a, b) = (price(a).unwrap_or(0.0), price(b).unwrap_or(0.0));
        a.total_cmp(&b)
    };
    in_stock
        .copied()
        .min_by(lowest)
        .or_else(|| priced.iter().copied().min_by(lowest))
}

/// Adds stock and quantity of all variants.
pub fn add_stock(
    variants: &[RowFacts],
    parent: Option<&RowFacts>,
    document: &mut Map<String, Value>,
) {
    let of_parent = parent.and_then(|parent| parent.stock);
    let stocks: Vec<Stock> = variants
        .iter()
        .filter_map(|facts| match facts.stock {
            Some(Stock::AsParent) => of_parent,
            other => other,
        })
        .collect();
    let stock = if stocks.is_empty() {
        of_parent
    } else if stocks.contains(&Stock::Available) {
        Some(Stock::Available)
    } else if stocks.contains(&Stock::Orderable) {
        Some(Stock::Orderable)
    } else {
        Some(Stock::Out)
    };
    insert_stock(stock, document);
    let quantities: Vec<f64> = variants.iter().filter_map(|facts| facts.quantity).collect();
    let quantity = match quantities.is_empty() {
        true => parent.and_then(|parent| parent.quantity),
        false => Some(quantities.iter().sum()),
    };
    insert_number("quantity", quantity, document);
}

/// Adds `inStock` and `outOfStock`.
pub fn insert_stock(stock: Option<Stock>, document: &mut Map<String, Value>) {
    if let Some(stock) = stock {
        let (in_stock, out_of_stock) = stock.flags();
        document.insert("inStock".to_owned(), Value::Bool(in_stock));
        document.insert("outOfStock".to_owned(), Value::Bool(out_of_stock));
    }
}

/// Adds a number; a whole one without a fraction.
pub fn insert_number(field: &str, number: Option<f64>, document: &mut Map<String, Value>) {
    let Some(number) = number else {
        return;
    };
    #[expect(
        clippy::cast_possible_truncation,
        reason = "checked to be a whole number in range"
    )]
    let value = if number.fract() == 0.0 && number.abs() < 9e15 {
        Some(Number::from(number as i64))
    } else {
        Number::from_f64(number)
    };
    if let Some(value) = value {
        document.insert(field.to_owned(), Value::Number(value));
    }
}

/// Adds the codes of variants: one that all share is the product's.
pub fn add_codes(
    variants: &[RowFacts],
    parent: Option<&RowFacts>,
    document: &mut Map<String, Value>,
) {
    let mut codes: BTreeMap<&str, String> = BTreeMap::new();
    if let Some(parent) = parent {
        codes.extend(
            parent
                .codes
                .iter()
                .map(|(field, code)| (field.as_str(), code.clone())),
        );
    }
    let mut lists: BTreeMap<&str, Vec<Value>> = BTreeMap::new();
    for (field, list) in CODE_LISTS {
        let found: Vec<&String> = variants
            .iter()
            .filter_map(|facts| facts.codes.get(field))
            .collect();
        let Some(first) = found.first() else {
            continue;
        };
        if found.len() == variants.len() && found.iter().all(|code| code == first) {
            codes.entry(field).or_insert_with(|| (*first).clone());
            continue;
        }
        let list = lists.entry(list).or_default();
        extend_new(
            list,
            found.into_iter().map(|code| Value::String(code.clone())),
        );
    }
    for (field, code) in codes {
        document.insert(field.to_owned(), Value::String(code));
    }
    for (field, list) in lists {
        document.insert(field.to_owned(), Value::Array(list));
    }
}

/// Makes attributes, or features, of the options of rows; a name may stand in the first row only.
pub fn resolve_options(rows: &mut [RowFacts]) {
    let mut names: BTreeMap<u32, String> = BTreeMap::new();
    for row in rows.iter() {
        for (number, name) in &row.option_names {
            names.entry(*number).or_insert_with(|| name.clone());
        }
    }
    for row in rows {
        let options = std::mem::take(&mut row.option_values);
        for (number, values) in options {
            let Some(group) = row.option_names.get(&number).or_else(|| names.get(&number)) else {
                continue;
            };
            if group.is_empty() {
                continue;
            }
            let list = match row.are_options_features {
                true => &mut row.features,
                false => &mut row.attributes,
            };
            for value in values.into_iter().filter(|value| !value.is_empty()) {
                push_new(
                    list,
                    LabelledValue {
                        group: group.clone(),
                        group_id: group_id(group),
                        value,
                    },
                );
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::common_name;

    #[test]
    fn the_common_start_of_whole_words_is_the_name() {
        for (names, name) in [
            (
                &["Wool Sweater - Red, M", "Wool Sweater - Blue, M"][..],
                "Wool Sweater",
            ),
            (&["Shirt Red", "Shirt Blue"], "Shirt Red"),
            (&["Sweater Red", "Sweater Blue"], "Sweater"),
            (&["Red", "Blue"], "Red"),
            (&["Only one"], "Only one"),
        ] {
            assert_eq!(common_name(names), name);
        }
    }
}
