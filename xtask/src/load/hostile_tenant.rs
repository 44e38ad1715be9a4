//! A tenant who attacks with the keys of its own shop: bodies that multiply, documents of megabytes, marks, clears, large
//! expressions.

use super::World;
use super::record::Records;
use super::sender::Sender;
use super::shop::Shop;
use serde_json::{Value, json};

/// An attack: its name, and a function of the round that returns the status of the response.
type Attack = (&'static str, fn(&Shop, &Sender, usize) -> u16);

const ATTACKS: [Attack; 11] = [
    ("duplicate keys", duplicate_keys),
    ("small objects, gzip", small_objects),
    ("many categories", many_categories),
    ("long texts, gzip", long_texts),
    ("long cards", long_cards),
    ("long cards searched", search_cards),
    ("deletes of unknown ids", unknown_ids),
    ("clear", clear),
    ("regular expression", expression),
    ("new tags", new_tags),
    ("large widget", large_widget),
];

/// Attacks until the load is over.
pub fn attack(world: &World, at: usize, of: usize) -> Records {
    let mut records = Records::default();
    let sender = world.sender(at);
    let mut pace = world.pace(world.rate / 10.0, at, of);
    let mut round = at;
    while let Some(due) = pace.wait() {
        let (what, attack) = ATTACKS[round % ATTACKS.len()];
        let status = attack(&world.hostile, &sender, round);
        records.add_hostile(what, status, pace.since(due));
        round += of;
    }
    records
}

fn duplicate_keys(shop: &Shop, sender: &Sender, _: usize) -> u16 {
    let duplicates = vec!["\"\":1"; 20_000].join(",");
    let body = format!("{{\"{}\":{{{duplicates}}}}}", "K".repeat(2_000));
    sender
        .send_text("POST", "/search", &shop.public, body.into_bytes())
        .status
}

fn bulk(shop: &Shop, sender: &Sender, documents: &str) -> u16 {
    let body = format!("{{\"language\":\"en\",\"documents\":{documents}}}");
    sender
        .send_gzip("/feed/products/bulk", &shop.connector, body.as_bytes())
        .status
}

fn small_objects(shop: &Shop, sender: &Sender, _: usize) -> u16 {
    let items = vec!["{\"a\":0}"; 1_000_000].join(",");
    bulk(
        shop,
        sender,
        &format!("[{{\"id\":\"objects\",\"name\":\"x\",\"more\":[{items}]}}]"),
    )
}

fn many_categories(shop: &Shop, sender: &Sender, _: usize) -> u16 {
    let ids: Vec<String> = (0..2_000).map(|at| at.to_string()).collect();
    let categories: Vec<Value> = (0..500).map(|at| json!({"id": format!("x{at}")})).collect();
    let document =
        json!({"id": "categories", "name": "x", "categoryIds": ids, "categories": categories});
    bulk(shop, sender, &json!([document]).to_string())
}

fn long_texts(shop: &Shop, sender: &Sender, round: usize) -> u16 {
    let id = format!("text {}", round % 50);
    let document = json!({"id": id, "name": "x", "description": "x".repeat(3_000_000)});
    bulk(shop, sender, &json!([document]).to_string())
}

fn long_cards(shop: &Shop, sender: &Sender, _: usize) -> u16 {
    let documents: Vec<Value> = (0..20)
        .map(|at| {
            let name = format!("sandal {}", "a b c ".repeat(2_000));
            json!({"id": format!("card {at}"), "name": name, "manufacturer": format!("{at}{}", "m".repeat(100_000))})
        })
        .collect();
    bulk(shop, sender, &json!(documents).to_string())
}

fn search_cards(shop: &Shop, sender: &Sender, round: usize) -> u16 {
    let body = json!({"q": format!("sandal a b {round}"), "limit": 100, "facets": true});
    sender.send("POST", "/search", &shop.public, &body).status
}

fn unknown_ids(shop: &Shop, sender: &Sender, round: usize) -> u16 {
    let ids: Vec<String> = (0..500).map(|at| format!("gone {round} {at}")).collect();
    shop.feed(sender, "/products/delete", &json!({ "ids": ids }))
        .status
}

fn clear(shop: &Shop, sender: &Sender, _: usize) -> u16 {
    shop.feed(sender, "/products/clear", &json!({})).status
}

/// Creates a rule and deletes it again, so that there are few at a time.
fn expression(shop: &Shop, sender: &Sender, round: usize) -> u16 {
    let path = format!("/stores/{}/rules", shop.store);
    let query = format!("(?:[a-f]{{1,12}} ?){{1,12}}{round}");
    let rule = json!({
        "name": "expression", "language": "en", "type": "HIDE", "actions": {"hide": ["1"]},
        "trigger": {"query": query, "match": "regex"}
    });
    let saved = sender.send("POST", &path, &shop.write_key, &rule);
    if let Some(id) = saved.data["id"].as_str() {
        sender.send(
            "DELETE",
            &format!("{path}/{id}"),
            &shop.write_key,
            &Value::Null,
        );
    }
    saved.status
}

fn new_tags(shop: &Shop, sender: &Sender, round: usize) -> u16 {
    let documents: Vec<Value> = (0..20)
        .map(|at| {
            let tags: Vec<String> = (0..50).map(|tag| format!("{round} {at} {tag}")).collect();
            json!({"id": format!("tags {at}"), "name": "x", "tags": tags})
        })
        .collect();
    bulk(shop, sender, &json!(documents).to_string())
}

fn large_widget(shop: &Shop, sender: &Sender, round: usize) -> u16 {
    let mut translations = json!({});
    for language in ["en", "es", "fr", "de"] {
        for key in 0..100 {
            translations[language][format!("key{key}")] =
                json!(format!("{round} {}", "x".repeat(980)));
        }
    }
    let body = json!({ "translations": translations });
    let path = format!("/stores/{}/widget", shop.store);
    sender.send("PUT", &path, &shop.write_key, &body).status
}
