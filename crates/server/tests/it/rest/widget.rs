//! 1. `features` merge, the other maps are replaced, null unsets; unset values show their defaults.
//! 2. Unknown keys are 400, `customJS` and `customCSS` 403; styles and addresses are rejected.
//! 3. Each write is audited with its fields before and after.

use crate::harness::{Reply, Shop};
use serde_json::{Value, json};

fn put(shop: &Shop, body: &Value) -> Reply {
    shop.own("PUT", "/widget").json(body).send()
}

#[test]
fn features_merge_and_the_other_maps_are_replaced() {
    let shop = Shop::open();
    let usual = shop.own("GET", "/widget").send().ok();
    let features = json!({
        "displayMode": "overlay", "filters": true, "showBrand": true, "minChars": 2, "livePricing": false, "themeCards": false,
        "recentSearches": true, "popularQueries": true, "analytics": true, "layoutSwitch": false,
        "sorts": "relevance,price_asc,price_desc,name,newest,sales,rating"
    });
    let expected =
        json!({"theme": "light", "layout": "grid", "position": "top", "features": features});
    assert_eq!(usual.data(), &expected);

    let body = json!({"colors": {"a": "red", "b": "#fff"}, "features": {"minChars": 3}, "layout": "list",
                      "defaultSearch": {"sort": "sales"}, "translations": {"es": {"placeholder": "Buscar"}}});
    put(&shop, &body).ok();
    let next = put(
        &shop,
        &json!({"colors": {"a": "blue"}, "features": {"showBrand": false}, "defaultSearch": null}),
    )
    .ok();
    let data = next.data();
    assert_eq!(
        (&data["colors"], &data["layout"]),
        (&json!({"a": "blue"}), &json!("list"))
    );
    assert_eq!(
        (
            &data["features"]["minChars"],
            &data["features"]["showBrand"]
        ),
        (&json!(3), &json!(false))
    );
    assert!(data.get("defaultSearch").is_none());
    assert_eq!(data["translations"]["es"]["placeholder"], "Buscar");
    assert_eq!(shop.own("GET", "/widget").send().ok().data(), data);

    let record = shop.audit(1)[0].clone();
    assert_eq!(
        (&record["operation"], &record["resource"]),
        (&json!("update_widget"), &json!("widget"))
    );
    let colour = json!({"path": "colors.a", "before": "red", "after": "blue"});
    assert!(
        record["changes"]
            .as_array()
            .expect("a list")
            .contains(&colour),
        "{record}"
    );
}

#[test]
fn unknown_and_reserved_keys_are_rejected() {
    let shop = Shop::open();
    for (body, fields) in [
        (json!({"colours": {}}), vec!["colours"]),
        (
            json!({"layout": "table", "theme": null}),
            vec!["layout", "theme"],
        ),
        (
            json!({"colors": {"a": "url(//evil.example/x)"}, "typography": {"f": "a;b"}}),
            vec!["colors.a", "typography.f"],
        ),
        (
            json!({"features": {"minChars": 0, "displayMode": "modal"}}),
            vec!["features.displayMode", "features.minChars"],
        ),
        (json!({"features": null}), vec!["features"]),
        (
            json!({"features": {"analytics": "no", "sorts": "price"}, "defaultSearch": {"limit": 49, "sort": "best"}}),
            vec![
                "defaultSearch.limit",
                "defaultSearch.sort",
                "features.analytics",
                "features.sorts",
            ],
        ),
        (
            json!({"translations": {"es": {"a": 3}}}),
            vec!["translations.es.a"],
        ),
    ] {
        let reply = put(&shop, &body).error(400, "invalid_request");
        let mut reported = reply.fields();
        reported.sort_unstable();
        assert_eq!(reported, fields, "{body}");
    }
    for reserved in ["customJS", "customCSS"] {
        let reply = put(&shop, &json!({(reserved): "x", "layout": "table"})).error(403, "reserved");
        assert_eq!(reply.fields(), [reserved]);
    }
    assert_eq!(
        shop.own("GET", "/revisions").send().ok().json["meta"]["total"],
        0
    );
}
