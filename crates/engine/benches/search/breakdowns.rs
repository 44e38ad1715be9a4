//! The simulator's 500 explained hits against the ten of a page.

use crate::Outcome;
use crate::measure::{Times, time};
use crate::questions::{ask, questions};
use crate::shop::Shop;
use engine::Request;

/// Prints both, the ratio of their times by question, and the ratio to the yardstick.
pub fn table(shop: &Shop, yardstick: f64) -> Outcome<()> {
    let snapshot = shop.index.snapshot();
    let page = Request {
        limit: 10,
        ..Request::default()
    };
    let all = Request {
        limit: 500,
        ..Request::default()
    };
    let explained = Request {
        explain: true,
        ..all.clone()
    };
    let questions = questions(shop, 3, false);
    for (what, request) in [("500 hits", &all), ("500 hits explained", &explained)] {
        let (mut ratios, mut tens, mut many) =
            (Times::default(), Times::default(), Times::default());
        for question in &questions {
            let (answer, ten) = time(|| ask(shop, snapshot.as_ref(), &question.text, &page));
            answer?;
            let (answer, took) = time(|| ask(shop, snapshot.as_ref(), &question.text, request));
            answer?;
            tens.add(ten);
            many.add(took);
            ratios.add(took / ten);
        }
        println!(
            "3 words, {what}: {:.0} µs, {:.1} times raw; 10 hits {:.0} µs, ratio {:.2}",
            many.median(),
            many.median() / yardstick,
            tens.median(),
            ratios.median()
        );
    }
    Ok(())
}
