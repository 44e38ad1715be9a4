//! 1. Any origin may search, errors can be read too, and a preflight allows it. The configuration allows no origin.
//! 2. No cache stores a response, with a visitor's token or without.

use crate::harness::{Call, Shop};
use serde_json::{Value, json};

const PATHS: [&str; 2] = ["/search", "/suggest"];

/// A request as a page of a shop sends it.
fn from_page<'a>(shop: &'a Shop, method: &'static str, path: &str) -> Call<'a> {
    shop.api(method, path)
        .header("Origin", "https://shop.example")
}

#[test]
fn any_origin_may_search() {
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
        let reply = from_page(&shop, "GET", path).send();
        let error = reply.error(401, "key_missing");
        assert_eq!(error.header("access-control-allow-origin"), "*");
    }
    let me = from_page(&shop, "GET", "/me").send();
    assert_eq!(me.header("access-control-allow-origin"), "");
}

#[test]
fn a_response_is_private() {
    let shop = Shop::open();
    for path in PATHS {
        let search = |body: Value| {
            let call = from_page(&shop, "POST", path).key(&shop.public);
            call.json(&body).send().ok()
        };
        let anonymous = search(json!({"q": "x"}));
        assert_eq!(anonymous.header("access-control-allow-origin"), "*");
        assert_eq!(anonymous.header("cache-control"), "no-store");
        let authenticated = search(json!({"q": "x", "visitor": "t"}));
        assert_eq!(authenticated.header("cache-control"), "no-store");
    }
}
