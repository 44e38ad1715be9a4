//! Every boost and every setting: a change of it alone has its effect, saved and provisional, there and back.
//!
//! 1. What a provisional value shows in the simulator is what the search shows once it is saved, breakdown and all.
//! 2. Each lever does what the contract says, in both directions, and leaves the other parts of a breakdown alone.
//! 3. Every lever has a row.

mod codes;
mod factors;
mod fields;
mod matching;

use crate::harness::Shop;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// A lever between two values, with all else as it is.
struct Row<'a> {
    q: &'a str,
    /// `boosts` or `searchSettings`.
    part: &'a str,
    lever: &'a str,
    values: [Value; 2],
    /// Other boosts and settings, the same for both values.
    base: Value,
    /// Beginnings of the names of parts of a breakdown that may differ.
    changes: &'a [&'a str],
}

/// A setting between two values, with all else at its default.
fn setting<'a>(q: &'a str, lever: &'a str, values: [Value; 2], changes: &'a [&'a str]) -> Row<'a> {
    Row {
        q,
        part: "searchSettings",
        lever,
        values,
        base: json!({}),
        changes,
    }
}

/// What a question shows.
struct Seen {
    ids: Vec<String>,
    data: Value,
}

impl Seen {
    fn hit(&self, id: &str) -> &Value {
        let mut hits = self.data["hits"].as_array().expect("a list").iter();
        hits.find(|hit| hit["id"] == id)
            .unwrap_or_else(|| panic!("{id} is not among {:?}", self.ids))
    }

    fn part(&self, id: &str, pointer: &str) -> &Value {
        let part = self.hit(id)["breakdown"].pointer(pointer);
        part.unwrap_or(&Value::Null)
    }

    fn number(&self, id: &str, pointer: &str) -> f64 {
        let part = self.part(id, pointer);
        part.as_f64()
            .unwrap_or_else(|| panic!("{pointer} of {id} is {part}"))
    }

    /// What the words of the question score in fields, together.
    fn words(&self, id: &str) -> f64 {
        let matches = self.part(id, "/text/matches").as_array().cloned();
        let scores = matches.unwrap_or_default();
        scores.iter().filter_map(|m| m["score"].as_f64()).sum()
    }

    /// The parts of a breakdown by name.
    fn parts(&self, id: &str) -> BTreeMap<String, Value> {
        let mut parts = BTreeMap::new();
        for found in self
            .part(id, "/text/matches")
            .as_array()
            .into_iter()
            .flatten()
        {
            let name = format!("match {} {}", found["word"], found["field"]);
            parts.insert(name, found.clone());
        }
        for name in ["phrase", "exactReference", "crossFields"] {
            let part = self.part(id, &format!("/text/{name}"));
            parts.insert(name.to_owned(), part.clone());
        }
        for name in ["stock", "sales", "rating", "discount", "multiplier"] {
            let part = self.part(id, &format!("/factors/{name}"));
            parts.insert(name.to_owned(), part.clone());
        }
        parts.insert("tier".to_owned(), self.part(id, "/tier").clone());
        parts
    }
}

/// A shop with products, of which each row asks for its own.
struct Levers {
    shop: Shop,
    /// Every setting at its default.
    settings: Value,
}

impl Levers {
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

    /// Turns the lever of a row there and back, and hands what is seen at both values to `check`.
    fn turn(&self, row: &Row<'_>, check: impl Fn(&Seen, &Seen)) {
        let [first, second] = &row.values;
        self.save(row, first);
        let saved_first = self.saved(row);
        let tried_second = self.tried(row, second);
        self.save(row, second);
        let saved_second = self.saved(row);
        let tried_first = self.tried(row, first);
        same(row, &saved_first, &tried_first);
        same(row, &saved_second, &tried_second);
        self.save(row, first);
        same(row, &saved_first, &self.saved(row));
        unchanged(row, &saved_first, &saved_second);
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

    /// What the saved configuration shows, to the shopper and in the simulator.
    fn saved(&self, row: &Row<'_>) -> Seen {
        let request = json!({"q": row.q, "lang": "en", "types": ["products"], "limit": 100});
        let found = self.shop.search(&request).ok();
        let products = &found.data()["products"];
        let shown = ids(&products["hits"]);
        let seen = self.simulated(&json!({"q": row.q}));
        assert_eq!(seen.data["config"]["provisional"], false);
        assert_eq!(
            seen.ids, shown,
            "{}: search and simulator differ",
            row.lever
        );
        assert_eq!(seen.data["total"], products["total"], "{}", row.lever);
        seen
    }

    /// What the lever shows at a value that is not saved.
    fn tried(&self, row: &Row<'_>, value: &Value) -> Seen {
        let mut request = row.change(value);
        request["q"] = json!(row.q);
        let seen = self.simulated(&request);
        assert_eq!(seen.data["config"]["provisional"], true);
        seen
    }

    fn simulated(&self, request: &Value) -> Seen {
        let mut request = request.clone();
        request["lang"] = json!("en");
        request["limit"] = json!(100);
        let call = self.shop.own("POST", "/relevance/test");
        let reply = call.json(&request).send().ok();
        Seen {
            ids: ids(&reply.data()["hits"]),
            data: reply.data().clone(),
        }
    }
}

impl Row<'_> {
    /// The change that sets the lever to `value`.
    fn change(&self, value: &Value) -> Value {
        let of_base = |part: &str| -> Map<String, Value> {
            self.base[part].as_object().cloned().unwrap_or_default()
        };
        let mut change = json!({
            "boosts": of_base("boosts"), "searchSettings": of_base("searchSettings")
        });
        change[self.part][self.lever] = value.clone();
        change
    }
}

/// Both show the same products with the same breakdowns.
fn same(row: &Row<'_>, saved: &Seen, tried: &Seen) {
    assert_eq!(
        saved.ids, tried.ids,
        "{}: saved and tried differ",
        row.lever
    );
    for id in &saved.ids {
        assert_eq!(
            saved.hit(id)["breakdown"],
            tried.hit(id)["breakdown"],
            "{} {id}",
            row.lever
        );
    }
}

/// Products that both values show differ in nothing but what the lever may change.
fn unchanged(row: &Row<'_>, first: &Seen, second: &Seen) {
    let may_change = |name: &str| row.changes.iter().any(|start| name.starts_with(start));
    for id in first.ids.iter().filter(|id| second.ids.contains(id)) {
        let others = |seen: &Seen| -> BTreeMap<String, Value> {
            let parts = seen.parts(id).into_iter();
            parts.filter(|(name, _)| !may_change(name)).collect()
        };
        assert_eq!(others(first), others(second), "{} {id}", row.lever);
    }
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-6 * b.abs().max(1e-9)
}

fn ids(hits: &Value) -> Vec<String> {
    let hits = hits.as_array().expect("a list");
    hits.iter().map(|hit| text(&hit["id"])).collect()
}

fn text(value: &Value) -> String {
    value.as_str().expect("a text").to_owned()
}

/// A product that is out of stock and has no number that lifts it.
fn plain(id: &str, fields: Value) -> Value {
    let mut product = json!({"id": id, "name": "Item", "inStock": false});
    let fields = fields.as_object().cloned().expect("an object");
    product.as_object_mut().expect("an object").extend(fields);
    product
}

#[test]
fn every_lever_has_a_row() {
    let shop = Shop::open();
    let defaults = shop.own("GET", "/relevance").send().ok();
    let names = |part: &str| -> Vec<String> {
        let levers = defaults.data()[part].as_object().expect("an object");
        levers.keys().cloned().collect()
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
