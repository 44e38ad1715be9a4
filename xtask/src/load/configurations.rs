//! Owners, who save relevance, synonyms and rules of their shops repeatedly.

use super::World;
use super::record::Records;
use super::shop::Shop;
use evaluation::choices::Choices;
use serde_json::{Value, json};

/// Saves until the load is over.
pub fn save(world: &World, at: usize, of: usize) -> Records {
    let mut choices = Choices::new(4_000 + at);
    let mut records = Records::default();
    let sender = world.sender(at);
    let mut pace = world.pace(world.rate / 20.0, at, of);
    let mut round = 0;
    while let Some(due) = pace.wait() {
        round += 1;
        let shop = &world.shops[choices.below(world.shops.len())];
        let (what, method, path, body) = change(&mut choices, at * 1_000_000 + round);
        let path = format!("/stores/{}{path}", shop.store);
        let sent = sender.send(method, &path, &shop.write_key, &body);
        records.add(what, sent.status, pace.since(due));
    }
    records
}

/// A change: its name, method, path and body.
fn change(
    choices: &mut Choices,
    round: usize,
) -> (&'static str, &'static str, &'static str, Value) {
    let query = Shop::query(choices);
    match choices.below(3) {
        0 => {
            let body = json!({"boosts": {"name": 1 + round % 20}});
            ("relevance", "PUT", "/relevance", body)
        }
        1 => {
            let body = json!({"language": "en", "terms": [format!("{query} {round}"), format!("other {round}")]});
            ("synonyms", "POST", "/synonyms", body)
        }
        _ => {
            let body = json!({
                "name": format!("rule {round}"), "language": "en", "type": "HIDE", "actions": {"hide": ["1"]},
                "trigger": {"query": format!("{query} {round}"), "match": "exact"}
            });
            ("rules", "POST", "/rules", body)
        }
    }
}
