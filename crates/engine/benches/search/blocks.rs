//! Blocks of 500 as a feed sends them: with other texts, then with other numbers alone.

use crate::Outcome;
use crate::catalogue::{Dice, bare_product, product};
use crate::measure::{Times, passed_and_computed, time};
use crate::shop::Shop;
use engine::{Batch, DocumentChange};
use std::collections::BTreeSet;

const BLOCKS: u32 = 20;
const BLOCK: u32 = 500;

/// Prints how long a block takes until it can be searched, as it passes for the feed; what all threads compute for it,
/// of that what the thread that applies it computes, and the ratio of all to the yardstick.
pub fn table(shop: &Shop, yardstick: f64) -> Outcome<()> {
    for (what, texts_changed) in [("texts", true), ("numbers", false)] {
        let [mut times, mut computing, mut own] = [(); 3].map(|()| Times::default());
        for block in 1..=BLOCKS {
            let mut dice = Dice::new(u64::from(block));
            let products = shop.names.len() as u32;
            let places: BTreeSet<u32> = (0..BLOCK).map(|_| dice.below(products)).collect();
            let batch = batch(places, block, texts_changed);
            let apply = || time(|| shop.index.apply(batch));
            let ((applied, thread), [took, computed]) = passed_and_computed(apply);
            assert_eq!(applied?.rejected, [], "a product is rejected");
            own.add(thread);
            times.add(took);
            computing.add(computed);
        }
        let (median, most) = (times.median() / 1e3, times.quantile(0.95) / 1e3);
        println!(
            "block of {BLOCK} changed {what}: {median:.1} ms, p95 {most:.1} ms, {:.1} ms of computing of one thread, {:.1} ms \
             of all, ratio {:.0}",
            own.median() / 1e3,
            computing.median() / 1e3,
            computing.median() / yardstick
        );
    }
    Ok(())
}

/// The products of these numbers in another version; without texts where only numbers changed, as the indexer reads
/// them.
fn batch(numbers: BTreeSet<u32>, version: u32, texts_changed: bool) -> Batch {
    let document = if texts_changed { product } else { bare_product };
    let changes = numbers.into_iter().map(|ordinal| DocumentChange {
        ordinal,
        document: Some(document(ordinal, version)),
        texts_changed,
    });
    Batch {
        changes: changes.collect(),
        watermark: i64::MAX / 2 + i64::from(version),
    }
}
