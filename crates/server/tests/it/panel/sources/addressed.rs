//! Files that are imported from an address.
//!
//! 1. An owner gives an address: the file is fetched, previewed and imported, and the run says who did it; an editor may
//!    not, and an address that is refused is named.
//! 2. A fetch that fails says why; a cancelled one leaves no file.
//! 3. Credentials are sent, and shown nowhere.
//! 4. Imports of the panel and of sources are counted, and runs say what opened them.

use super::{Desk, csv};
use crate::harness::{Reply, Shop, eventually};
use domain::Role;
use serde_json::{Value, json};

impl Desk {
    fn give(&self, body: &Value) -> Reply {
        let path = self.shop.of_store("/imports");
        self.shop.by(&self.owner, "POST", &path).json(body).send()
    }

    fn import(&self, id: &str) -> Value {
        let path = self.shop.of_store(&format!("/imports/{id}"));
        // A user has 600 requests a minute of the test's own clock.
        self.shop.clock.advance_ms(200);
        self.shop
            .by(&self.owner, "GET", &path)
            .send()
            .ok()
            .data()
            .clone()
    }

    fn until_import(&self, id: &str, state: &str) -> Value {
        eventually(state, || self.import(id)["state"] == state);
        self.import(id)
    }

    fn start(&self, id: &str, complete: bool) {
        let path = self.shop.of_store(&format!("/imports/{id}/start"));
        let body = json!({"type": "products", "language": "es", "complete": complete});
        self.shop
            .by(&self.owner, "POST", &path)
            .json(&body)
            .send()
            .ok();
    }
}

fn id(reply: &Reply) -> String {
    reply.data()["id"].as_str().expect("an id").to_owned()
}

#[test]
fn an_address_becomes_products() {
    let desk = Desk::new();
    desk.server.sends(&csv(0, 3, "10"), "");
    let url = desk.server.address("/products.csv?token=1");
    let given = desk.give(&json!({ "url": url })).ok();
    assert_eq!(given.status, 201);
    let import = id(&given);
    let ready = desk.until_import(&import, "ready");
    assert_eq!(
        (&ready["name"], &ready["url"]),
        (&json!("products.csv"), &json!(url))
    );
    assert_eq!(ready["result"]["documents"], 3);
    desk.start(&import, true);
    desk.until_import(&import, "done");
    desk.until_products(3);
    let runs = desk
        .shop
        .by(&desk.owner, "GET", &desk.shop.of_store("/runs"))
        .send()
        .ok();
    assert_eq!(runs.data()[0]["origin"], "import");
    assert_eq!(runs.data()[0]["by"]["name"], "ana");
    let metrics = desk.shop.client.call("GET", "/metrics").send().text;
    assert!(
        metrics.contains("findwell_imports_total{outcome=\"updated\"} 1"),
        "{metrics}"
    );
    assert!(
        metrics.contains("findwell_import_rows_total{outcome=\"accepted\"} 3"),
        "{metrics}"
    );

    desk.server.sends(&csv(0, 4, "10"), "");
    let source = desk.create(&json!({}));
    desk.until_fetched(&source, 1);
    let runs = desk
        .shop
        .by(&desk.owner, "GET", &desk.shop.of_store("/runs"))
        .send()
        .ok();
    assert_eq!(runs.data()[0]["origin"], "source");
}

#[test]
fn who_may_and_what_may_not_be_fetched() {
    let desk = Desk::new();
    let eve = desk.shop.member("eve@shop.example", Role::Editor);
    let body = json!({"url": "https://shop.example/feed.csv"});
    let path = desk.shop.of_store("/imports");
    let call = desk.shop.by(&eve, "POST", &path).json(&body);
    call.send().error(403, "role_missing");
    for (body, path) in [
        (json!({"url": "http://10.0.0.1/feed.csv"}), "url"),
        (json!({"url": "ftp://shop.example/"}), "url"),
        (
            json!({"url": "https://shop.example/", "auth": {"kind": "basic", "user": "a"}}),
            "auth.password",
        ),
        (json!({}), "url"),
    ] {
        let wrong = desk.give(&body).error(400, "invalid_request");
        assert_eq!(wrong.fields(), [path], "{body}");
    }
    let shop = Shop::open_with(|options| options.sources.enabled = false);
    let ana = shop.member("ana@shop.example", Role::Owner);
    let body = json!({"url": "https://shop.example/feed.csv"});
    let call = shop
        .by(&ana, "POST", &shop.of_store("/imports"))
        .json(&body);
    call.send().error(409, "conflict");
}

#[test]
fn a_fetch_that_fails_says_why() {
    let desk = Desk::new();
    desk.server
        .sends_raw("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    let auth = json!({"kind": "header", "name": "X-Key", "value": "s3cret-word"});
    let url = desk.server.address("/feed.csv");
    let import = id(&desk.give(&json!({"url": url, "auth": auth})).ok());
    let failed = desk.until_import(&import, "failed");
    assert_eq!(failed["error"]["code"], "http_status", "{failed}");
    assert!(
        failed["error"]["translatable"]["key"].is_string(),
        "{failed}"
    );
    assert!(!failed.to_string().contains("s3cret"), "{failed}");
    assert!(desk.server.requests()[0].contains("x-key: s3cret-word"));

    desk.server
        .sends_raw("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nid,title\n1,Bota\n");
    desk.server.stalls();
    let import = id(&desk.give(&json!({ "url": url })).ok());
    eventually("a part arrives", || {
        desk.import(&import)["progress"]["bytes"].as_u64() > Some(0)
    });
    let path = desk.shop.of_store(&format!("/imports/{import}/cancel"));
    desk.shop.by(&desk.owner, "POST", &path).send().ok();
    assert_eq!(desk.import(&import)["state"], "cancelled");
    let files = || {
        std::fs::read_dir(desk.shop.dir().join("imports"))
            .expect("a folder")
            .count()
    };
    eventually("no file is left", || files() == 0);
}
