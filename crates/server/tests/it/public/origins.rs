//! 1. Any origin may ask; a preflight says so, and refusals can be read too. The configuration is for no origin.
//! 2. An answer is kept by no cache, with a visitor's token and without.

use crate::harness::{Call, Shop};
use serde_json::{Value, json};

const PATHS: [&str; 2] = ["/search", "/suggest"];

/// A request as a page of a shop sends it.
fn from_page<'a>(shop: &'a Shop, method: &'static str, path: &str) -> Call<'a> {
    shop.api(method, path)
        .header("Origin", "https://shop.example")
}

#[test]
fn any_origin_may_ask() {
    let shop = Shop::open();
    for path in PATHS {
        let preflight = from_page(&shop, "OPTIONS", path)
            .header("Access-Control-Request-Method", "POST")
            .header("Access-Control-Request-Headers", "content-type,x-api-key")
            .send();
        assert_eq!(preflight.status, 200);
        assert_eq!(preflight.header("access-control-allow-origin"), "*");
        let headers = preflight.header("access-control-allow-headers");
        assert!(headers.contains("x-api-key"), "{headers}");
        let methods = preflight.header("access-control-allow-methods");
        assert!(methods.contains("POST"), "{methods}");
        let refused = from_page(&shop, "GET", path).send();
        let refused = refused.refused(401, "key_missing");
        assert_eq!(refused.header("access-control-allow-origin"), "*");
    }
    let me = from_page(&shop, "GET", "/me").send();
    assert_eq!(me.header("access-control-allow-origin"), "");
}

#[test]
fn an_answer_is_for_one() {
    let shop = Shop::open();
    for path in PATHS {
        let ask = |body: Value| {
            let call = from_page(&shop, "POST", path).key(&shop.public);
            call.json(&body).send().ok()
        };
        let anonymous = ask(json!({"q": "x"}));
        assert_eq!(anonymous.header("access-control-allow-origin"), "*");
        assert_eq!(anonymous.header("cache-control"), "no-store");
        let known = ask(json!({"q": "x", "visitor": "t"}));
        assert_eq!(known.header("cache-control"), "no-store");
    }
}
