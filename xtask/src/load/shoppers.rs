//! Shoppers, who search and get suggestions; popular words and shops are more frequent.

use super::World;
use super::record::Records;
use super::shop::Shop;
use evaluation::choices::Choices;
use serde_json::json;

/// Searches until the load is over.
pub fn search(world: &World, at: usize, of: usize) -> Records {
    let mut choices = Choices::new(1_000 + at);
    let mut records = Records::default();
    let sender = world.sender(at);
    let mut pace = world.pace(world.rate, at, of);
    while let Some(due) = pace.wait() {
        let shop = &world.shops[choices.ranked(world.shops.len())];
        let language = shop.languages[choices.below(shop.languages.len())];
        let mut body = json!({"q": Shop::query(&mut choices), "lang": language, "limit": 24});
        match choices.below(8) {
            0 => body["sort"] = json!("price_asc"),
            1 => body["filters"] = json!({"price": {"max": 100}}),
            2 => body["page"] = json!(2),
            _ => {}
        }
        let sent = sender.send("POST", "/search", &shop.public, &body);
        records.add("search", sent.status, pace.since(due));
    }
    records
}

/// Types queries character by character until the load is over.
pub fn suggest(world: &World, at: usize, of: usize) -> Records {
    let mut choices = Choices::new(2_000 + at);
    let mut records = Records::default();
    let sender = world.sender(at);
    let mut pace = world.pace(world.rate / 2.0, at, of);
    let mut typed = String::new();
    let mut untyped: Vec<char> = Vec::new();
    let mut shop = &world.shops[0];
    while let Some(due) = pace.wait() {
        if untyped.is_empty() {
            shop = &world.shops[choices.ranked(world.shops.len())];
            untyped = Shop::query(&mut choices).chars().rev().collect();
            typed.clear();
        }
        typed.extend(untyped.pop());
        let body = json!({"q": typed, "lang": shop.languages[0]});
        let sent = sender.send("POST", "/suggest", &shop.public, &body);
        records.add("suggest", sent.status, pace.since(due));
    }
    records
}
