//! 1. Once there is a filter, only configured facets are shown, in their order, with their names.
//! 2. A group is one option: it counts a product once, is selected by its key, and is labelled with its first value if
//!    it has no name.
//! 3. Counts ignore the facet's own selection and honour the others; selected values are always present, even with 0.
//! 4. `sort`, `limit` and `hideEmpty` decide which options are shown, and in which order.
//! 5. `hideEmpty: false` also shows values of products that were not found, but none that only deleted products had.
//! 6. The values of a field are those of the whole catalogue, the most frequent first.

use crate::harness::{Reply, Shop, product};
use serde_json::{Value, json};

/// Products p1 to p5 with colours; p1 has two of them.
fn shirts() -> Shop {
    let shop = Shop::open();
    let colours = [
        ("10", "Rojo", "Red"),
        ("11", "Granate", "Maroon"),
        ("12", "Azul", "Blue"),
        ("13", "Verde", "Green"),
    ];
    let of_product: [(&str, &[usize], &str); 5] = [
        ("p1", &[0, 1], "M"),
        ("p2", &[1], "M"),
        ("p3", &[2], "L"),
        ("p4", &[2], "M"),
        ("p5", &[3], "L"),
    ];
    for (language, spanish) in [("es", true), ("en", false)] {
        let documents = of_product.map(|(id, own, size)| {
            let colour = |at: &usize| {
                let (id, es, en) = colours[*at];
                json!({"groupId": "2", "group": "Color", "id": id, "value": if spanish { es } else { en }})
            };
            let mut attributes: Vec<Value> = own.iter().map(colour).collect();
            attributes.push(json!({"groupId": "1", "group": "Talla", "id": size, "value": size}));
            let mut document = product(id, "Camiseta");
            document["attributes"] = json!(attributes);
            document
        });
        shop.bulk("products", language, &json!(documents)).ok();
        shop.until_found(language, &["p1", "p2", "p3", "p4", "p5"]);
    }
    shop
}

fn filter(shop: &Shop, body: Value) -> Value {
    shop.own("POST", "/filters")
        .json(&body)
        .send()
        .ok()
        .data()
        .clone()
}

fn change(shop: &Shop, filter: &Value, body: Value) {
    let path = format!("/filters/{}", filter["id"].as_str().expect("an id"));
    shop.own("PUT", &path).json(&body).send().ok();
}

fn search(shop: &Shop, language: &str, filters: Value) -> Reply {
    let request = json!({"q": "", "lang": language, "types": ["products"], "filters": filters});
    shop.search(&request).ok()
}

/// All facets, each with its options and their counts, selected ones with a star.
fn facets(reply: &Reply) -> Vec<String> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let facets = reply.data()["facets"].as_array().expect("a list");
    let shown = facets.iter().map(|facet| {
        let options = facet["values"].as_array().into_iter().flatten();
        let options: Vec<String> = options
            .map(|option| {
                let star = if option["selected"] == true { "*" } else { "" };
                format!("{}{star} {}", text(&option["label"]), option["count"])
            })
            .collect();
        format!("{}: {}", text(&facet["label"]), options.join(", "))
    });
    shown.collect()
}

fn found(reply: &Reply) -> u64 {
    reply.data()["products"]["total"]
        .as_u64()
        .expect("a number")
}

#[test]
fn configured_filters_replace_the_automatic_ones() {
    let shop = shirts();
    assert!(facets(&search(&shop, "es", json!({}))).len() > 3);
    let size = filter(
        &shop,
        json!({"field": "attributes.1", "label": {"en": "Size"}, "position": 5}),
    );
    let stock = filter(
        &shop,
        json!({"field": "inStock", "label": {"es": "Stock"}, "position": 4}),
    );
    let reply = search(&shop, "es", json!({}));
    assert_eq!(facets(&reply), ["Stock: En stock 5", "Talla: M 3, L 2"]);
    assert_eq!(reply.data()["facets"][0]["type"], "boolean");
    // Without a name in a language, the one in the default language is used, then the automatic one.
    assert_eq!(
        facets(&search(&shop, "en", json!({}))),
        ["Stock: In stock 5", "Size: M 3, L 2"]
    );
    change(&shop, &size, json!({"position": 0}));
    assert_eq!(
        facets(&search(&shop, "es", json!({})))[0],
        "Talla: M 3, L 2"
    );
    for filter in [&size, &stock] {
        change(&shop, filter, json!({"active": false}));
    }
    assert!(facets(&search(&shop, "es", json!({}))).is_empty());
    // A field may be selected whether it is shown or not, and then it is shown.
    let chosen = search(&shop, "es", json!({"attributes.2": ["12"]}));
    assert_eq!((found(&chosen), facets(&chosen).len()), (2, 1));
    assert!(facets(&chosen)[0].starts_with("Color: "), "{chosen:?}");
}

#[test]
fn a_group_is_one_option() {
    let shop = shirts();
    let groups = json!([{"values": ["10", "11"]}, {"label": "Frío", "values": ["12", "99"]}]);
    let colour = filter(
        &shop,
        json!({"field": "attributes.2", "config": {"valueGroups": groups}}),
    );
    filter(&shop, json!({"field": "attributes.1"}));
    let key = |at: usize| colour["config"]["valueGroups"][at]["key"].clone();
    // p1 has both reds and counts once.
    let all = search(&shop, "es", json!({}));
    assert_eq!(
        facets(&all),
        ["Color: Frío 2, Rojo 2, Verde 1", "Talla: M 3, L 2"]
    );
    assert_eq!(all.data()["facets"][0]["values"][1]["id"], key(0));
    assert_eq!(
        facets(&search(&shop, "en", json!({})))[0],
        "Color: Frío 2, Red 2, Green 1"
    );

    let red = search(&shop, "es", json!({"attributes.2": [key(0)]}));
    assert_eq!(found(&red), 2);
    assert_eq!(
        facets(&red),
        ["Color: Frío 2, Rojo* 2, Verde 1", "Talla: M 2"]
    );
    let both = search(
        &shop,
        "es",
        json!({"attributes.2": [key(0), key(1)], "attributes.1": ["L"]}),
    );
    assert_eq!(found(&both), 1);
    assert_eq!(
        facets(&both),
        ["Color: Frío* 1, Verde 1, Rojo* 0", "Talla: M 3, L* 1"]
    );
    // A value of a group may still be selected by itself.
    let maroon = search(
        &shop,
        "es",
        json!({"attributes.2": ["11"], "attributes.1": ["M"]}),
    );
    assert_eq!(found(&maroon), 2);
    assert_eq!(facets(&maroon)[0], "Color: Granate* 2, Rojo 2, Frío 1");
    let unknown = search(&shop, "es", json!({"attributes.2": ["none"]}));
    assert_eq!(
        (found(&unknown), facets(&unknown)[0].as_str()),
        (0, "Color: Frío 2, Rojo 2, Verde 1, none* 0")
    );
}

#[test]
fn the_configuration_selects_and_orders_options() {
    let shop = shirts();
    let groups = json!([{"label": "Zinc", "values": ["13"]}]);
    let colour = filter(
        &shop,
        json!({"field": "attributes.2", "config": {"valueGroups": groups}}),
    );
    let shown = |config: Value, filters: Value| {
        change(&shop, &colour, json!({ "config": config }));
        facets(&search(&shop, "es", filters))[0].clone()
    };
    assert_eq!(
        shown(json!({}), json!({})),
        "Color: Azul 2, Granate 2, Rojo 1, Zinc 1"
    );
    assert_eq!(
        shown(json!({"sort": "alpha"}), json!({})),
        "Color: Azul 2, Granate 2, Rojo 1, Zinc 1"
    );
    assert_eq!(
        shown(json!({"sort": "position"}), json!({})),
        "Color: Zinc 1, Azul 2, Granate 2, Rojo 1"
    );
    assert_eq!(
        shown(json!({"sort": "alpha", "limit": 3}), json!({})),
        "Color: Azul 2, Granate 2, Rojo 1"
    );
    assert_eq!(
        shown(json!({"limit": 1}), json!({"attributes.2": ["10"]})),
        "Color: Azul 2, Rojo* 1"
    );
    let large = json!({"attributes.1": ["L"]});
    assert_eq!(
        shown(json!({"limit": null, "sort": "count"}), large.clone()),
        "Color: Azul 1, Zinc 1"
    );
    let all = "Color: Azul 1, Zinc 1, Granate 0, Rojo 0";
    assert_eq!(shown(json!({"hideEmpty": false}), large.clone()), all);
    assert_eq!(
        shown(json!({"hideEmpty": true}), large),
        "Color: Azul 1, Zinc 1"
    );
}

#[test]
fn an_option_without_hits_is_shown_while_the_catalogue_has_it() {
    let shop = shirts();
    filter(
        &shop,
        json!({"field": "attributes.2", "config": {"hideEmpty": false}}),
    );
    let shown = || facets(&search(&shop, "es", json!({"attributes.1": ["M"]})))[0].clone();
    assert_eq!(shown(), "Color: Granate 2, Azul 1, Rojo 1, Verde 0");
    let gone = json!({"ids": ["p5"], "languages": ["es"]});
    shop.feed("POST", "/feed/products/delete")
        .json(&gone)
        .send()
        .ok();
    shop.until_found("es", &["p1", "p2", "p3", "p4"]);
    assert_eq!(shown(), "Color: Granate 2, Azul 1, Rojo 1");
    // It is back with the next product that has it.
    let green = json!({"groupId": "2", "group": "Color", "id": "13", "value": "Verde"});
    let mut document = product("p6", "Camiseta");
    document["attributes"] = json!([green]);
    shop.bulk("products", "es", &json!([document])).ok();
    shop.until_found("es", &["p1", "p2", "p3", "p4", "p6"]);
    assert_eq!(shown(), "Color: Granate 2, Azul 1, Rojo 1, Verde 0");
}

#[test]
fn the_values_of_a_field_are_those_of_the_catalogue() {
    let shop = shirts();
    let values = |query: &str| shop.own("GET", &format!("/filters/values?{query}")).send();
    let colours = values("field=attributes.2").ok();
    let expected = json!([
        {"id": "12", "label": "Azul", "count": 2}, {"id": "11", "label": "Granate", "count": 2},
        {"id": "10", "label": "Rojo", "count": 1}, {"id": "13", "label": "Verde", "count": 1}
    ]);
    assert_eq!(colours.data(), &expected);
    assert_eq!(
        values("field=attributes.2&lang=en").ok().data()[0]["label"],
        "Blue"
    );
    let in_stock = |lang: &str| values(&format!("field=inStock&lang={lang}")).ok();
    let label = |reply: &Reply| reply.data()[0]["label"].clone();
    assert_eq!(in_stock("es").data()[0]["id"], "true");
    assert_eq!(
        (label(&in_stock("es")), label(&in_stock("en"))),
        (json!("En stock"), json!("In stock"))
    );
    let ids = |query: &str| -> (Vec<String>, Value) {
        let reply = values(&format!("field=attributes.2&{query}")).ok();
        let items = reply.data().as_array().cloned().unwrap_or_default();
        let ids = items.iter().filter_map(|item| item["id"].as_str());
        (ids.map(str::to_owned).collect(), reply.json["meta"].clone())
    };
    let (page, meta) = ids("limit=3&page=2");
    assert_eq!((page, &meta["total"]), (vec!["13".to_owned()], &json!(4)));
    let (found, meta) = ids("q=GR%C3%81");
    assert_eq!(
        (found, &meta["totalPages"]),
        (vec!["11".to_owned()], &json!(1))
    );
    assert_eq!(ids("q=anate").0.len(), 0, "not within a word");
    for (query, field) in [
        ("", "query.field"),
        ("field=price", "query.field"),
        ("field=colour", "query.field"),
        ("field=attributes.9", "query.field"),
        ("field=inStock&lang=fr", "query.lang"),
        ("field=inStock&limit=101", "query.limit"),
        ("field=inStock&page=0", "query.page"),
    ] {
        assert_eq!(
            values(query).error(400, "invalid_request").fields(),
            [field],
            "{query}"
        );
    }
}
