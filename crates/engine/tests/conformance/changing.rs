//! Results after changes of numbers, with searches in between, equal those of a new index.

use crate::fixture::{Engines, apply, delete, folder, numbers, open, plan, put, runner};
use domain::Relevance;
use domain::search::{FilterChoice, FilterField, RangeValue};
use engine::{Index, Request};
use proptest::collection::vec;
use proptest::prelude::*;
use query::Plan;
use serde_json::{Value, json};

/// Enough that an index of small sizes has several blocks.
const PRODUCTS: u32 = 300;

/// A step in the history of an index.
#[derive(Clone, Debug)]
enum Step {
    /// A product changes its price and stock.
    Number(u32, u32, bool),
    /// A product is written again.
    Text(u32, u32),
    /// A product is deleted.
    Gone(u32),
    /// All plans are executed.
    Asked,
}

/// Few products change, so that some change several times before a search, and others between searches.
fn steps() -> impl Strategy<Value = Vec<Step>> {
    let product = || (0..6u32).prop_map(|at| at * 47);
    let step = prop_oneof![
        6 => (product(), 0..5u32, any::<bool>())
            .prop_map(|(at, price, stocked)| Step::Number(at, price, stocked)),
        1 => (product(), 0..5u32).prop_map(|(at, price)| Step::Text(at, price)),
        1 => product().prop_map(Step::Gone),
        3 => Just(Step::Asked),
    ];
    vec(step, 1..24)
}

fn body(at: u32, price: u32, stocked: bool) -> Value {
    json!({
        "id": format!("p{at:03}"),
        "name": "red lamp",
        "priceInclTax": price,
        "inStock": stocked,
        "sales_count": at % 10,
    })
}

/// One plan hides products out of stock and boosts others; one has a rule that filters by price.
fn plans() -> [Plan; 2] {
    let mut plain = plan("lamp", &Relevance::default());
    plain.hide_out_of_stock = true;
    plain.factors.stock = 2.0;
    let mut ruled = plain.clone();
    ruled.hide_out_of_stock = false;
    let price = RangeValue {
        min: Some(2.0),
        max: Some(3.0),
    };
    ruled.rules.filters = vec![FilterChoice::Range(FilterField::Price, price)];
    [plain, ruled]
}

/// Ids and scores of all hits of each of `plans`.
fn results(index: &dyn Index, plans: &[Plan]) -> Vec<Vec<(String, f64)>> {
    let request = Request {
        limit: PRODUCTS as usize,
        ..Request::default()
    };
    let answer = |plan| {
        let found = (index.snapshot().search(plan, &request)).expect("an answer");
        assert_eq!(found.total, found.hits.len() as u64);
        let hits = found.hits.into_iter();
        hits.map(|hit| (hit.id, hit.score)).collect()
    };
    plans.iter().map(answer).collect()
}

pub fn changed_numbers_equal_those_of_a_new_index(engines: Engines<'_>) {
    let plans = plans();
    let property = |steps: Vec<Step>| {
        let folders = [folder(), folder()];
        let index = open(engines, &folders[0]);
        let mut known: Vec<Option<Value>> = (0..PRODUCTS)
            .map(|at| Some(body(at, at % 5, at % 3 > 0)))
            .collect();
        let all = |known: &[Option<Value>]| {
            let living = (0..).zip(known.to_vec());
            living
                .filter_map(|(at, body)| Some(put(at, body?)))
                .collect()
        };
        apply(index.as_ref(), 1, all(&known));
        for (watermark, step) in (2..).zip(steps) {
            match step {
                Step::Asked => drop(results(index.as_ref(), &plans)),
                Step::Number(at, price, stocked) if known[at as usize].is_some() => {
                    let body = body(at, price, stocked);
                    apply(index.as_ref(), watermark, vec![numbers(at, body.clone())]);
                    known[at as usize] = Some(body);
                }
                Step::Number(at, price, _) | Step::Text(at, price) => {
                    let body = body(at, price, true);
                    apply(index.as_ref(), watermark, vec![put(at, body.clone())]);
                    known[at as usize] = Some(body);
                }
                Step::Gone(at) => {
                    apply(index.as_ref(), watermark, vec![delete(at)]);
                    known[at as usize] = None;
                }
            }
        }
        let fresh = open(engines, &folders[1]);
        apply(fresh.as_ref(), 1, all(&known));
        prop_assert_eq!(
            results(index.as_ref(), &plans),
            results(fresh.as_ref(), &plans)
        );
        Ok(())
    };
    let mut runner = runner(24, 11);
    runner.run(&steps(), property).expect("the same results");
}
