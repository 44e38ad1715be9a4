//! 1. Products can be filtered by every field that any of them has, by id or text, and by no other.
//! 2. Facets for attributes and features are those that most of the hits have, with the labels of the shop.
//! 3. Counts of a facet ignore its own selection and honour the others; selected values are always present.
//! 4. Every sort has its order; products without the value come last.

use crate::harness::{Reply, Shop, product};
use serde_json::{Value, json};

fn value(groups: [&str; 2], id: &str, value: &str) -> Value {
    json!({"groupId": groups[0], "group": groups[1], "id": id, "value": value})
}

/// Four shirts: sizes M and L, red and blue, of cotton or not.
fn shirts() -> Shop {
    let shop = Shop::open();
    let (size, colour) = (["1", "Talla"], ["2", "Color"]);
    let sizes = |sizes: &[&str]| -> Vec<Value> {
        let known = [value(size, "10", "M"), value(size, "11", "L")];
        let chosen = known
            .into_iter()
            .filter(|known| sizes.contains(&known["value"].as_str().unwrap_or_default()));
        chosen.collect()
    };
    let shirt = |id: &str, attributes: Vec<Value>, more: Value| {
        let mut document = product(id, &format!("Camiseta {id}"));
        document["attributes"] = json!(attributes);
        for (field, value) in more.as_object().expect("an object") {
            document[field] = value.clone();
        }
        document
    };
    let with = |attributes: Vec<Value>, other: Value| [attributes, vec![other]].concat();
    let (red, blue) = (value(colour, "20", "Rojo"), value(colour, "21", "Azul"));
    let cotton = json!([{"feature": "Tejido", "value": "Algodón"}]);
    let documents = json!([
        shirt(
            "p1",
            with(sizes(&["M", "L"]), red.clone()),
            json!({"features": cotton, "rating": 4.5, "sales_count": 1})
        ),
        shirt(
            "p2",
            with(sizes(&["M"]), blue),
            json!({"features": cotton, "rating": 3, "dateAdd": "2026-01-01T00:00:00Z"})
        ),
        shirt(
            "p3",
            with(sizes(&["L"]), red),
            json!({"supplier": "Sur", "tags": ["verano"], "sales_count": 7, "feature_num": 2.5})
        ),
        shirt(
            "p4",
            vec![],
            json!({"originalPriceInclTax": 99, "dateAdd": "2026-02-01T00:00:00Z"})
        ),
    ]);
    shop.bulk("products", "es", &documents).ok();
    shop.until_found("es", &["p1", "p2", "p3", "p4"]);
    shop
}

fn ids(reply: &Reply) -> String {
    let hits = reply.data()["products"]["hits"].as_array().expect("a list");
    let ids: Vec<&str> = hits.iter().filter_map(|hit| hit["id"].as_str()).collect();
    ids.join(" ")
}

/// The facet of a field: its label, and each value with its count, selected ones with a star.
fn facet(reply: &Reply, field: &str) -> Option<String> {
    let facets = reply.data()["facets"].as_array().expect("a list");
    let facet = facets.iter().find(|facet| facet["field"] == field)?;
    let values = facet["values"]
        .as_array()
        .into_iter()
        .flatten()
        .map(|value| {
            let star = if value["selected"] == true { "*" } else { "" };
            format!(
                "{}{star} {}",
                value["label"].as_str().unwrap_or_default(),
                value["count"]
            )
        });
    let values: Vec<String> = values.collect();
    Some(format!(
        "{}: {}",
        facet["label"].as_str().unwrap_or_default(),
        values.join(", ")
    ))
}

#[test]
fn products_are_filtered_by_the_fields_they_have() {
    let shop = shirts();
    for (filters, expected) in [
        (json!({"attributes.1": ["11"]}), "p3 p1"),
        (
            json!({"attributes.1": ["L"], "attributes.2": ["Rojo", "Azul"]}),
            "p3 p1",
        ),
        (
            json!({"attributes.1": ["M"], "features.Tejido": ["Algodón"]}),
            "p1 p2",
        ),
        (json!({"features.Tejido": ["Lana"]}), ""),
        (json!({"supplier": ["Sur"]}), "p3"),
        (json!({"tags": ["verano"]}), "p3"),
        (json!({"discount": ["true"]}), "p4"),
        (json!({"discount": ["false"], "rating": {"min": 4}}), "p1"),
        (json!({"feature_num": {"min": 2.5, "max": 2.5}}), "p3"),
    ] {
        let found = shop
            .search(&json!({"filters": filters, "sort": "sales"}))
            .ok();
        assert_eq!(ids(&found), expected, "{filters}");
    }
}

#[test]
fn an_unknown_field_is_rejected_with_a_list_of_valid_ones() {
    let shop = shirts();
    let filters =
        json!({"attributes.3": ["x"], "color": ["x"], "suplier": ["x"], "price": {"min": 1}});
    let error = shop
        .search(&json!({"filters": filters}))
        .error(400, "invalid_request");
    assert_eq!(
        error.fields(),
        ["filters.attributes.3", "filters.color", "filters.suplier"]
    );
    let reason = |at: usize| {
        error.json["errors"][at]["reason"]
            .as_str()
            .unwrap_or_default()
    };
    assert!(
        reason(2).contains("did you mean \"supplier\""),
        "{}",
        reason(2)
    );
    for name in [
        "attributes.1 (Talla)",
        "attributes.2 (Color)",
        "features.Tejido",
        "tags",
        "feature_num",
    ] {
        assert!(reason(1).contains(name), "{name}: {}", reason(1));
    }
    assert!(!reason(1).contains("categories"), "{}", reason(1));
}

#[test]
fn counts_ignore_their_own_selection_and_honour_the_others() {
    let shop = shirts();
    let all = shop.search(&json!({"q": "camiseta"})).ok();
    assert_eq!(
        facet(&all, "attributes.1").as_deref(),
        Some("Talla: L 2, M 2")
    );
    assert_eq!(
        facet(&all, "features.Tejido").as_deref(),
        Some("Tejido: Algodón 2")
    );
    assert_eq!(
        facet(&all, "discount").as_deref(),
        Some("Ofertas: Con descuento 1, Sin descuento 3")
    );
    assert_eq!(facet(&all, "tags"), None);
    let filters = json!({"attributes.2": ["Rojo"], "tags": ["verano", "invierno"]});
    let red = shop
        .search(&json!({"q": "camiseta", "filters": filters}))
        .ok();
    assert_eq!(ids(&red), "p3");
    assert_eq!(
        facet(&red, "attributes.2").as_deref(),
        Some("Color: Rojo* 1")
    );
    assert_eq!(facet(&red, "attributes.1").as_deref(), Some("Talla: L 1"));
    assert_eq!(
        facet(&red, "tags").as_deref(),
        Some("Etiquetas: verano* 1, invierno* 0")
    );
    let colours = shop
        .search(&json!({"filters": {"attributes.2": ["Azul"], "attributes.1": ["L"]}}))
        .ok();
    assert_eq!(
        facet(&colours, "attributes.2").as_deref(),
        Some("Color: Rojo 2, Azul* 0")
    );
    assert_eq!(
        facet(&colours, "attributes.1").as_deref(),
        Some("Talla: M 1, L* 0")
    );
}

#[test]
fn the_15_most_frequent_groups_are_shown() {
    let shop = Shop::open();
    let documents: Vec<Value> = (1..=20)
        .map(|at| {
            let mut document = product(&format!("p{at}"), "Camiseta");
            let groups = (at..=20).flat_map(|group| {
                // Two values of a group in one product count once.
                ["a", "b"].map(|value| json!({"featureId": group.to_string(), "feature": format!("F{group}"), "value": value}))
            });
            document["features"] = json!(groups.collect::<Vec<_>>());
            document
        })
        .collect();
    shop.bulk("products", "es", &json!(documents)).ok();
    crate::harness::eventually("all are found", || shop.products("es").len() == 20);
    let found = shop.search(&json!({"q": "camiseta"})).ok();
    let facets = found.data()["facets"].as_array().expect("a list");
    let fields = facets.iter().filter_map(|facet| facet["field"].as_str());
    let groups: Vec<&str> = fields
        .filter(|field| field.starts_with("features."))
        .collect();
    assert_eq!(groups.len(), 15);
    assert_eq!((groups[0], groups[14]), ("features.20", "features.6"));
    assert_eq!(facet(&found, "features.6").as_deref(), Some("F6: a 6, b 6"));
    let none = shop
        .search(&json!({"filters": {"features.1": ["b"], "features.2": ["a"]}}))
        .ok();
    assert_eq!(facet(&none, "features.2").as_deref(), Some("F2: a* 1, b 1"));
}

#[test]
fn every_sort_has_its_order() {
    let shop = shirts();
    for (sort, expected) in [
        ("newest", "p4 p2 p3 p1"),
        ("sales", "p3 p1 p2 p4"),
        ("rating", "p1 p2 p3 p4"),
        ("name", "p1 p2 p3 p4"),
    ] {
        assert_eq!(
            ids(&shop.search(&json!({"sort": sort})).ok()),
            expected,
            "{sort}"
        );
    }
}
