//! 1. Every request in `docs/examples/feed` succeeds, and its response has the shape of the example beside it.

use crate::harness::Shop;
use operations::stores::StoreSettings;
use serde_json::Value;
use server::admin::AdminRequest;
use std::path::Path;

fn example(name: &str) -> Value {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/examples/feed");
    let path = folder.join(format!("{name}.json"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Asserts that every key of `wanted` exists with a value of its type; of lists the first items are compared.
fn same_shape(path: &str, expected: &Value, got: &Value) {
    match (expected, got) {
        (Value::Object(expected), Value::Object(got)) => {
            for (key, value) in expected {
                let found = got
                    .get(key)
                    .unwrap_or_else(|| panic!("{path}.{key} is missing"));
                same_shape(&format!("{path}.{key}"), value, found);
            }
        }
        (Value::Array(expected), Value::Array(got)) => {
            if let (Some(expected), Some(got)) = (expected.first(), got.first()) {
                same_shape(&format!("{path}[0]"), expected, got);
            }
            assert_eq!(expected.is_empty(), got.is_empty(), "{path}");
        }
        (expected, got) => assert_eq!(
            std::mem::discriminant(expected),
            std::mem::discriminant(got),
            "{path}: {got}"
        ),
    }
}

fn shop() -> Shop {
    let shop = Shop::open();
    let plan = example("plan.response");
    let mut plan = plan.as_object().expect("an object").clone();
    plan.remove("usage");
    shop.admin(AdminRequest::SetStore {
        store: shop.store.clone(),
        settings: StoreSettings {
            plan: Some(serde_json::from_value(Value::Object(plan)).expect("a plan")),
            ..StoreSettings::default()
        },
    });
    shop
}

#[test]
fn the_examples_succeed_with_the_documented_responses() {
    let shop = shop();
    let post = |path: &str, name: &str| {
        let request = example(&format!("{name}.request"));
        let reply = shop.feed("POST", path).json(&request).send().ok();
        same_shape(name, &example(&format!("{name}.response")), reply.data());
        reply
    };
    let connected = shop.feed("GET", "/feed/connect").send().ok();
    same_shape("connect", &example("connect.response"), connected.data());
    assert_eq!(
        connected.data()["capabilities"],
        example("connect.response")["capabilities"]
    );
    post("/feed/indices", "indices");
    let key = post("/feed/public-key", "public-key");
    assert_eq!(
        key.data()["instanceId"],
        example("public-key.request")["instanceId"]
    );
    for name in [
        "currencies",
        "price-tiers",
        "price-countries",
        "access-groups",
    ] {
        let declared = post(&format!("/feed/{name}"), name);
        for figure in ["accepted", "used", "max"] {
            let expected = example(&format!("{name}.response"))[figure].clone();
            assert_eq!(declared.data()[figure], expected, "{name}");
        }
    }
    let bulk = post("/feed/products/bulk", "bulk");
    assert_eq!(
        bulk.data()["accepted"],
        example("bulk.response")["accepted"]
    );
    let plan = shop.feed("GET", "/feed/plan").send().ok();
    same_shape("plan", &example("plan.response"), plan.data());

    let run = post("/feed/runs", "runs").data()["runId"].clone();
    let run = run.as_str().expect("a run");
    let mut touch = example("touch.request");
    touch["runId"] = run.into();
    let touched = shop.feed("POST", "/feed/touch").json(&touch).send().ok();
    assert_eq!(touched.data(), &example("touch.response"));
    post(&format!("/feed/runs/{run}/close"), "close");
    post("/feed/products/delete", "delete");
    post("/feed/products/clear", "clear");
}
