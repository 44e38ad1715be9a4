//! 1. POST and GET with the same parameters find the same; responses have the documented shape.
//! 2. Products with equal scores are ordered by sales, then id; pages do not overlap.
//! 3. Filters and facets are disjunctive; sorts put products without a price last.
//! 4. Invalid requests are rejected with the paths of their errors.

use crate::harness::{Shop, product};
use serde_json::{Value, json};

fn stocked() -> Shop {
    let shop = Shop::open();
    let documents: Vec<Value> = (1..=6)
        .map(|at| {
            let mut document = product(&format!("p{at}"), &format!("Camiseta <b>{at}</b>"));
            document["priceInclTax"] = json!(f64::from(at) * 10.0);
            document["manufacturer"] = json!(if at % 2 == 0 { "Norte" } else { "Sur" });
            document["sales_count"] = json!(at);
            document["inStock"] = json!(at != 6);
            document["categories"] =
                json!([{"id": "4", "name": "Ropa", "path": ["Ropa"], "default": true}]);
            document["categoryIds"] = json!(["4"]);
            if at == 3 {
                document
                    .as_object_mut()
                    .expect("an object")
                    .remove("priceInclTax");
            }
            document
        })
        .collect();
    shop.bulk("products", "es", &json!(documents)).ok();
    let category = json!([{"id": "4", "name": "Camisetas", "url": "https://shop.example/c/4"}]);
    shop.bulk("categories", "es", &category).ok();
    shop.until_found("es", &["p1", "p2", "p3", "p4", "p5", "p6"]);
    crate::harness::eventually("the category is found", || {
        shop.search(&json!({"q": "camisetas"})).ok().data()["categories"]["total"] == 1
    });
    shop
}

fn ids(reply: &crate::harness::Reply) -> Vec<&str> {
    let hits = reply.data()["products"]["hits"].as_array().expect("a list");
    hits.iter().filter_map(|hit| hit["id"].as_str()).collect()
}

#[test]
fn both_methods_find_the_same() {
    let shop = stocked();
    let filters = json!({"manufacturer": ["Sur"], "price": {"min": 5, "max": 100.0}});
    let posted = shop
        .search(&json!({"q": "camiseta", "lang": "es", "types": ["products"], "filters": filters}))
        .ok();
    let encoded: String = filters
        .to_string()
        .bytes()
        .map(|b| format!("%{b:02X}"))
        .collect();
    let path = format!("/search?q=camiseta&lang=es&types=products&filters={encoded}");
    let got = shop.api("GET", &path).key(&shop.public).send().ok();
    assert_eq!(got.data()["products"], posted.data()["products"]);
    assert_eq!(got.data()["facets"], posted.data()["facets"]);
    let mut found = ids(&posted);
    found.sort_unstable();
    assert_eq!(found, ["p1", "p5"]);
    let none = shop
        .api("GET", "/search?visitor=x")
        .key(&shop.public)
        .send();
    assert_eq!(
        none.error(400, "invalid_request").fields(),
        ["query.visitor"]
    );
}

#[test]
fn a_response_has_everything_a_card_needs() {
    let shop = stocked();
    let found = shop.search(&json!({"q": "camiseta 2"})).ok();
    let data = found.data();
    for name in ["products", "categories", "brands", "pages"] {
        assert!(data[name]["total"].is_u64(), "{name}");
        assert!(data[name]["hits"].is_array(), "{name}");
    }
    assert_eq!(data["words"][0]["found"], true);
    assert!(data["queryId"].is_string() && data["tookMs"].is_u64());
    let hits = data["products"]["hits"].as_array().expect("a list");
    let hit = hits.iter().find(|hit| hit["id"] == "p2").expect("found");
    assert_eq!(hit["price"], 20.0);
    assert_eq!(hit["priceField"], "priceInclTax");
    assert_eq!(hit["currency"], "EUR");
    assert_eq!(hit["url"], "https://shop.example/p2");
    let marked = hit["highlight"]["name"].as_str().expect("text");
    assert!(marked.contains("<em>Camiseta</em>"), "{marked}");
    assert!(!marked.contains("<b>"), "{marked}");
    assert!(!found.text.contains("null"), "{}", found.text);
}

#[test]
fn types_that_are_not_requested_are_empty() {
    let shop = stocked();
    let found = shop
        .search(&json!({"q": "camisetas", "types": ["categories"]}))
        .ok();
    assert_eq!(found.data()["products"], json!({"hits": [], "total": 0}));
    assert_eq!(found.data()["categories"]["hits"][0]["name"], "Camisetas");
}

#[test]
fn sorts_and_pages_are_stable() {
    let shop = stocked();
    let sorted = |sort: &str| {
        let reply = shop
            .search(&json!({"sort": sort, "types": ["products"]}))
            .ok();
        ids(&reply).join(" ")
    };
    assert_eq!(sorted("price_asc"), "p1 p2 p4 p5 p6 p3");
    assert_eq!(sorted("price_desc"), "p6 p5 p4 p2 p1 p3");
    assert_eq!(sorted("name"), "p1 p2 p3 p4 p5 p6");
    let all = shop
        .search(&json!({"q": "camiseta", "types": ["products"]}))
        .ok();
    let mut paged = Vec::new();
    for page in 1..=3 {
        let body = json!({"q": "camiseta", "types": ["products"], "page": page, "limit": 2});
        let reply = shop.search(&body).ok();
        assert_eq!(reply.data()["products"]["total"], 6);
        paged.extend(ids(&reply).into_iter().map(str::to_owned));
    }
    assert_eq!(paged, ids(&all));
}

#[test]
fn facets_count_without_their_own_filter() {
    let shop = stocked();
    let body = json!({"q": "camiseta", "filters": {"manufacturer": ["Norte"]}});
    let found = shop.search(&body).ok();
    assert_eq!(found.data()["products"]["total"], 3);
    let facets = found.data()["facets"].as_array().expect("a list");
    let facet = |field: &str| {
        let found = facets.iter().find(|facet| facet["field"] == field);
        found
            .unwrap_or_else(|| panic!("no facet {field} in {facets:?}"))
            .clone()
    };
    let brands = facet("manufacturer");
    let values = brands["values"].as_array().expect("a list");
    let count = |label: &str| {
        let value = values.iter().find(|v| v["label"] == label);
        value.map(|v| (v["count"].clone(), v["selected"].clone()))
    };
    assert_eq!(count("Norte"), Some((json!(3), json!(true))));
    assert_eq!(count("Sur"), Some((json!(3), json!(false))));
    let price = facet("price");
    assert_eq!(
        (price["min"].clone(), price["max"].clone()),
        (json!(20.0), json!(60.0))
    );
    let without = shop.search(&json!({"q": "camiseta", "facets": false})).ok();
    assert_eq!(without.data()["facets"], json!([]));
}

#[test]
fn invalid_searches_are_rejected() {
    let shop = Shop::open();
    for (body, field) in [
        (json!({"limit": 101}), "limit"),
        (json!({"limit": 0}), "limit"),
        (json!({"page": 0}), "page"),
        (json!({"page": 101, "limit": 100}), "page"),
        (json!({"sort": "best"}), "sort"),
        (json!({"types": []}), "types"),
        (json!({"types": ["goods"]}), "types[0]"),
        (json!({"lang": "fr"}), "lang"),
        (json!({"filters": {"colour": ["red"]}}), "filters.colour"),
        (
            json!({"filters": {"price": {"min": 9, "max": 3}}}),
            "filters.price",
        ),
        (
            json!({"filters": {"inStock": ["yes"]}}),
            "filters.inStock[0]",
        ),
        (json!({"filters": {"categories": []}}), "filters.categories"),
        (json!({"query": "x"}), "query"),
    ] {
        let reply = shop.search(&body).error(400, "invalid_request");
        assert_eq!(reply.fields(), [field], "{body}");
    }
    let all = json!({"lang": "fr", "page": 1000, "filters": {"manufacture": ["x"], "rating": {"min": 5, "max": 3}}});
    let reply = shop.search(&all).error(400, "invalid_request");
    assert_eq!(
        reply.fields(),
        ["page", "filters.manufacture", "filters.rating", "lang"]
    );
    let reason = reply.json["errors"][1]["reason"].to_string();
    assert!(
        reason.contains("did you mean \\\"manufacturer\\\"")
            && reason.contains("attributes.<group>"),
        "{reason}"
    );
    for (query, field) in [
        ("limit=x", "query.limit"),
        ("filters=%7Bx", "query.filters"),
        ("facets=perhaps", "query.facets"),
        ("types=products,goods", "query.types[1]"),
    ] {
        let reply = shop
            .api("GET", &format!("/search?{query}"))
            .key(&shop.public)
            .send();
        assert_eq!(
            reply.error(400, "invalid_request").fields(),
            [field],
            "{query}"
        );
    }
}
