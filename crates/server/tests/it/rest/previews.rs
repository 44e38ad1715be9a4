//! 1. A read key previews, explains, checks imports and lists watched queries; nothing is saved, and what writes is 403.
//! 2. Keys of pages and connectors are 401.

use crate::harness::{Shop, product};
use serde_json::json;

#[test]
fn a_read_key_tries_and_does_not_write() {
    let shop = Shop::with_products("es", &json!([product("1", "Silla"), product("2", "Mesa")]));
    let group = json!({"language": "es", "terms": ["asiento", "silla"]});
    let draft = json!({"synonyms": {"create": [group]}});
    let send = |key: &str, path: &str, body: &serde_json::Value| {
        let path = format!("/stores/{}{path}", shop.store);
        shop.api("POST", &path).key(key).json(body).send()
    };
    let body = json!({"q": "asiento", "draft": draft});
    let preview = send(&shop.read_key, "/preview", &body).ok();
    assert_eq!(
        (&preview.data()["total"], &preview.data()["savedTotal"]),
        (&json!(1), &json!(0))
    );
    assert_eq!(preview.header("x-config-revision"), "");
    let explained = json!({"q": "silla", "ids": ["2"]});
    let explained = send(&shop.read_key, "/preview/explain", &explained).ok();
    assert_eq!(explained.data()[0]["code"], "no_word");
    let csv = json!({"language": "es", "csv": "tele, televisor\nuno"});
    let checked = send(&shop.read_key, "/synonyms/check", &csv).ok();
    assert_eq!(
        (
            &checked.data()["created"],
            &checked.data()["errors"][0]["line"]
        ),
        (&json!(1), &json!(2))
    );
    assert_eq!(shop.own("GET", "/synonyms").send().ok().data(), &json!([]));
    assert_eq!(shop.own("GET", "/revisions").send().ok().data(), &json!([]));
    let changes = json!({"draft": draft, "ifMatch": {}});
    send(&shop.read_key, "/changes", &changes).error(403, "scope_missing");
    for key in [&shop.public, &shop.connector] {
        send(key, "/preview", &body).error(401, "key_kind");
    }
}
