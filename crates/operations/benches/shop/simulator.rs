//! What 500 explained hits of the simulator cost beside ten of the same question, from the request to the bytes of the
//! answer.
//!
//! Both are asked in turn and each question gives one ratio; the median of the ratios is told. What counts is the time
//! that the process computed, so that other work on the machine matters little.

use crate::Outcome;
use crate::catalogue::Dice;
use crate::measure::{Times, time_of_all_threads};
use crate::shop::{Catalogue, Shop};
use domain::Caller;
use domain::relevance::BoostMode;
use operations::simulator::{self, RelevanceTest};
use serde_json::json;

const QUESTIONS: usize = 100;

/// Prints both, and the ratio of their times by question.
pub fn table(shop: &Shop, catalogue: &Catalogue) -> Outcome<()> {
    let measured = |question: &str, limit| {
        let (bytes, took) = time_of_all_threads(|| ask(shop, question, limit));
        bytes.map(|bytes| (bytes, took))
    };
    let mut times: [Times; 3] = Default::default();
    let (mut first_ratios, mut ratios, mut sizes) =
        (Times::default(), Times::default(), Times::default());
    for question in questions(catalogue) {
        // Once before, so that neither of the two is the first to look a word up.
        measured(&question, 1)?;
        let (_, ten) = measured(&question, 10)?;
        let (_, first) = measured(&question, 500)?;
        let (bytes, again) = measured(&question, 500)?;
        for (times, took) in times.iter_mut().zip([ten, first, again]) {
            times.add(took);
        }
        first_ratios.add(first / ten);
        ratios.add(again / ten);
        sizes.add(bytes as f64 / 1024.0);
    }
    let [ten, first, again] = times.map(|times| times.median());
    println!(
        "simulator, 3 words: 10 hits {ten:.0} µs; 500 hits ({:.0} KiB) {first:.0} µs, ratio {:.2}; asked again \
         {again:.0} µs, ratio {:.2}",
        sizes.median(),
        first_ratios.median(),
        ratios.median(),
    );
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
    let answer = simulator::test(
        &shop.service,
        &operator,
        &shop.store,
        test,
        BoostMode::Replace,
    );
    let answer = shop.runtime.block_on(answer)?;
    Ok(serde_json::to_vec(&answer)?.len())
}
