//! 1. A server whose stores are open is ready, and says that storage responds.
//! 2. It stays ready while storage does not respond, and says so in the body and in the metrics; requests that need
//!    storage are 503.

use crate::harness::Shop;
use serde_json::json;

#[test]
fn storage_that_does_not_respond_is_reported() {
    let shop = Shop::open();
    let get = |path: &str| shop.client.call("GET", path).send().ok();
    let metric = |name: &str| {
        let text = shop.client.call("GET", "/metrics").send().text;
        let mut lines = text.lines().filter_map(|line| line.strip_prefix(name));
        lines.next().map(|value| value.trim().to_owned())
    };
    let up = json!({"status": "ready", "storage": "up"});
    assert_eq!(get("/readyz").data(), &up);
    assert_eq!(metric("findwell_storage_up ").as_deref(), Some("1"));
    assert!(metric("findwell_stopped_feeds ").is_some());

    shop.block_on(shop.running().service().close());
    let down = json!({"status": "ready", "storage": "down"});
    assert_eq!(get("/readyz").data(), &down);
    get("/healthz");
    assert_eq!(metric("findwell_storage_up ").as_deref(), Some("0"));
    assert_eq!(metric("findwell_stopped_feeds "), None);
    assert!(metric("findwell_open_indexes ").is_some());
    let refused = shop
        .own("GET", "/revisions")
        .send()
        .error(503, "unavailable");
    assert_ne!(refused.header("retry-after"), "");
}
