//! What 500 explained hits of the simulator cost compared to ten of the same query, from the request to the bytes of
//! the response.
//!
//! Both are measured in turn and each query gives one ratio; the median of the ratios is reported. Several threads work
//! on many hits while cores are idle, so both are reported: the time that passes, which is meaningful only on an idle
//! machine, and the processor time of the process.

use crate::Outcome;
use crate::catalogue::Dice;
use crate::measure::{Pairs, Times, passed_and_computed};
use crate::shop::{Catalogue, Shop};
use domain::Caller;
use domain::relevance::BoostMerging;
use operations::simulator::{self, Json, RelevanceTest};
use serde_json::json;

const QUESTIONS: usize = 100;

/// Prints both, and the ratio of their times by query.
pub fn table(shop: &Shop, catalogue: &Catalogue) -> Outcome<()> {
    let measured = |query: &str, limit| {
        let simulate = || simulate(shop, query, limit);
        let (bytes, took) = passed_and_computed(simulate);
        bytes.map(|bytes| (bytes, took))
    };
    let (mut first, mut again): ([Pairs; 2], [Pairs; 2]) = Default::default();
    let mut sizes = Times::default();
    for query in queries(catalogue, QUESTIONS) {
        // Warms up, so that neither of the two is the first to look up a word.
        measured(&query, 1)?;
        let (_, ten) = measured(&query, 10)?;
        let (_, many) = measured(&query, 500)?;
        let (bytes, once_more) = measured(&query, 500)?;
        for at in 0..2 {
            first[at].add(ten[at], many[at]);
            again[at].add(ten[at], once_more[at]);
        }
        sizes.add(bytes as f64 / 1024.0);
    }
    println!(
        "simulator, 3 words, 500 hits ({:.0} KiB) explained:",
        sizes.median()
    );
    for (what, [passed, computed]) in [("the first time", first), ("asked again", again)] {
        println!("  {what}: {passed} passed; {computed} computed");
    }
    Ok(())
}

/// So many queries of three neighbouring words out of names.
pub fn queries(catalogue: &Catalogue, count: usize) -> Vec<String> {
    let mut dice = Dice::new(3);
    let names =
        std::iter::repeat_with(|| catalogue.body(dice.below(catalogue.len()))["name"].take());
    names
        .filter_map(|name| {
            let words: Vec<&str> = name.as_str()?.split_whitespace().collect();
            (words.len() >= 3).then(|| words[..3].join(" "))
        })
        .take(count)
        .collect()
}

/// The number of bytes of the response.
fn simulate(shop: &Shop, query: &str, limit: u32) -> Outcome<usize> {
    let test: RelevanceTest = serde_json::from_value(json!({"q": query, "limit": limit}))?;
    let operator = Caller::operator();
    let response = simulator::test::<Json>(
        &shop.service,
        &operator,
        &shop.store,
        test,
        BoostMerging::Replace,
    );
    let response = shop.runtime.block_on(response)?.data;
    let mut sent = Vec::with_capacity(response.bytes());
    serde_json::to_writer(&mut sent, &response)?;
    Ok(sent.len())
}
