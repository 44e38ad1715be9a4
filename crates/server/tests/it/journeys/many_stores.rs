//! 1. No more indexes stay open than the bound allows, and every store responds as if its own were always open.
//! 2. Documents fed to a closed store are found, and its saved configuration holds.
//! 3. A store may have more indexes than the bound.

use crate::harness::{Client, Shop, eventually, product};
use domain::{KeyKind, Scope, StoreId};
use serde_json::{Value, json};

/// Indexes that may stay open.
const BOUND: usize = 2;

/// One of many stores.
struct Tenant {
    id: StoreId,
    connector: String,
    public: String,
    write_key: String,
}

impl Tenant {
    /// A store with one index.
    fn of(shop: &Shop, name: &str) -> Self {
        let id = shop.new_store(name);
        let tenant = Self {
            connector: shop.new_key(&id, KeyKind::Connector, None),
            public: shop.new_key(&id, KeyKind::SearchOnly, None),
            write_key: shop.new_key(&id, KeyKind::Configuration, Some(Scope::Write)),
            id,
        };
        let indexes =
            json!({"types": ["products"], "languages": [{"code": "es", "default": true}]});
        let call = shop.api("POST", "/feed/indices").key(&tenant.connector);
        call.json(&indexes).send().ok();
        tenant
    }

    fn feed(&self, shop: &Shop, ids: &[String]) {
        let documents: Vec<Value> = ids.iter().map(|id| product(id, "Camiseta")).collect();
        let call = shop.api("POST", "/feed/products/bulk").key(&self.connector);
        let body = json!({"language": "es", "documents": documents});
        call.json(&body).send().ok();
    }

    fn found(&self, shop: &Shop) -> Vec<String> {
        let call = shop.api("POST", "/search").key(&self.public);
        let body = json!({"q": "camiseta", "types": ["products"], "limit": 100});
        let reply = call.json(&body).send().ok();
        let hits = reply.data()["products"]["hits"].as_array().cloned();
        let ids = hits.into_iter().flatten();
        let mut ids: Vec<String> = ids
            .filter_map(|hit| hit["id"].as_str().map(str::to_owned))
            .collect();
        ids.sort();
        ids
    }
}

fn open_indexes(client: &Client) -> usize {
    let reply = client.call("GET", "/metrics").send();
    let mut lines = reply.text.lines();
    let line = lines.find_map(|line| line.strip_prefix("findwell_open_indexes "));
    line.expect("the metric").parse().expect("a number")
}

fn until_few_are_open(shop: &Shop) {
    eventually("what is not used is closed", || {
        open_indexes(&shop.client) <= BOUND
    });
}

fn bounded() -> Shop {
    Shop::open_with(|options| options.open_indexes_max = BOUND)
}

#[test]
fn unused_stores_are_closed_and_still_searchable() {
    let shop = bounded();
    let mut tenants: Vec<(Tenant, Vec<String>)> = (0..8)
        .map(|at| (Tenant::of(&shop, &format!("Store {at}")), Vec::new()))
        .collect();
    for round in 0..3 {
        for (at, (tenant, ids)) in tenants.iter_mut().enumerate() {
            let id = format!("{round}-{at}");
            tenant.feed(&shop, std::slice::from_ref(&id));
            ids.push(id);
        }
        until_few_are_open(&shop);
        for (tenant, ids) in &tenants {
            eventually("all is found", || tenant.found(&shop) == *ids);
        }
        until_few_are_open(&shop);
    }
}

#[test]
fn many_clients_may_search_at_once() {
    let shop = bounded();
    let tenants: Vec<Tenant> = (0..6)
        .map(|at| Tenant::of(&shop, &format!("Store {at}")))
        .collect();
    for (at, tenant) in tenants.iter().enumerate() {
        tenant.feed(&shop, &[at.to_string()]);
    }
    for (at, tenant) in tenants.iter().enumerate() {
        eventually("it is found", || tenant.found(&shop) == [at.to_string()]);
    }
    std::thread::scope(|scope| {
        for client in 0..4 {
            let (shop, tenants) = (&shop, &tenants);
            scope.spawn(move || {
                for step in 0..30 {
                    let at = (client * 7 + step * 5) % tenants.len();
                    assert_eq!(tenants[at].found(shop), [at.to_string()]);
                }
            });
        }
    });
    until_few_are_open(&shop);
}

#[test]
fn the_saved_configuration_of_a_closed_store_holds() {
    let shop = bounded();
    let tenants: Vec<Tenant> = (0..4)
        .map(|at| Tenant::of(&shop, &format!("Store {at}")))
        .collect();
    let path = |tenant: &Tenant| format!("/stores/{}/relevance", tenant.id);
    for (at, tenant) in tenants.iter().enumerate() {
        tenant.feed(&shop, &["p".to_owned()]);
        let body = json!({"searchSettings": {"stockBoost": at}});
        let call = shop.api("PUT", &path(tenant)).key(&tenant.write_key);
        call.json(&body).send().ok();
    }
    for (at, tenant) in tenants.iter().enumerate() {
        eventually("it is found", || tenant.found(&shop) == ["p"]);
        let call = shop.api("POST", &format!("{}/test", path(tenant)));
        let reply = call
            .key(&tenant.write_key)
            .json(&json!({"q": "camiseta"}))
            .send()
            .ok();
        let stock = &reply.data()["hits"][0]["breakdown"]["factors"]["stock"];
        assert_eq!(stock.as_f64(), Some(at as f64));
        let detail = shop
            .api("GET", &format!("/stores/{}", tenant.id))
            .key(&tenant.write_key);
        let detail = detail.send().ok();
        assert_eq!(detail.data()["indices"][0]["documents"], 1);
    }
}

#[test]
fn a_store_may_have_more_indexes_than_the_bound() {
    let shop = bounded();
    let other = Tenant::of(&shop, "Other");
    other.feed(&shop, &["o".to_owned()]);
    for language in ["es", "en"] {
        shop.bulk("products", language, &json!([product("p1", "Camiseta")]))
            .ok();
    }
    // The store of the shop has four.
    for _ in 0..3 {
        shop.until_found("es", &["p1"]);
        shop.until_found("en", &["p1"]);
        eventually("the other one responds", || other.found(&shop) == ["o"]);
    }
    until_few_are_open(&shop);
}
