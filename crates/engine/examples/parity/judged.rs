//! What people think of the results of both engines.

use crate::Outcome;
use crate::pair::{PAGE, Pair, plan};
use crate::stories::Story;
use domain::relevance::Relevance;
use engine::Request;
use evaluation::judgements::JudgedQuery;
use evaluation::metrics::{mean, measure};

/// Largest difference of two NDCG.
const DIFFERENCE_MAX: f64 = 0.001;

/// Prints NDCG@10 of the judged queries with either engine; returns whether it is the same.
pub fn agrees(pair: &Pair, queries: &[JudgedQuery]) -> Outcome<bool> {
    let mut all = [Vec::new(), Vec::new()];
    for query in queries {
        let ranked = ranked(pair, &query.text)?;
        for (of, ids) in all.iter_mut().zip(&ranked) {
            of.push(measure(ids, &query.grades).ndcg);
        }
    }
    let [Some(own), Some(other)] = all.map(mean) else {
        return Ok(true);
    };
    println!(
        "NDCG@10 of {} judged queries: {own:.4} and {other:.4}",
        queries.len()
    );
    Ok((own - other).abs() <= DIFFERENCE_MAX)
}

/// Returns the ids of the first hits of either engine, the embedded one first.
fn ranked(pair: &Pair, text: &str) -> Outcome<[Vec<String>; 2]> {
    let plan = plan(
        text,
        &Relevance::default(),
        &pair.analyser,
        &Story::default(),
    );
    let request = Request {
        limit: PAGE,
        ids_only: true,
        ..Request::default()
    };
    let results = pair.search(&plan, &request)?;
    Ok(results.map(|result| result.hits.into_iter().map(|hit| hit.id).collect()))
}
