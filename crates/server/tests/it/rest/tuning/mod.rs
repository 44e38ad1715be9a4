//! Every boost and every setting: changing it alone has its effect, saved and provisional, in both directions.
//!
//! 1. What the simulator shows for a provisional value is what the search shows once it is saved, breakdown included.
//! 2. Each parameter has its documented effect in both directions, and changes no other part of a breakdown.
//! 3. Every parameter has a row.

mod codes;
mod factors;
mod fields;
mod matching;

use crate::harness::Shop;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// A relevance parameter and two values to compare, with everything else unchanged.
struct Row<'a> {
    q: &'a str,
    /// `boosts` or `searchSettings`.
    section: &'a str,
    parameter: &'a str,
    values: [Value; 2],
    /// Other boosts and settings, the same for both values.
    base: Value,
    /// Prefixes of the names of breakdown parts that may differ.
    changes: &'a [&'a str],
}

/// A row for a setting, with everything else at its default.
fn setting<'a>(
    q: &'a str,
    parameter: &'a str,
    values: [Value; 2],
    changes: &'a [&'a str],
) -> Row<'a> {
    Row {
        q,
        section: "searchSettings",
        parameter,
        values,
        base: json!({}),
        changes,
    }
}

/// The results of a query in the simulator.
struct Results {
    ids: Vec<String>,
    data: Value,
}

impl Results {
    fn hit(&self, id: &str) -> &Value {
        let mut hits = self.data["hits"].as_array().expect("a list").iter();
        hits.find(|hit| hit["id"] == id)
            .unwrap_or_else(|| panic!("{id} is not in {:?}", self.ids))
    }

    fn breakdown(&self, id: &str, pointer: &str) -> &Value {
        let breakdown = self.hit(id)["breakdown"].pointer(pointer);
        breakdown.unwrap_or(&Value::Null)
    }

    fn number(&self, id: &str, pointer: &str) -> f64 {
        let breakdown = self.breakdown(id, pointer);
        breakdown
            .as_f64()
            .unwrap_or_else(|| panic!("{pointer} of {id} is {breakdown}"))
    }

    /// Returns the sum of the scores of all matches in fields.
    fn match_score(&self, id: &str) -> f64 {
        let matches = self.breakdown(id, "/text/matches").as_array().cloned();
        let scores = matches.unwrap_or_default();
        scores.iter().filter_map(|m| m["score"].as_f64()).sum()
    }

    /// Returns the parts of a breakdown by name.
    fn parts(&self, id: &str) -> BTreeMap<String, Value> {
        let mut parts = BTreeMap::new();
        for found in self
            .breakdown(id, "/text/matches")
            .as_array()
            .into_iter()
            .flatten()
        {
            let name = format!("match {} {}", found["word"], found["field"]);
            parts.insert(name, found.clone());
        }
        for name in ["phrase", "exactReference", "crossFields"] {
            let breakdown = self.breakdown(id, &format!("/text/{name}"));
            parts.insert(name.to_owned(), breakdown.clone());
        }
        for name in ["stock", "sales", "rating", "discount", "multiplier"] {
            let breakdown = self.breakdown(id, &format!("/factors/{name}"));
            parts.insert(name.to_owned(), breakdown.clone());
        }
        parts.insert("tier".to_owned(), self.breakdown(id, "/tier").clone());
        parts
    }
}

/// A shop with products, some for each row.
struct Tuning {
    shop: Shop,
    /// Every setting at its default.
    settings: Value,
}

impl Tuning {
    fn new(documents: Vec<Value>) -> Self {
        let shop = Shop::open();
        let defaults = shop.own("GET", "/relevance").send().ok();
        let settings = defaults.data()["searchSettings"].clone();
        let mut ids: Vec<String> = documents.iter().map(|d| text(&d["id"])).collect();
        ids.sort();
        shop.bulk("products", "en", &Value::Array(documents)).ok();
        let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
        shop.until_found("en", &ids);
        Self { shop, settings }
    }

    /// Compares both values of a row in both directions, and passes the results at both to `check`.
    fn compare(&self, row: &Row<'_>, check: impl Fn(&Results, &Results)) {
        let [first, second] = &row.values;
        self.save(row, first);
        let saved_first = self.saved(row);
        let provisional_second = self.provisional(row, second);
        self.save(row, second);
        let saved_second = self.saved(row);
        let provisional_first = self.provisional(row, first);
        assert_same(row, &saved_first, &provisional_first);
        assert_same(row, &saved_second, &provisional_second);
        self.save(row, first);
        assert_same(row, &saved_first, &self.saved(row));
        assert_unchanged(row, &saved_first, &saved_second);
        check(&saved_first, &saved_second);
    }

    fn save(&self, row: &Row<'_>, value: &Value) {
        let mut change = row.change(value);
        let mut settings = self.settings.as_object().cloned().expect("an object");
        settings.extend(
            change["searchSettings"]
                .as_object()
                .cloned()
                .expect("an object"),
        );
        change["searchSettings"] = Value::Object(settings);
        self.shop.own("PUT", "/relevance").json(&change).send().ok();
    }

    /// The results with the saved configuration, checked to be equal in search and simulator.
    fn saved(&self, row: &Row<'_>) -> Results {
        let request = json!({"q": row.q, "lang": "en", "types": ["products"], "limit": 100});
        let found = self.shop.search(&request).ok();
        let products = &found.data()["products"];
        let shown = ids(&products["hits"]);
        let results = self.simulated(&json!({"q": row.q}));
        assert_eq!(results.data["config"]["provisional"], false);
        assert_eq!(
            results.ids, shown,
            "{}: search and simulator differ",
            row.parameter
        );
        assert_eq!(
            results.data["total"], products["total"],
            "{}",
            row.parameter
        );
        results
    }

    /// The results with a value that is not saved.
    fn provisional(&self, row: &Row<'_>, value: &Value) -> Results {
        let mut request = row.change(value);
        request["q"] = json!(row.q);
        let results = self.simulated(&request);
        assert_eq!(results.data["config"]["provisional"], true);
        results
    }

    fn simulated(&self, request: &Value) -> Results {
        let mut request = request.clone();
        request["lang"] = json!("en");
        request["limit"] = json!(100);
        let call = self.shop.own("POST", "/relevance/test");
        let reply = call.json(&request).send().ok();
        Results {
            ids: ids(&reply.data()["hits"]),
            data: reply.data().clone(),
        }
    }
}

impl Row<'_> {
    /// The body that sets the parameter to `value`.
    fn change(&self, value: &Value) -> Value {
        let of_base = |section: &str| -> Map<String, Value> {
            self.base[section].as_object().cloned().unwrap_or_default()
        };
        let mut change = json!({
            "boosts": of_base("boosts"), "searchSettings": of_base("searchSettings")
        });
        change[self.section][self.parameter] = value.clone();
        change
    }
}

/// Asserts that both have the same products with the same breakdowns.
fn assert_same(row: &Row<'_>, saved: &Results, provisional: &Results) {
    assert_eq!(
        saved.ids, provisional.ids,
        "{}: saved and provisional differ",
        row.parameter
    );
    for id in &saved.ids {
        assert_eq!(
            saved.hit(id)["breakdown"],
            provisional.hit(id)["breakdown"],
            "{} {id}",
            row.parameter
        );
    }
}

/// Asserts that products in both results differ only in parts that the parameter may change.
fn assert_unchanged(row: &Row<'_>, first: &Results, second: &Results) {
    let may_change = |name: &str| row.changes.iter().any(|prefix| name.starts_with(prefix));
    for id in first.ids.iter().filter(|id| second.ids.contains(id)) {
        let others = |results: &Results| -> BTreeMap<String, Value> {
            let parts = results.parts(id).into_iter();
            parts.filter(|(name, _)| !may_change(name)).collect()
        };
        assert_eq!(others(first), others(second), "{} {id}", row.parameter);
    }
}

fn nearly_equal(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-6 * b.abs().max(1e-9)
}

fn ids(hits: &Value) -> Vec<String> {
    let hits = hits.as_array().expect("a list");
    hits.iter().map(|hit| text(&hit["id"])).collect()
}

fn text(value: &Value) -> String {
    value.as_str().expect("a text").to_owned()
}

/// A product that is out of stock and has no value that raises its score.
fn plain(id: &str, fields: Value) -> Value {
    let mut product = json!({"id": id, "name": "Item", "inStock": false});
    let fields = fields.as_object().cloned().expect("an object");
    product.as_object_mut().expect("an object").extend(fields);
    product
}

#[test]
fn every_parameter_has_a_row() {
    let shop = Shop::open();
    let defaults = shop.own("GET", "/relevance").send().ok();
    let names = |section: &str| -> Vec<String> {
        let values = defaults.data()[section].as_object().expect("an object");
        values.keys().cloned().collect()
    };
    let mut settings: Vec<String> = [matching::SETTINGS, factors::SETTINGS, codes::SETTINGS]
        .concat()
        .into_iter()
        .map(str::to_owned)
        .collect();
    settings.sort();
    let mut known = names("searchSettings");
    known.sort();
    assert_eq!(settings, known);
    let mut boosts = fields::boosts();
    boosts.sort();
    let mut known = names("boosts");
    known.sort();
    assert_eq!(boosts, known);
}
