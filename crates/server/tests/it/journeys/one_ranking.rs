//! 1. On the whole demo catalogue, in both languages, the simulator ranks exactly as the search does.
//! 2. A save brings what was simulated: the provisional ranking is the search's ranking after the save.

use crate::harness::Shop;
use serde_json::{Value, json};
use server::demo::catalogue;
use std::collections::BTreeSet;

/// A shop with the demo catalogue.
fn stocked() -> Shop {
    let shop = Shop::open();
    for language in catalogue::LANGUAGES {
        let documents = catalogue::documents(language, "http://shop.example");
        shop.bulk("products", language, &json!(documents)).ok();
        crate::harness::eventually("the catalogue is searchable", || {
            total(&shop, language) == documents.len() as u64
        });
    }
    shop
}

fn total(shop: &Shop, language: &str) -> u64 {
    let found = shop.search(&json!({"lang": language, "types": ["products"], "limit": 1}));
    found.ok().data()["products"]["total"].as_u64().unwrap_or(0)
}

/// Names, first words of names, references and brands, as shoppers type them.
fn queries(language: &str) -> BTreeSet<String> {
    let mut queries = BTreeSet::new();
    for document in catalogue::documents(language, "http://shop.example") {
        let text = |field: &str| document[field].as_str().unwrap_or_default().to_owned();
        let name = text("name");
        queries.extend(name.split_whitespace().map(str::to_owned));
        queries.insert(
            name.split_whitespace()
                .rev()
                .take(2)
                .collect::<Vec<_>>()
                .join(" "),
        );
        queries.extend([name, text("reference"), text("manufacturer")]);
    }
    queries.remove("");
    queries
}

/// Ids, in order, and the total.
fn ranking(hits: &Value, total: &Value) -> (Vec<String>, u64) {
    let hits = hits.as_array().expect("a list of hits");
    let ids = hits.iter().map(|hit| hit["id"].to_string()).collect();
    (ids, total.as_u64().expect("a number"))
}

fn searched(shop: &Shop, language: &str, q: &str) -> (Vec<String>, u64) {
    let request = json!({"q": q, "lang": language, "types": ["products"], "limit": 100});
    let reply = shop.search(&request).ok();
    let products = reply.data()["products"].clone();
    ranking(&products["hits"], &products["total"])
}

fn simulated(shop: &Shop, test: &Value) -> (Vec<String>, u64) {
    let reply = shop.own("POST", "/relevance/test").json(test).send().ok();
    ranking(&reply.data()["hits"], &reply.data()["total"])
}

#[test]
fn simulator_and_search_rank_the_demo_catalogue_alike() {
    let shop = stocked();
    for language in catalogue::LANGUAGES {
        for q in queries(language).iter().step_by(7) {
            let test = json!({"q": q, "lang": language, "limit": 100});
            assert_eq!(
                simulated(&shop, &test),
                searched(&shop, language, q),
                "{language}: {q}"
            );
        }
    }
}

#[test]
fn a_save_brings_the_simulated_ranking() {
    let shop = stocked();
    let boosts = json!({"description": 12, "name": 1, "tags": 0});
    let settings = json!({"stockBoost": 0, "fuzziness": "1", "crossFieldsBoost": 0});
    let chosen: Vec<String> = queries("en").into_iter().step_by(29).collect();
    let tested: Vec<_> = chosen
        .iter()
        .map(|q| {
            let test = json!({
                "q": q, "lang": "en", "limit": 100, "boosts": boosts, "searchSettings": settings
            });
            simulated(&shop, &test)
        })
        .collect();
    let change = json!({"boosts": boosts, "searchSettings": settings});
    shop.own("PUT", "/relevance").json(&change).send().ok();
    for (q, tested) in chosen.iter().zip(tested) {
        assert_eq!(searched(&shop, "en", q), tested, "{q}");
    }
}
