//! 1. Words, including lists of codes, are found only if a product that the shopper may see has them.
//! 2. A selected value that no such product has is echoed as sent, with and without configured filters; so is a value
//!    that only deleted products had.
//! 3. The error for a filter on a hidden field is that of a field that no product has, and names no hidden field.
//! 4. Names of categories whose own document the shopper may not see are in no facet, selected or not; as words of a
//!    product they are found, and a category without a document is shown. The editor of filters sees all of them.
//! 5. A shopper who may see the products sees all of it, and so does everybody if access control is off.

use crate::harness::{Reply, Shop, eventually};
use serde_json::{Value, json};

fn access(shop: &Shop, enabled: bool) {
    let body =
        json!({"enabled": enabled, "visitorGroup": "1", "groups": [{"id": "1"}, {"id": "4"}]});
    shop.feed("POST", "/feed/access-groups")
        .json(&body)
        .send()
        .ok();
}

/// A shop with an open product, one for the members of a group, and one that was deleted.
fn shop() -> Shop {
    let shop = Shop::open();
    access(&shop, true);
    let category = |id: &str, name: &str| json!({"id": id, "name": name, "path": [name]});
    let products = json!([
        {
            "id": "open", "name": "Bota montaña", "reference": "OPEN-1111", "manufacturerId": "b1",
            "manufacturer": "Alpina", "attributes": [{"groupId": "10", "group": "Talla", "id": "100", "value": "S"}],
            "categories": [category("c1", "Calzado"), category("c2", "Mayoristas"), category("c3", "Suelto")]
        },
        {
            "id": "members", "name": "Zamarra secretísima", "reference": "HIDE-2222", "manufacturerId": "b2",
            "manufacturer": "Oculta", "attributes": [{"groupId": "66", "group": "Pacto", "id": "660", "value": "Precio"}],
            "categories": [category("c4", "Reservado")], "accessGroups": ["4"]
        },
        {"id": "gone", "name": "Guante", "reference": "GONE-3333", "manufacturerId": "b3", "manufacturer": "Antigua"}
    ]);
    let categories = json!([
        {"id": "c1", "name": "Calzado"},
        {"id": "c2", "name": "Mayoristas", "accessGroups": ["4"]},
        {"id": "c4", "name": "Reservado", "accessGroups": ["4"]}
    ]);
    shop.bulk("products", "es", &products).ok();
    shop.bulk("categories", "es", &categories).ok();
    eventually("the categories are found", || {
        shop.search(&json!({"types": ["categories"]})).data()["categories"]["total"] == 1
    });
    eventually("the products are found", || {
        shop.products("es") == ["gone", "open"]
    });
    shop.feed("POST", "/feed/products/delete")
        .json(&json!({"ids": ["gone"], "languages": ["es"]}))
        .send()
        .ok();
    eventually("one is deleted", || shop.products("es") == ["open"]);
    shop
}

fn products(shop: &Shop, request: &Value) -> Reply {
    let mut request = request.clone();
    request["types"] = json!(["products"]);
    request["lang"] = json!("es");
    shop.search(&request)
}

/// Whether each word of a query is found.
fn found(shop: &Shop, query: &str) -> Vec<bool> {
    let reply = products(shop, &json!({"q": query})).ok();
    let words = reply.data()["words"].as_array().expect("words");
    let found = words.iter().map(|word| word["found"] == true);
    found.collect()
}

/// Id, label and count of the options of a facet with `selected` values.
fn options(shop: &Shop, field: &str, selected: &[&str]) -> Vec<(String, String, u64)> {
    let filters = match selected {
        [] => json!({}),
        values => json!({ field: values }),
    };
    let reply = products(shop, &json!({"filters": filters})).ok();
    let facets = reply.data()["facets"].as_array().expect("facets").clone();
    let facet = facets.into_iter().find(|facet| facet["field"] == *field);
    let values = facet.map(|facet| facet["values"].clone());
    let values = values.unwrap_or_default();
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let mut options: Vec<_> = (values.as_array().into_iter().flatten())
        .map(|value| {
            let count = value["count"].as_u64().expect("a count");
            (text(&value["id"]), text(&value["label"]), count)
        })
        .collect();
    options.sort();
    options
}

fn option(id: &str, label: &str, count: u64) -> (String, String, u64) {
    (id.to_owned(), label.to_owned(), count)
}

#[test]
fn only_words_of_visible_products_are_found() {
    let shop = shop();
    // A word, a prefix, a typo, a code, a substring of one, a word of a hidden brand.
    for hidden in [
        "zamarra",
        "zama",
        "zamorra",
        "HIDE-2222",
        "HIDE-22",
        "oculta",
    ] {
        let found = found(&shop, hidden);
        assert!(found.iter().all(|found| !found), "{hidden}: {found:?}");
    }
    assert_eq!(found(&shop, "zamarra bota xyzzyx"), [false, true, false]);
    let both = "HIDE-2222 OPEN-1111";
    assert!(found(&shop, both).contains(&false), "{both}");
    access(&shop, false);
    for open in ["zamarra", "zama", "zamorra", "HIDE-2222", "oculta"] {
        let found = found(&shop, open);
        assert!(found.iter().all(|found| *found), "{open}: {found:?}");
    }
    assert_eq!(found(&shop, both), [true, true], "{both}");
}

#[test]
fn only_values_of_visible_products_are_labelled() {
    let shop = shop();
    let shown = |selected: &[&str]| options(&shop, "manufacturer", selected);
    let open = option("b1", "Alpina", 1);
    let echoed = |text: &str| {
        let mut all = vec![open.clone(), option(text, text, 0)];
        all.sort();
        all
    };
    for text in ["b2", "Oculta", "b3", "Antigua", "b4"] {
        assert_eq!(shown(&[text]), echoed(text), "{text}");
    }
    // A value of a visible product keeps its name, even if no hit has it.
    let reply = products(
        &shop,
        &json!({"q": "xyzzyx", "filters": {"manufacturer": ["b1"]}}),
    )
    .ok();
    assert!(reply.text.contains("Alpina"), "{reply:?}");
    let filter = json!({"field": "manufacturer", "config": {"hideEmpty": false, "valueGroups": [{"values": ["b2", "b3"]}]}});
    let filter = shop.own("POST", "/filters").json(&filter).send().ok();
    let key = filter.data()["config"]["valueGroups"][0]["key"].as_str();
    let key = key.expect("a key");
    for selected in [vec![], vec![key], vec!["b2"], vec!["b3"]] {
        let shown = shown(&selected);
        assert!(shown.contains(&option(key, "b2", 0)), "{shown:?}");
        assert!(!format!("{shown:?}").contains("Oculta"), "{shown:?}");
    }
    access(&shop, false);
    assert!(shown(&["b2"]).contains(&option("b2", "Oculta", 1)));
}

#[test]
fn errors_name_only_fields_of_visible_products() {
    let shop = shop();
    let error_text = |field: &str| {
        let reply = products(&shop, &json!({"filters": {field: ["x"]}}));
        reply.error(400, "invalid_request").text
    };
    let (hidden, unknown) = (error_text("attributes.66"), error_text("attributes.67"));
    assert_eq!(hidden.replace("66", "67"), unknown);
    assert!(unknown.contains("attributes.10"), "{unknown}");
    assert!(!unknown.contains("Pacto"), "{unknown}");
    access(&shop, false);
    products(&shop, &json!({"filters": {"attributes.66": ["660"]}})).ok();
    assert!(error_text("attributes.67").contains("Pacto"));
}

#[test]
fn hidden_categories_have_no_name() {
    let shop = shop();
    let open = vec![option("c1", "Calzado", 1), option("c3", "Suelto", 1)];
    assert_eq!(options(&shop, "categories", &[]), open);
    for text in ["c2", "Mayoristas", "c4", "Reservado"] {
        let shown = options(&shop, "categories", &[text]);
        let mut echoed = open.clone();
        echoed.push(option(text, text, 0));
        echoed.sort();
        assert_eq!(shown, echoed, "{text}");
    }
    let named = products(&shop, &json!({"q": "mayoristas"})).ok();
    assert_eq!(named.data()["products"]["total"], 1);
    let values = shop
        .own("GET", "/filters/values?field=categories&lang=es")
        .send();
    assert!(values.ok().text.contains("Mayoristas"));
    access(&shop, false);
    let all = options(&shop, "categories", &[]);
    assert!(all.contains(&option("c2", "Mayoristas", 1)), "{all:?}");
    assert!(all.contains(&option("c4", "Reservado", 1)), "{all:?}");
}
