//! The cost of finding the fuzzy terms of a word, and the terms that it is a prefix of.
//!
//! Measured by queries that match almost nothing, so that they only search for terms.

use crate::Outcome;
use crate::catalogue::Dice;
use crate::measure::{Times, time};
use crate::queries::ask;
use crate::shop::Shop;
use engine::Request;

const QUERIES: usize = 200;
const ROUNDS: usize = 5;

/// Prints both, with their ratios to the yardstick.
pub fn table(shop: &Shop, yardstick: f64) -> Outcome<()> {
    let snapshot = shop.index.snapshot();
    let request = Request {
        limit: 10,
        ..Request::default()
    };
    for (what, query_of) in [
        ("typos", misspelt as fn(&str) -> String),
        ("beginnings", unfinished),
    ] {
        let (mut times, mut found) = (Times::default(), 0);
        for word in words(shop) {
            let text = query_of(&word);
            let mut own = Times::default();
            for _ in 0..ROUNDS {
                let (answer, took) = time(|| ask(shop, snapshot.as_ref(), &text, &request));
                found += answer?;
                own.add(took);
            }
            times.add(own.median());
        }
        println!(
            "expansion by {what}: {:.1} µs, p95 {:.1} µs, ratio {:.2}, {} found",
            times.median(),
            times.quantile(0.95),
            times.median() / yardstick,
            found / (QUERIES * ROUNDS) as u64
        );
    }
    Ok(())
}

/// Long, rare words: the last ones of names.
fn words(shop: &Shop) -> Vec<String> {
    let mut dice = Dice::new(11);
    let mut words = Vec::with_capacity(QUERIES);
    while words.len() < QUERIES {
        let name = &shop.names[dice.below(shop.names.len() as u32) as usize];
        let last = name.split_whitespace().next_back().unwrap_or_default();
        if last.len() >= 6 && last.is_ascii() {
            words.push(last.to_owned());
        }
    }
    words
}

/// The word with an ending that no word has.
fn misspelt(word: &str) -> String {
    format!("{}{}", &word[..word.len() - 3], "xqz")
}

/// The word without its last character.
fn unfinished(word: &str) -> String {
    word[..word.len() - 1].to_owned()
}
