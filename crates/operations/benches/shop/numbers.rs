//! What changed numbers cost: a block of other prices from the request to the response, from there until searches show
//! them, and the first of these searches.

use crate::Outcome;
use crate::catalogue::Dice;
use crate::measure::{Times, wall_time};
use crate::shop::{BLOCK, Catalogue, Shop};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::time::Duration;

const BLOCKS: u64 = 40;

/// Prints the times for products that are adjacent in the store, and scattered over it.
pub fn table(shop: &Shop, catalogue: &Catalogue) -> Outcome<()> {
    let block = BLOCK.min(catalogue.len() as usize);
    for where_they_lie in ["side by side", "all over the store"] {
        let [mut responses, mut visible, mut searches, mut again] =
            [(); 4].map(|()| Times::default());
        // A kept store knows the prices of the last run.
        let mut dice = Dice::new(std::process::id().into());
        for _ in 0..BLOCKS {
            let mut numbers = BTreeSet::new();
            if where_they_lie == "side by side" {
                let first = dice.below(catalogue.len() - block as u32 + 1);
                numbers.extend(first..first + block as u32);
            }
            while numbers.len() < block {
                numbers.insert(dice.below(catalogue.len()));
            }
            let price = f64::from(100 + dice.below(100_000)) / 100.0;
            let documents: Vec<Value> = (numbers.iter())
                .map(|number| with_price(catalogue.body(*number), price))
                .collect();
            let (sent, took) = wall_time(|| shop.send(documents));
            sent?;
            responses.add(took / 1e3);
            let (seen, took) = wall_time(|| wait_until_visible(shop));
            seen?;
            visible.add(took / 1e3);
            let query = query(catalogue, &mut dice);
            for times in [&mut searches, &mut again] {
                let (searched, took) = wall_time(|| search(shop, &query));
                searched?;
                times.add(took / 1e3);
            }
        }
        let formatted =
            |times: &Times| format!("{:.1} ms (p95 {:.1})", times.median(), times.quantile(0.95));
        println!(
            "{block} changed prices, {where_they_lie}: answered after {}, visible {} after that; the first search {}, \
             the same again {}",
            formatted(&responses),
            formatted(&visible),
            formatted(&searches),
            formatted(&again)
        );
    }
    Ok(())
}

fn with_price(mut body: Value, price: f64) -> Value {
    body["priceInclTax"] = json!(price);
    body["originalPriceInclTax"] = json!(price);
    body
}

fn wait_until_visible(shop: &Shop) -> Outcome<()> {
    let waiting = (shop.service).wait_until_searchable(&shop.store, Duration::from_secs(60));
    match shop.runtime.block_on(waiting)? {
        true => Ok(()),
        false => Err("an index stands still".into()),
    }
}

/// Two words of a name.
fn query(catalogue: &Catalogue, dice: &mut Dice) -> String {
    let name = catalogue.body(dice.below(catalogue.len()))["name"].take();
    let words = name.as_str().unwrap_or_default().split_whitespace();
    words.take(2).collect::<Vec<_>>().join(" ")
}

/// A shopper's search, with facets.
fn search(shop: &Shop, query: &str) -> Outcome<()> {
    let request = serde_json::from_value(json!({"q": query, "types": ["products"]}))?;
    shop.search(request).map(drop)
}
