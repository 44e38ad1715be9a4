//! Connectors, which send blocks of changed products, deletes, touches and whole runs.

use super::World;
use super::record::Records;
use super::sender::Sender;
use super::shop::{PRODUCTS, Shop};
use evaluation::choices::Choices;
use serde_json::{Value, json};

/// Products of one block.
const BLOCK: usize = 20;

/// Feeds until the load is over.
pub fn feed(world: &World, at: usize, of: usize) -> Records {
    let mut choices = Choices::new(3_000 + at);
    let mut records = Records::default();
    let sender = world.sender(at);
    let mut pace = world.pace(world.rate / 10.0, at, of);
    let mut round = 0;
    while let Some(due) = pace.wait() {
        round += 1;
        let shop = &world.shops[choices.below(world.shops.len())];
        let (what, status) = match choices.below(10) {
            0 => ("delete", delete(shop, &sender, &mut choices)),
            1 => ("run, with its requests", run(shop, &sender, round)),
            _ => ("block", block(shop, &sender, &mut choices, round)),
        };
        records.add(what, status, pace.since(due));
    }
    records
}

fn block(shop: &Shop, sender: &Sender, choices: &mut Choices, round: usize) -> u16 {
    let first = choices.below(PRODUCTS - BLOCK);
    let documents: Vec<Value> = (first..first + BLOCK)
        .map(|at| shop.product(at, round))
        .collect();
    let body = json!({"language": shop.languages[0], "documents": documents});
    shop.feed(sender, "/products/bulk", &body).status
}

fn delete(shop: &Shop, sender: &Sender, choices: &mut Choices) -> u16 {
    let id = choices.below(PRODUCTS).to_string();
    let body = json!({"ids": [id, "never-was"]});
    shop.feed(sender, "/products/delete", &body).status
}

/// Performs a run that touches everything; returns the status of the first request that failed, or of the last.
fn run(shop: &Shop, sender: &Sender, round: usize) -> u16 {
    let language = shop.languages[0];
    let run_name = format!("run {round}");
    let run = json!({
        "clientRunId": run_name, "mode": "incremental", "types": ["products"], "languages": [language]
    });
    let opened = shop.feed(sender, "/runs", &run);
    if !(200..300).contains(&opened.status) {
        return opened.status;
    }
    let id = opened.data["runId"].as_str().unwrap_or_default().to_owned();
    let items: Vec<Value> = (0..PRODUCTS)
        .map(|at| json!({"id": at.to_string(), "hash": "sha1:0"}))
        .collect();
    let touch = json!({"runId": id, "type": "products", "language": language, "items": items});
    let touched = shop.feed(sender, "/touch", &touch).status;
    let ended = shop.feed(sender, &format!("/runs/{id}/abort"), &json!({}));
    match touched {
        200..300 => ended.status,
        failed => failed,
    }
}
