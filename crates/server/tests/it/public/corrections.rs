//! 1. Where no product is found, another query that finds some is proposed, with its reason; the hits stay empty. The
//!    simulator proposes the same.
//! 2. Nothing is proposed where products are found, where products were not searched, under filters that nothing passes, or
//!    out of documents that the shopper may not see.
//! 3. A second search with `correctionOf` is not counted; the query as typed is, once, and events count for it.

use crate::harness::{Shop, eventually, product};
use serde_json::{Value, json};

fn stocked() -> Shop {
    let shop = Shop::open();
    let names = [
        ("t", "Tent"),
        ("n", "Fishing net"),
        ("l", "Desk lamp"),
        ("b", "Bull terrier leash, red"),
        ("o", "Thermos"),
    ];
    let mut documents: Vec<Value> = names.map(|(id, name)| product(id, name)).into();
    let mut secret = product("s", "Zamarra");
    secret["accessGroups"] = json!(["4"]);
    documents.push(secret);
    let groups =
        json!({"enabled": true, "visitorGroup": "1", "groups": [{"id": "1"}, {"id": "4"}]});
    shop.feed("POST", "/feed/access-groups")
        .json(&groups)
        .send()
        .ok();
    shop.bulk("products", "en", &json!(documents)).ok();
    eventually("the products are found", || shop.products("en").len() == 5);
    shop
}

fn search(shop: &Shop, request: Value) -> Value {
    let mut request = request;
    request["lang"] = json!("en");
    shop.search(&request).ok().data().clone()
}

#[test]
fn another_query_is_proposed() {
    let shop = stocked();
    for (q, text, reason) in [
        ("tnet", "tent", "spelling"),
        ("xamp", "lamp", "spelling"),
        ("the rmos", "thermos", "joined"),
        ("redbull", "red bull", "split"),
        ("desk purple unicorn wheel", "desk", "fewerWords"),
    ] {
        let found = search(&shop, json!({"q": q}));
        let proposed = json!({"text": text, "reason": reason});
        assert_eq!(found["products"]["total"], 0, "{q}");
        assert_eq!(found["correctedQuery"], proposed, "{q}");
        assert!(search(&shop, json!({"q": text}))["products"]["total"].as_u64() > Some(0));
        let test = json!({"q": q, "lang": "en"});
        let tested = shop.own("POST", "/relevance/test").json(&test).send().ok();
        assert_eq!(tested.data()["query"]["correctedQuery"], proposed, "{q}");
    }
}

#[test]
fn nothing_is_proposed_without_need_or_right() {
    let shop = stocked();
    for request in [
        json!({"q": "tent"}),
        json!({"q": "tnet", "types": ["categories"]}),
        json!({"q": "tnet", "filters": {"inStock": ["false"]}}),
        json!({"q": "zaamrra"}),
        json!({"q": "qqqqqq"}),
        json!({"q": "!?"}),
        json!({"q": "7654321"}),
    ] {
        let found = search(&shop, request.clone());
        assert!(found.get("correctedQuery").is_none(), "{request}: {found}");
    }
    let none = json!({"searchSettings": {"fuzziness": "0"}});
    shop.own("PUT", "/relevance").json(&none).send().ok();
    assert!(
        search(&shop, json!({"q": "tnet"}))
            .get("correctedQuery")
            .is_none()
    );
}

#[test]
fn the_query_as_typed_is_counted_once() {
    let shop = stocked();
    let first = search(&shop, json!({"q": "tnet", "sessionId": "s1"}));
    let of = &first["queryId"];
    let second = search(
        &shop,
        json!({"q": "tent", "sessionId": "s1", "correctionOf": of}),
    );
    assert_eq!(second["products"]["total"], 1);
    let click = json!({"queryId": second["queryId"], "type": "click", "id": "t", "position": 1});
    shop.api("POST", "/events")
        .key(&shop.public)
        .json(&click)
        .send()
        .ok();
    shop.write_search_log();
    let listed = shop.own("GET", "/analytics/queries?kind=top").send().ok();
    let queries = listed.data().as_array().expect("queries");
    assert_eq!(queries.len(), 1, "{queries:?}");
    assert_eq!(queries[0]["query"], "tnet");
    assert_eq!(
        (&queries[0]["searches"], &queries[0]["clicks"]),
        (&json!(1), &json!(1))
    );
}
