//! The simulator's 500 explained hits compared with the ten of a page.
//!
//! Both times are reported: wall time, which is meaningful only on an idle machine, and processor time of all threads.

use crate::Outcome;
use crate::measure::{Pairs, passed_and_computed};
use crate::queries::{ask, queries};
use crate::shop::Shop;
use engine::Request;

/// Prints both, the median ratio of their times by query, and the ratio to the yardstick.
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
    let queries = queries(shop, 3, false);
    for (what, request) in [("500 hits", &all), ("500 hits explained", &explained)] {
        let (mut passed, mut computed) = (Pairs::default(), Pairs::default());
        for query in &queries {
            let measured = |request: &Request| {
                let ask = || ask(shop, snapshot.as_ref(), &query.text, request);
                let (answer, took) = passed_and_computed(ask);
                answer.map(|_| took)
            };
            let (ten, many) = (measured(&page)?, measured(request)?);
            passed.add(ten[0], many[0]);
            computed.add(ten[1], many[1]);
        }
        println!("3 words, {what}: {passed} passed; {computed} computed");
        println!("  {:.1} times raw", computed.many.median() / yardstick);
    }
    Ok(())
}
