//! 1. A complete source with half the products is `held`; the next one with all is `ok` without a release, nothing is
//!    lost. A released purge ends that too.
//! 2. With more than a tenth of the rows rejected the source is `failing` and nothing is removed, and then the former file
//!    is read again.
//! 3. A source that adds removes nothing.
//! 4. A paused store rests; `--no-sources` is `inactive` with `disabled`.

use super::{Desk, csv};
use crate::harness::Shop;
use domain::Role;
use serde_json::json;

#[test]
fn a_large_removal_waits_for_the_owner_or_the_next_file() {
    let desk = Desk::new();
    desk.server.sends(&csv(0, 120, "10"), "ETag: \"all\"\r\n");
    let id = desk.create(&json!({}));
    desk.until_fetched(&id, 1);
    desk.until_products(120);
    desk.server.sends(&csv(0, 60, "11"), "ETag: \"half\"\r\n");
    let fetched = desk.fetch(&id);
    assert_eq!(fetched["outcome"], "held");
    assert_eq!(fetched["result"]["held"]["wouldPurge"], 60);
    assert_eq!(desk.source(&id)["state"], "held");
    assert_eq!(desk.products(), 120);
    desk.server.sends(&csv(0, 120, "10"), "ETag: \"all\"\r\n");
    assert_eq!(desk.fetch(&id)["outcome"], "updated");
    assert_eq!(desk.source(&id)["state"], "ok");
    assert_eq!(desk.products(), 120);

    desk.server.sends(&csv(0, 60, "11"), "ETag: \"half\"\r\n");
    let held = desk.fetch(&id);
    assert_eq!(held["outcome"], "held");
    let run = held["result"]["held"]["runId"].as_str().expect("a run");
    let path = desk.shop.of_store(&format!("/runs/{run}/release"));
    desk.shop.by(&desk.owner, "POST", &path).send().ok();
    assert_eq!(desk.source(&id)["state"], "ok");
    desk.until_products(60);
}

#[test]
fn many_rejected_rows_remove_nothing() {
    let desk = Desk::new();
    desk.server.sends(&csv(0, 20, "10"), "ETag: \"good\"\r\n");
    let id = desk.create(&json!({}));
    desk.until_fetched(&id, 1);
    let broken = format!("{}21,,10 EUR\n22,,10 EUR\n23,,10 EUR\n", csv(0, 10, "12"));
    desk.server.sends(&broken, "");
    let fetched = desk.fetch(&id);
    assert_eq!(
        (&fetched["outcome"], &fetched["code"]),
        (&json!("failed"), &json!("too_many_rejected"))
    );
    assert_eq!(fetched["result"]["rejected"][0]["code"], "name_missing");
    desk.until_products(20);
    // The former file has the version of the last success, and does not give what is stored now.
    desk.server.sends(&csv(0, 20, "10"), "ETag: \"good\"\r\n");
    let fetched = desk.fetch(&id);
    assert_eq!(fetched["outcome"], "updated", "{fetched}");
    assert_eq!(fetched["result"]["changed"], 10);
}

#[test]
fn a_source_that_adds_removes_nothing() {
    let desk = Desk::new();
    desk.server.sends(&csv(0, 5, "10"), "");
    let id = desk.create(&json!({"mode": "add"}));
    desk.until_fetched(&id, 1);
    desk.server.sends(&csv(5, 5, "10"), "");
    assert_eq!(desk.fetch(&id)["result"]["removed"], 0);
    desk.until_products(10);
}

#[test]
fn a_paused_store_and_a_server_without_sources_rest() {
    let desk = Desk::new();
    desk.server.sends(&csv(0, 1, "10"), "");
    let id = desk.create(&json!({}));
    desk.until_fetched(&id, 1);
    let details = desk.shop.of_store("/details");
    let pause = desk
        .shop
        .by(&desk.owner, "PUT", &details)
        .json(&json!({"status": "paused"}));
    pause.send().ok();
    desk.shop.clock.advance_ms(300 * super::MINUTE_MS);
    let seen = desk.server.requests().len();
    assert_eq!(seen, 1);

    let shop = Shop::open_with(|options| options.sources.enabled = false);
    let owner = shop.member("ana@shop.example", Role::Owner);
    let body = json!({"url": "https://shop.example/feed.csv"});
    let made = shop
        .by(&owner, "POST", &shop.of_store("/sources"))
        .json(&body)
        .send()
        .ok();
    assert_eq!(made.data()["state"], "inactive");
    assert_eq!(made.data()["code"], "disabled");
}
