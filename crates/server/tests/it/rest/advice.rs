//! 1. Synonym groups and rules that name what no document of their language has are saved with advice, in writes, dry runs
//!    and single reads; what is there gets none, lists have none, and the entity tag does not depend on it.
//! 2. A store without documents gives no advice, one without the language says so.
//! 3. Advice is not writable.
//! 4. Fields without content are named.

use crate::harness::{Shop, product};
use serde_json::{Value, json};

fn stocked() -> Shop {
    let mut chair = product("1", "Silla de roble");
    chair["manufacturer"] = json!("Norte");
    chair["attributes"] = json!([{"groupId": "2", "group": "Color", "id": "7", "value": "Rojo"}]);
    Shop::with_products("es", &json!([chair]))
}

fn rule(kind: &str, actions: Value) -> Value {
    json!({"name": "r", "language": "es", "type": kind, "actions": actions,
        "trigger": {"query": "silla", "match": "contains"}})
}

fn codes(data: &Value) -> Vec<(String, String)> {
    let advice = data["advice"].as_array().cloned().unwrap_or_default();
    let text = |one: &Value, key: &str| one[key].as_str().unwrap_or_default().to_owned();
    advice
        .iter()
        .map(|one| (text(one, "field"), text(one, "code")))
        .collect()
}

fn of(field: &str, code: &str) -> Vec<(String, String)> {
    vec![(field.to_owned(), code.to_owned())]
}

#[test]
fn what_no_document_has_gets_advice() {
    let shop = stocked();
    let boost = |field: &str, value: &str| json!({"boost": [{"field": field, "value": value, "weight": 2}]});
    for (kind, actions, expected) in [
        (
            "PIN",
            json!({"pin": ["1", "9"]}),
            of("actions.pin", "product_not_indexed"),
        ),
        (
            "HIDE",
            json!({"hide": ["8", "9"]}),
            of("actions.hide", "product_not_indexed"),
        ),
        ("PIN", json!({"pin": ["1"]}), Vec::new()),
        (
            "BOOST",
            boost("manufacturer", "norte"),
            of("actions.boost[0].value", "value_not_indexed"),
        ),
        ("BOOST", boost("manufacturer", "Norte"), Vec::new()),
        ("BOOST", boost("attributes.value", "Rojo"), Vec::new()),
        (
            "BOOST",
            boost("attributes.value", "Azul"),
            of("actions.boost[0].value", "value_not_indexed"),
        ),
        (
            "FILTER",
            json!({"filter": {"attributes.2": ["7"]}}),
            Vec::new(),
        ),
        (
            "FILTER",
            json!({"filter": {"attributes.2": ["70"]}}),
            of("actions.filter.attributes.2", "value_not_indexed"),
        ),
    ] {
        let reply = shop
            .own("POST", "/rules")
            .json(&rule(kind, actions.clone()))
            .send();
        assert_eq!(reply.status, 201, "{reply:?}");
        assert_eq!(codes(reply.data()), expected, "{kind} {actions}");
    }
    for (terms, expected) in [
        (json!(["asiento", "silla"]), Vec::new()),
        (json!(["zapato", "bota"]), of("terms", "terms_not_indexed")),
    ] {
        let group = json!({"language": "es", "terms": terms});
        let tried = shop
            .own("POST", "/synonyms?dryRun=true&impact=false")
            .json(&group)
            .send();
        assert_eq!(codes(tried.data()), expected);
        let saved = shop.own("POST", "/synonyms").json(&group).send();
        assert_eq!((saved.status, codes(saved.data())), (201, expected.clone()));
        let path = format!("/synonyms/{}", saved.data()["id"].as_str().expect("an id"));
        let read = shop.own("GET", &path).send().ok();
        assert_eq!(codes(read.data()), expected);
        assert_eq!(read.header("etag"), saved.header("etag"));
    }
    for list in ["/rules", "/synonyms"] {
        let listed = shop.own("GET", list).send().ok();
        assert!(!listed.text.contains("advice"), "{}", listed.text);
    }
}

#[test]
fn an_empty_store_gives_no_advice_but_on_languages() {
    let shop = Shop::open();
    let pin = rule("PIN", json!({"pin": ["9"]}));
    let reply = shop.own("POST", "/rules").json(&pin).send();
    assert_eq!((reply.status, codes(reply.data())), (201, Vec::new()));
    let mut french = pin;
    french["language"] = json!("fr");
    let reply = shop.own("POST", "/rules").json(&french).send();
    assert_eq!(codes(reply.data()), of("language", "language_missing"));
}

#[test]
fn advice_is_not_writable() {
    let shop = stocked();
    let mut pin = rule("PIN", json!({"pin": ["9"]}));
    let saved = shop.own("POST", "/rules").json(&pin).send();
    let path = format!("/rules/{}", saved.data()["id"].as_str().expect("an id"));
    let back = json!({"name": "s", "advice": saved.data()["advice"]});
    let reply = shop.own("PUT", &path).json(&back).send();
    assert_eq!(reply.error(400, "invalid_request").fields(), ["advice"]);
    pin["advice"] = json!([]);
    let reply = shop.own("POST", "/rules").json(&pin).send();
    assert_eq!(reply.error(400, "invalid_request").fields(), ["advice"]);
}

#[test]
fn fields_without_content_are_named() {
    let relevance = |shop: &Shop| shop.own("GET", "/relevance").send().ok().data().clone();
    assert_eq!(relevance(&Shop::open())["unfilledFields"], json!([]));
    let found = relevance(&stocked());
    let unfilled = found["unfilledFields"].as_array().expect("names");
    assert!(unfilled.contains(&json!("supplier")), "{found}");
    assert!(!unfilled.contains(&json!("manufacturer")), "{found}");
    assert!(
        found["advice"].to_string().contains("not_filled"),
        "{found}"
    );
}
