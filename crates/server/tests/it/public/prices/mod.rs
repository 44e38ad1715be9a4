//! Random shops with prices in any of their currencies, tiers and countries, and random visitors:
//!
//! 1. No response to a search, a page of a session, a suggestion or a simulation has any number in its text, facets and
//!    errors included, that is a price of another context than the visitor's or of a product that is hidden from the
//!    visitor. A visitor whose tier has no price for a product gets none.
//! 2. Each hit has the price, the former price and the field that a slow model finds, and the price facet, filters and
//!    orders use that price.

mod model;

use self::model::{Case, LARGE, Product, Step, Visitor, World};
use crate::harness::{Reply, Shop, TestClock, eventually};
use domain::Timestamp;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Value, json};
use std::collections::BTreeMap;

const NOW: i64 = 1_763_650_000_000;
/// Random shops, each with some dozens of requests.
const CASES: u32 = 16;

/// A shop that is filled with the world of a case.
struct Filled<'a> {
    shop: Shop,
    world: &'a World,
    secret: String,
}

impl<'a> Filled<'a> {
    fn new(world: &'a World) -> Self {
        let shop = Shop::open_at(TestClock::fixed(Timestamp(NOW)));
        let issued = shop.feed("POST", "/feed/public-key");
        let issued = issued.json(&json!({"instanceId": "test"})).send().ok();
        let secret = issued.data()["contextSecret"].as_str().expect("a secret");
        let secret = secret.to_owned();
        let documents: Vec<Value> = world.products.iter().map(Product::document).collect();
        shop.bulk("products", "es", &json!(documents)).ok();
        let shown = world.products.iter().filter(|product| !product.is_closed());
        let shown = shown.count();
        // Nothing is declared yet, so everything that is not closed to all is found.
        eventually("the products are found", || {
            shop.products("es").len() == shown
        });
        for (path, body) in world.declarations() {
            let path = format!("/feed/{path}");
            shop.feed("POST", &path).json(&body).send().ok();
        }
        Self {
            shop,
            world,
            secret,
        }
    }

    fn take(&self, step: &Step) {
        let visitor = &step.visitor;
        let token = visitor.token(NOW, &self.secret);
        let reply = self.shop.search(&step.search(token.as_deref()));
        if self.may_filter(step) || reply.status == 200 {
            self.assert_own(&reply.ok(), step, "search");
        } else {
            self.assert_no_other_price(&reply.error(400, "invalid_request"), visitor, "search");
        }
        let mut unknown = step.search(token.as_deref());
        unknown["filters"] = json!({"priceInclTax_t5": {"min": 1}});
        let reply = self.shop.search(&unknown);
        assert!(reply.status == 200 || reply.status == 400, "{reply:?}");
        self.assert_no_other_price(&reply, visitor, "a filter on a field of prices");

        let mut body = json!({"q": step.q, "lang": "es"});
        if let Some(token) = &token {
            body["visitor"] = json!(token);
        }
        let call = self.shop.api("POST", "/suggest").key(&self.shop.public);
        let reply = call.json(&body).send().ok();
        self.assert_hits(&reply.data()["products"]["hits"], visitor, "suggest");
        self.assert_no_other_price(&reply, visitor, "suggest");
        if visitor.is_anonymous() {
            let path = format!("/search?q={}&lang=es&limit=50", step.q);
            let reply = self.shop.api("GET", &path).key(&self.shop.public).send();
            self.assert_no_other_price(&reply.ok(), visitor, "GET /search");
        }
        // A simulation needs a query.
        if let Some(claims) = visitor.claims().filter(|_| !step.q.is_empty()) {
            let body = json!({"q": step.q, "lang": "es", "visitor": claims});
            let reply = self.shop.own("POST", "/relevance/test").json(&body).send();
            self.assert_no_other_price(&reply.ok(), visitor, "relevance/test");
        }
    }

    /// Whether the filter of the step must be accepted: it may be an unknown field if only others have prices.
    fn may_filter(&self, step: &Step) -> bool {
        let mut products = self.world.products.iter();
        step.range.is_none()
            || products.any(|product| {
                let is_visible = self.world.is_visible(product, &step.visitor);
                is_visible && self.world.price(product, &step.visitor).is_some()
            })
    }

    /// Everything that a search responds.
    fn assert_own(&self, reply: &Reply, step: &Step, what: &str) {
        let products = &reply.data()["products"];
        let prices = self.assert_hits(&products["hits"], &step.visitor, what);
        self.assert_no_other_price(reply, &step.visitor, what);
        let found = self.world.found(step);
        assert_eq!(products["total"], found.len(), "{what} {step:?}");
        if step.session.is_none() {
            let mut sorted = prices.clone();
            // Products without a price come last.
            match step.sort {
                "price_asc" => sorted.sort_by_key(|price| price.unwrap_or(u64::MAX)),
                "price_desc" => sorted.sort_by_key(|price| std::cmp::Reverse(price.unwrap_or(0))),
                _ => {}
            }
            assert_eq!(prices, sorted, "{what} {step:?}");
        }
        let facets = reply.data()["facets"].as_array().expect("facets");
        let range = facets.iter().find(|facet| facet["field"] == "price");
        // A facet ignores its own filter.
        let all = self.world.found(&Step {
            range: None,
            ..step.clone()
        });
        let own = all
            .iter()
            .filter_map(|product| self.world.price(product, &step.visitor));
        let own: Vec<u64> = own.map(|price| price.cents).collect();
        let bounds = own.iter().min().zip(own.iter().max());
        if let (Some(range), Some((least, most))) = (range, bounds) {
            assert!(cents(&range["min"]) <= Some(*least), "{range} {step:?}");
            assert!(cents(&range["max"]) >= Some(*most), "{range} {step:?}");
        }
    }

    /// Compares each hit with the model; returns the prices in cents.
    fn assert_hits(&self, hits: &Value, visitor: &Visitor, what: &str) -> Vec<Option<u64>> {
        let hits = hits.as_array().expect("hits").iter();
        let compared = hits.map(|hit| {
            let product = self.world.products.iter().find(|one| hit["id"] == one.id);
            let product = product.expect("a product");
            assert!(
                self.world.is_visible(product, visitor),
                "{what}: {hit} {visitor:?}"
            );
            let shown = (
                cents(&hit["price"]),
                cents(&hit["originalPrice"]),
                hit["priceField"].as_str(),
            );
            let own = self.world.price(product, visitor);
            let wanted = own.as_ref().map_or((None, None, None), |own| {
                (Some(own.cents), own.original, Some(own.field.as_str()))
            });
            assert_eq!(shown, wanted, "{what}: {hit} {visitor:?} {product:?}");
            shown.0
        });
        compared.collect()
    }

    /// Looks through the whole text: each number as large as the prices must be one of the visitor's own.
    fn assert_no_other_price(&self, reply: &Reply, visitor: &Visitor, what: &str) {
        let mut own = BTreeMap::new();
        for product in &self.world.products {
            if !self.world.is_visible(product, visitor) {
                continue;
            }
            if let Some(price) = self.world.price(product, visitor) {
                // A facet may round its bounds.
                for value in [Some(price.cents), price.original].into_iter().flatten() {
                    own.insert(value / 100, &product.id);
                    own.insert(value / 100 + 1, &product.id);
                }
            }
        }
        let words = reply
            .text
            .split(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '.' | '_' | '+' | '-'));
        for number in words.filter_map(|word| word.parse::<f64>().ok()) {
            let is_own = own.contains_key(&(number as u64));
            assert!(
                number < LARGE || is_own,
                "{what}: {number} is not a price of {visitor:?}\n{}",
                reply.text
            );
        }
    }
}

fn cents(value: &Value) -> Option<u64> {
    value.as_f64().map(|number| (number * 100.0).round() as u64)
}

#[test]
fn no_response_has_a_price_of_another_visitor() {
    let mut runner = TestRunner::new(Config {
        cases: CASES,
        max_shrink_iters: 50,
        failure_persistence: None,
        ..Config::default()
    });
    let result = runner.run(&model::case(), |Case { world, steps }| {
        let filled = Filled::new(&world);
        for step in &steps {
            filled.take(step);
        }
        Ok(())
    });
    result.unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn a_number_that_is_not_the_visitors_is_noticed() {
    let world = World::example();
    let filled = Filled::new(&world);
    let reply = filled.shop.search(&json!({"lang": "es"})).ok();
    filled.assert_no_other_price(&reply, &Visitor::Anonymous, "its own prices");
    let member = Visitor::of_tier("4");
    let noticed = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        filled.assert_no_other_price(&reply, &member, "prices of an anonymous visitor");
    }));
    assert!(noticed.is_err(), "prices of others are noticed: {reply:?}");
}
