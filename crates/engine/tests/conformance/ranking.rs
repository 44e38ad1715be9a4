//! A request for fewer hits returns the first ones of all, and the total counts all but deleted documents.

use crate::fixture::{Engines, apply, delete, folder, open, put, runner, search};
use engine::Request;
use proptest::prelude::*;
use serde_json::{Value, json};
use std::ops::Range;

/// Enough that an index of small sizes has many blocks.
const PRODUCTS: u32 = 900;

/// Which products, by sales, have a word in their names; of the others, one in so many has it in its description.
type Word = (Range<u32>, u32);

fn words() -> impl Strategy<Value = [Word; 2]> {
    let word = || {
        let band = (0..PRODUCTS, 1..400u32).prop_map(|(start, width)| start..start + width);
        (band, 1..6u32)
    };
    [word(), word()]
}

fn body(at: u32, words: &[Word]) -> Value {
    let (mut name, mut description) = (format!("thing {}", at % 7), String::new());
    for (word, (band, share)) in ["lamp", "glass"].into_iter().zip(words) {
        if band.contains(&at) {
            name.push_str(&format!(" {word}"));
        } else if at.is_multiple_of(*share) {
            description.push_str(&format!(" {word} {}", "and more ".repeat(at as usize % 5)));
        }
    }
    json!({"id": format!("p{at:03}"), "name": name, "description": description, "sales_count": PRODUCTS - at})
}

fn request(limit: usize) -> Request {
    Request {
        limit,
        ..Request::default()
    }
}

pub fn few_hits_are_the_first_ones_of_all(engines: Engines<'_>) {
    let mut runner = runner(12, 7);
    let property = |words: [Word; 2]| {
        let folder = folder();
        let index = open(engines, &folder);
        let changes = (0..PRODUCTS).map(|at| put(at, body(at, &words)));
        apply(index.as_ref(), 1, changes.collect());
        let gone = (0..PRODUCTS).step_by(11).map(delete);
        apply(index.as_ref(), 2, gone.collect());
        let snapshot = index.snapshot();
        for text in ["lamp", "lamp glass", "lamo", ""] {
            let all = search(snapshot.as_ref(), text, &request(PRODUCTS as usize));
            for limit in [1, 4, 20, 60, 150, 300] {
                let found = search(snapshot.as_ref(), text, &request(limit));
                prop_assert_eq!(found.total, all.total);
                let order = |hits: &[engine::Hit]| -> Vec<(String, f64)> {
                    let first = hits.iter().take(limit);
                    first.map(|hit| (hit.id.clone(), hit.score)).collect()
                };
                prop_assert_eq!(
                    order(&found.hits),
                    order(&all.hits),
                    "{} of {}",
                    limit,
                    text
                );
            }
        }
        Ok(())
    };
    runner.run(&words(), property).expect("the first of all");
}
