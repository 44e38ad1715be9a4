//! Files of judged queries: reads `queries.tsv`, grades and rankings, and writes rankings as a TREC run.

use crate::failure::{Failure, Outcome};
use evaluation::judgements::{JudgedQuery, parse};
use std::collections::HashMap;
use std::fs;
use std::path::Path;

/// The judged queries of `folder`, in the order of `queries.tsv`.
pub fn read(folder: &Path) -> Outcome<Vec<JudgedQuery>> {
    let queries = folder.join("queries.tsv");
    let qrels = folder.join("qrels.txt");
    let read = |path: &Path| fs::read_to_string(path).map_err(Failure::of(path.display()));
    parse(&read(&queries)?, &read(&qrels)?).map_err(Failure::of(folder.display()))
}

/// The lines of one ranking in a TREC run.
pub fn run_lines(query: &str, ids: &[String]) -> String {
    ids.iter()
        .enumerate()
        .map(|(at, id)| {
            let score = 1000 - at.min(1000);
            format!("{query} Q0 {id} {} {score} findwell\n", at + 1)
        })
        .collect()
}

/// The rankings of a TREC run file by the id of their query.
pub fn read_run(path: &Path) -> Outcome<HashMap<String, Vec<String>>> {
    let text = fs::read_to_string(path).map_err(Failure::of(path.display()))?;
    let mut ranked: HashMap<String, Vec<(u32, String)>> = HashMap::new();
    for line in text.lines() {
        let columns: Vec<&str> = line.split_whitespace().collect();
        let rank = columns.get(3).and_then(|rank| rank.parse().ok());
        let (Some(query), Some(id), Some(rank)) = (columns.first(), columns.get(2), rank) else {
            let path = path.display();
            return Err(Failure::new(format!(
                "{path}: no line of a run: \"{line}\""
            )));
        };
        let ranking = ranked.entry((*query).to_owned()).or_default();
        ranking.push((rank, (*id).to_owned()));
    }
    let in_order = |mut ranking: Vec<(u32, String)>| {
        ranking.sort();
        ranking.into_iter().map(|(_, id)| id).collect()
    };
    Ok(ranked
        .into_iter()
        .map(|(query, ranking)| (query, in_order(ranking)))
        .collect())
}

#[cfg(test)]
mod tests {
    use super::run_lines;

    #[test]
    fn a_run_names_query_product_rank_and_falling_score() {
        let lines = run_lines("q1", &["77".to_owned(), "78".to_owned()]);
        assert_eq!(lines, "q1 Q0 77 1 1000 findwell\nq1 Q0 78 2 999 findwell\n");
    }
}
