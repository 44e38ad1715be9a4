//! 1. Categories, brands and pages are found by their own fields and ranked like products, without factors.
//! 2. Paging applies to each type; sort, filters and facets apply to products only.
//! 3. Documents that no group may see are found in no type.

use crate::harness::{Reply, Shop, eventually};
use serde_json::{Value, json};

fn stocked() -> Shop {
    let shop = Shop::open();
    let new = json!({"types": ["brands", "pages"], "languages": [{"code": "es", "default": true}]});
    shop.feed("POST", "/feed/indices").json(&new).send().ok();
    let category = |id: &str, name: &str, path: &[&str], more: Value| {
        let mut document = json!({"id": id, "name": name, "path": path});
        for (field, value) in more.as_object().into_iter().flatten() {
            document[field] = value.clone();
        }
        document
    };
    let categories = json!([
        category(
            "1",
            "Muebles",
            &["Muebles"],
            json!({"description": "Mesas y sillas de roble"})
        ),
        category(
            "2",
            "Sillas",
            &["Muebles", "Sillas"],
            json!({"outOfStock": true})
        ),
        category(
            "3",
            "Sillas de diseño",
            &["Secreto"],
            json!({"accessGroups": ["none"]})
        ),
        category(
            "4",
            "Sillas viejas",
            &["Secreto"],
            json!({"accessGroups": []})
        ),
    ]);
    shop.bulk("categories", "es", &categories).ok();
    let brands = json!([{"id": "7", "type": "MANUFACTURER", "name": "Roble & Cía", "description": "Sillas desde 1900"}]);
    shop.bulk("brands", "es", &brands).ok();
    let pages = json!([
        {"id": "9", "title": "Envíos", "content": "Las sillas viajan aparte", "categoryName": "Ayuda"},
        {"id": "10", "title": "Devoluciones", "content": "Treinta días", "categoryName": "Ayuda"},
    ]);
    shop.bulk("pages", "es", &pages).ok();
    eventually("all are found", || {
        let found = shop.search(&json!({})).ok();
        ["categories", "brands", "pages"].map(|of| found.data()[of]["total"].clone()) == [2, 1, 2]
    });
    shop
}

fn ids(reply: &Reply, of: &str) -> Vec<String> {
    let hits = reply.data()[of]["hits"]
        .as_array()
        .cloned()
        .unwrap_or_default();
    hits.iter()
        .map(|hit| hit["id"].as_str().unwrap_or_default().to_owned())
        .collect()
}

#[test]
fn each_type_is_found_by_its_own_fields() {
    let shop = stocked();
    for (query, categories, brands, pages) in [
        ("sillas", vec!["2", "1"], vec!["7"], vec!["9"]),
        ("muebles", vec!["1", "2"], vec![], vec![]),
        ("roble", vec!["1"], vec!["7"], vec![]),
        ("ayuda", vec![], vec![], vec!["10", "9"]),
        ("devoluciones", vec![], vec![], vec!["10"]),
        ("secreto", vec![], vec![], vec![]),
        ("diseño", vec![], vec![], vec![]),
    ] {
        let found = shop.search(&json!({"q": query})).ok();
        assert_eq!(ids(&found, "categories"), categories, "{query}");
        assert_eq!(ids(&found, "brands"), brands, "{query}");
        assert_eq!(ids(&found, "pages"), pages, "{query}");
    }
    let hits = shop.search(&json!({"q": "roble"})).ok().data()["brands"]["hits"].clone();
    let expected = json!([{"id": "7", "name": "Roble & Cía", "highlight": {"name": "<em>Roble</em> &amp; Cía"}}]);
    assert_eq!(hits, expected);
}

#[test]
fn factors_and_hidden_stock_apply_to_products_only() {
    let shop = stocked();
    let settings = json!({"searchSettings": {"hideOutOfStock": true}});
    let path = format!("/stores/{}/relevance", shop.store);
    shop.api("PUT", &path)
        .key(&shop.write_key)
        .json(&settings)
        .send()
        .ok();
    let found = shop.search(&json!({"q": "sillas"})).ok();
    assert_eq!(ids(&found, "categories"), ["2", "1"]);
}

#[test]
fn paging_applies_to_each_type_and_the_rest_to_products() {
    let shop = stocked();
    let request =
        json!({"limit": 1, "page": 2, "sort": "price_asc", "filters": {"price": {"max": 1}}});
    let found = shop.search(&request).ok();
    assert_eq!(found.data()["facets"], json!([]));
    for (of, total, shown) in [("categories", 2, 1), ("brands", 1, 0), ("pages", 2, 1)] {
        assert_eq!(found.data()[of]["total"], total, "{of}");
        assert_eq!(ids(&found, of).len(), shown, "{of}");
    }
    let only = shop
        .search(&json!({"q": "sillas", "types": ["pages", "brands"]}))
        .ok();
    assert_eq!(only.data()["categories"], json!({"hits": [], "total": 0}));
    assert_eq!(
        (ids(&only, "brands").len(), ids(&only, "pages").len()),
        (1, 1)
    );
}
