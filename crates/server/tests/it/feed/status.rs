//! 1. A paused store serves searches and reads of the feed; every write of the feed is 403.
//! 2. A suspended store serves neither; its configuration can still be read and written.
//! 3. Once it is active again, everything is as before.

use crate::harness::{Reply, Shop, product};
use domain::store::StoreStatus;
use operations::stores::StoreSettings;
use serde_json::{Value, json};
use server::admin::AdminRequest;

fn set(shop: &Shop, status: StoreStatus) {
    shop.admin(AdminRequest::SetStore {
        store: shop.store.clone(),
        settings: StoreSettings {
            status: Some(status),
            ..StoreSettings::default()
        },
    });
}

/// Every write of the feed, with a body that is valid.
fn writes(run: &str) -> Vec<(String, Value)> {
    let scope = json!({"type": "products", "language": "es", "sent": 0, "touched": 0});
    [
        (
            "/feed/indices",
            json!({"types": ["products"], "languages": [{"code": "es"}]}),
        ),
        ("/feed/public-key", json!({"instanceId": "test"})),
        ("/feed/currencies", json!({"base": "EUR", "currencies": []})),
        ("/feed/price-tiers", json!({"tiers": []})),
        ("/feed/price-countries", json!({"countries": []})),
        ("/feed/access-groups", json!({"enabled": false})),
        (
            "/feed/products/bulk",
            json!({"language": "es", "documents": [product("2", "x")]}),
        ),
        ("/feed/products/delete", json!({"ids": ["1"]})),
        ("/feed/products/clear", json!({})),
        (
            "/feed/runs",
            json!({"clientRunId": "b", "mode": "full", "types": ["products"], "languages": ["en"]}),
        ),
        (
            "/feed/touch",
            json!({"runId": run, "type": "products", "language": "es",
                   "items": [{"id": "1", "hash": ""}]}),
        ),
        ("/feed/runs/RUN/close", json!({"scopes": [scope]})),
        ("/feed/runs/RUN/abort", json!({})),
    ]
    .into_iter()
    .map(|(path, body)| (path.replace("RUN", run), body))
    .collect()
}

#[test]
fn the_status_of_a_store_decides_what_is_served() {
    let shop = Shop::open();
    shop.bulk("products", "es", &json!([product("1", "Bota")]))
        .ok();
    shop.until_found("es", &["1"]);
    let run = super::calls::opened(&shop, "a");
    let reads = [
        "/feed/connect".to_owned(),
        "/feed/plan".to_owned(),
        format!("/feed/runs/{run}"),
    ];
    let search = || shop.search(&json!({"q": "bota"}));
    let assert_suspended = |reply: Reply| reply.error(403, "store_suspended");

    set(&shop, StoreStatus::Paused);
    for (path, body) in writes(&run) {
        assert_suspended(shop.feed("POST", &path).json(&body).send());
    }
    for path in &reads {
        shop.feed("GET", path).send().ok();
    }
    search().ok();
    assert_eq!(shop.own("GET", "").send().ok().data()["status"], "paused");

    set(&shop, StoreStatus::Suspended);
    for (path, body) in writes(&run) {
        assert_suspended(shop.feed("POST", &path).json(&body).send());
    }
    for path in &reads {
        assert_suspended(shop.feed("GET", path).send());
    }
    assert_suspended(search());
    shop.own("PUT", "/relevance")
        .json(&json!({"boosts": {"name": 7}}))
        .send()
        .ok();

    set(&shop, StoreStatus::Active);
    shop.until_found("es", &["1"]);
    let view = super::calls::view(&shop, &run);
    assert_eq!(view.data()["state"], "open");
}
