//! What a draft of ten records adds to a simulation, and what an impact over 200 queries takes.
//!
//! Both simulations are measured in turn and each query gives one ratio; the median of the ratios is reported.

use crate::Outcome;
use crate::measure::{Pairs, Times, passed_and_computed, wall_time};
use crate::shop::{Catalogue, Shop};
use domain::Caller;
use domain::relevance::BoostMerging;
use operations::simulator::{self, Json, RelevanceTest, Simulated};
use serde_json::{Value, json};

const QUERIES: usize = 100;
/// Synonym groups and rules of the draft, each.
const RECORDS: usize = 5;
/// Impacts that are measured.
const IMPACTS: usize = 5;

/// Prints the ratio of a simulation with a draft to one without, and the time of an impact.
pub fn table(shop: &Shop, catalogue: &Catalogue) -> Outcome<()> {
    let queries = crate::simulator::queries(catalogue, QUERIES);
    let draft = draft(&queries);
    let measured = |query: &str, draft: Option<&Value>| {
        let mut test = json!({"q": query, "limit": 20, "applyRules": true});
        if let Some(draft) = draft {
            test["draft"] = draft.clone();
        }
        let (done, took) = passed_and_computed(|| simulate(shop, test));
        done.map(|_| took)
    };
    let mut pairs: [Pairs; 2] = Default::default();
    for query in &queries {
        measured(query, None)?;
        let (bare, tried) = (measured(query, None)?, measured(query, Some(&draft))?);
        for at in 0..2 {
            pairs[at].add(bare[at], tried[at]);
        }
    }
    let [passed, computed] = pairs;
    println!(
        "simulator, 3 words, 20 hits, without and with a draft of {} records:",
        2 * RECORDS
    );
    println!("  {passed} passed; {computed} computed");
    let mut times = Times::default();
    let mut compared = json!(null);
    for _ in 0..IMPACTS {
        // Every query is ranked on both sides, because the relevance differs.
        let change = json!({"relevance": {"searchSettings": {"stockBoost": 3}}});
        let test = json!({"draft": change, "impact": true});
        let (simulated, took) = wall_time(|| simulate(shop, test));
        let impact = serde_json::to_value(&simulated?.impact)?;
        compared = json!([impact["measured"], impact["complete"]]);
        times.add(took);
    }
    println!(
        "impact of another stockBoost: median {:.0} ms; queries measured, and whether all were: {compared}",
        times.median() / 1_000.0
    );
    Ok(())
}

/// A draft of synonym groups and rules for some of the queries.
fn draft(queries: &[String]) -> Value {
    let some = || queries.iter().take(RECORDS);
    let groups = some()
        .enumerate()
        .map(|(at, query)| json!({"language": "en", "terms": [format!("tried{at}"), query]}));
    let rules = some().map(|query| {
        json!({"name": query, "language": "en", "type": "BOOST",
            "trigger": {"query": query, "match": "contains"},
            "actions": {"boost": [{"mode": "range", "field": "price", "min": 10, "weight": 2}]}})
    });
    json!({
        "synonyms": {"create": groups.collect::<Vec<_>>()},
        "rules": {"create": rules.collect::<Vec<_>>()},
    })
}

fn simulate(shop: &Shop, test: Value) -> Outcome<Simulated<Json>> {
    let test: RelevanceTest = serde_json::from_value(test)?;
    let operator = Caller::operator();
    let (service, store) = (&shop.service, &shop.store);
    let tested = simulator::test::<Json>(service, &operator, store, test, BoostMerging::Replace);
    Ok(shop.runtime.block_on(tested)?)
}
