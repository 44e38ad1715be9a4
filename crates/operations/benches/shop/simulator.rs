//! What 500 explained hits of the simulator cost beside ten of the same question, from the request to the bytes of the
//! answer.
//!
//! Both are asked in turn and each question gives one ratio; the median of the ratios is told. Several threads work on
//! many hits where cores are idle, so both are told: the time that passes, which says something only without company,
//! and what the process computed.

use crate::Outcome;
use crate::catalogue::Dice;
use crate::measure::{Pairs, Times, passed_and_computed};
use crate::shop::{Catalogue, Shop};
use domain::Caller;
use domain::relevance::BoostMerging;
use operations::simulator::{self, Json, RelevanceTest};
use serde_json::json;

const QUESTIONS: usize = 100;

/// Prints both, and the ratio of their times by question.
pub fn table(shop: &Shop, catalogue: &Catalogue) -> Outcome<()> {
    let measured = |question: &str, limit| {
        let ask = || ask(shop, question, limit);
        let (bytes, took) = passed_and_computed(ask);
        bytes.map(|bytes| (bytes, took))
    };
    let (mut first, mut again): ([Pairs; 2], [Pairs; 2]) = Default::default();
    let mut sizes = Times::default();
    for question in questions(catalogue) {
        // Once before, so that neither of the two is the first to look a word up.
        measured(&question, 1)?;
        let (_, ten) = measured(&question, 10)?;
        let (_, many) = measured(&question, 500)?;
        let (bytes, once_more) = measured(&question, 500)?;
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

/// Three neighbouring words out of names.
fn questions(catalogue: &Catalogue) -> Vec<String> {
    let mut dice = Dice::new(3);
    let names =
        std::iter::repeat_with(|| catalogue.body(dice.below(catalogue.len()))["name"].take());
    names
        .filter_map(|name| {
            let words: Vec<&str> = name.as_str()?.split_whitespace().collect();
            (words.len() >= 3).then(|| words[..3].join(" "))
        })
        .take(QUESTIONS)
        .collect()
}

/// The number of bytes of the answer.
fn ask(shop: &Shop, question: &str, limit: u32) -> Outcome<usize> {
    let test: RelevanceTest = serde_json::from_value(json!({"q": question, "limit": limit}))?;
    let operator = Caller::operator();
    let answer = simulator::test::<Json>(
        &shop.service,
        &operator,
        &shop.store,
        test,
        BoostMerging::Replace,
    );
    let answer = shop.runtime.block_on(answer)?;
    let mut sent = Vec::with_capacity(answer.bytes());
    serde_json::to_writer(&mut sent, &answer)?;
    Ok(sent.len())
}
