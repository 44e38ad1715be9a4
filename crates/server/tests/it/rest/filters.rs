//! 1. Filters are created, read, updated and deleted; a group that keeps its values keeps its key.
//! 2. A field has one filter (409), a store 64 (403); every error is reported with its path.
//! 3. A synchronisation creates filters for the automatic facets and keeps existing ones.
//! 4. Each write checks the precondition and is audited.

use crate::harness::{Reply, Shop, product};
use serde_json::{Value, json};

fn create(shop: &Shop, body: &Value) -> Reply {
    shop.own("POST", "/filters").json(body).send()
}

fn path_of(reply: &Reply) -> String {
    format!("/filters/{}", reply.data()["id"].as_str().expect("an id"))
}

fn latest_audit(shop: &Shop) -> Value {
    shop.audit(1)[0].clone()
}

fn fields(shop: &Shop) -> Vec<String> {
    let list = shop.own("GET", "/filters").send().ok();
    let filters = list.data().as_array().expect("a list");
    filters
        .iter()
        .map(|filter| filter["field"].as_str().expect("text").to_owned())
        .collect()
}

#[test]
fn filters_are_created_updated_and_deleted() {
    let shop = Shop::open();
    let price = create(&shop, &json!({"field": "price"})).ok();
    assert_eq!(price.status, 201);
    let data = price.data();
    assert_eq!(
        (&data["type"], &data["position"], &data["config"]),
        (&json!("range"), &json!(0), &json!({}))
    );
    assert!(data.get("label").is_none());

    let groups = json!([{"label": "Warm", "values": ["1", "2"]}, {"values": ["3"]}]);
    let body = json!({"field": "attributes.1", "label": {"es": "Color"}, "config": {"valueGroups": groups, "limit": 5}});
    let created = create(&shop, &body).ok();
    let path = path_of(&created);
    let keys: Vec<&Value> = (0..2)
        .map(|at| &created.data()["config"]["valueGroups"][at]["key"])
        .collect();
    assert!(keys[0].is_string() && keys[0] != keys[1]);
    let put = |body: Value| shop.own("PUT", &path).json(&body).send();
    let back = json!({"config": {"valueGroups": [{"values": ["3", "9"]}, {"label": "Hot", "values": ["2", "1"]}], "sort": "alpha"}});
    let config = put(back).ok().data()["config"].clone();
    assert_eq!(
        (
            &config["valueGroups"][1]["key"],
            &config["limit"],
            &config["sort"]
        ),
        (keys[0], &json!(5), &json!("alpha"))
    );
    assert_ne!(&config["valueGroups"][0]["key"], keys[1]);
    let cleared =
        put(json!({"label": null, "position": 3, "config": {"valueGroups": null, "limit": 7.0}}))
            .ok();
    assert_eq!(
        cleared.data()["config"],
        json!({"limit": 7, "sort": "alpha"})
    );
    assert!(cleared.data().get("label").is_none());

    assert_eq!(fields(&shop), ["price", "attributes.1"]);
    put(json!({"position": 0})).ok();
    shop.own("PUT", &path_of(&price))
        .json(&json!({"position": 1}))
        .send()
        .ok();
    assert_eq!(fields(&shop), ["attributes.1", "price"]);
    let read = shop.own("GET", &path).send().ok();
    let delete = |tag: &str| shop.own("DELETE", &path).header("If-Match", tag).send();
    delete(created.header("etag")).error(412, "precondition_failed");
    delete(read.header("etag")).ok();
    assert_eq!(latest_audit(&shop)["operation"], "delete_filter");
    for method in ["GET", "PUT", "DELETE"] {
        shop.own(method, &path).send().error(404, "not_found");
    }
}

#[test]
fn every_error_is_reported_with_its_path() {
    let shop = Shop::open();
    for (body, wrong) in [
        (json!({}), vec!["field"]),
        (json!({"field": "colour"}), vec!["field"]),
        (json!({"field": "price", "type": "list"}), vec!["type"]),
        (
            json!({"field": "price", "config": {"valueGroups": [{"values": ["1"]}]}}),
            vec!["config.valueGroups"],
        ),
        (
            json!({"field": "tags", "config": {"valueGroups": [{"values": ["1"]}, {"values": ["2", "1"]}]}}),
            vec!["config.valueGroups[1].values[1]"],
        ),
        (
            json!({"field": "tags", "label": {"spanish": "x", "es": ""}}),
            vec!["label.es", "label.spanish"],
        ),
        (
            json!({"field": "tags", "config": {"limit": 1001, "sort": "x"}}),
            vec!["config.limit", "config.sort"],
        ),
        (
            json!({"field": "tags", "position": 10001, "lable": {}}),
            vec!["lable", "position"],
        ),
    ] {
        let reply = create(&shop, &body).error(400, "invalid_request");
        let mut reported = reply.fields();
        reported.sort_unstable();
        assert_eq!(reported, wrong, "{body}");
    }
    let tags = create(&shop, &json!({"field": "tags"})).ok();
    for (body, field) in [
        (json!({"field": "price"}), "field"),
        (json!({"config": {"limit": 0}}), "config.limit"),
        (json!({"config": {"limit": "5"}}), "config.limit"),
        (json!({"config": null}), "config"),
        (json!({"position": null}), "position"),
    ] {
        let reply = shop.own("PUT", &path_of(&tags)).json(&body).send();
        assert_eq!(
            reply.error(400, "invalid_request").fields(),
            [field],
            "{body}"
        );
    }
}

#[test]
fn a_field_has_one_filter_and_a_store_at_most_64() {
    let shop = Shop::open();
    let first = create(&shop, &json!({"field": "features.0"})).ok();
    for at in 1..64 {
        create(&shop, &json!({ "field": format!("features.{at}") })).ok();
    }
    let again = create(&shop, &json!({"field": "features.0"})).error(409, "conflict");
    assert_eq!(again.json["details"]["id"], first.data()["id"]);
    let over = create(&shop, &json!({"field": "price"})).error(403, "plan_limit");
    assert_eq!(over.json["details"], json!({"max": 64}));
    shop.own("DELETE", &path_of(&first)).send().ok();
    create(&shop, &json!({"field": "price"})).ok();
}

#[test]
fn a_synchronisation_creates_filters_for_the_automatic_facets() {
    let shop = Shop::open();
    let sync = || shop.own("POST", "/filters/sync").send().ok();
    let with = |id: &str, groups: &[&str]| {
        let mut product = product(id, "Bota");
        let features = groups
            .iter()
            .map(|group| json!({"feature": group, "featureId": group, "value": "x"}));
        product["features"] = features.collect();
        product["manufacturer"] = json!("Nike");
        product["tags"] = json!(["t"]);
        product
    };
    shop.bulk(
        "products",
        "es",
        &json!([with("1", &["7", "8"]), with("2", &["8"])]),
    )
    .ok();
    shop.until_found("es", &["1", "2"]);
    create(
        &shop,
        &json!({"field": "manufacturer", "label": {"es": "Marca propia"}}),
    )
    .ok();

    let created = sync();
    let expected: Vec<String> = [
        "manufacturer",
        "price",
        "inStock",
        "features.8",
        "features.7",
    ]
    .map(str::to_owned)
    .into();
    let shown = fields(&shop);
    assert_eq!(
        created.data(),
        &json!({"created": shown.len() - 1, "kept": 1})
    );
    assert_eq!(shown, expected);
    assert_eq!(latest_audit(&shop)["operation"], "sync_filters");
    let again = sync();
    assert_eq!(again.data(), &json!({"created": 0, "kept": 5}));
    assert_eq!(
        again.header("x-config-revision"),
        created.header("x-config-revision")
    );
}
