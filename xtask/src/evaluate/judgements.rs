//! Judged queries: reads `queries.tsv` and TREC files of grades and rankings, and writes rankings as a TREC run.

use super::metrics::Grades;
use crate::failure::{Failure, Outcome};
use std::collections::HashMap;
use std::fs;
use std::path::Path;

/// A query and the products that people judged for it.
pub struct JudgedQuery {
    /// Its id in the files.
    pub id: String,
    /// What the shopper typed.
    pub text: String,
    /// Its language.
    pub language: String,
    /// Grade of each judged product.
    pub grades: Grades,
}

/// The judged queries of `folder`, in the order of `queries.tsv`.
pub fn read(folder: &Path) -> Outcome<Vec<JudgedQuery>> {
    let queries = folder.join("queries.tsv");
    let qrels = folder.join("qrels.txt");
    let read = |path: &Path| fs::read_to_string(path).map_err(Failure::of(path.display()));
    parse(&read(&queries)?, &read(&qrels)?)
}

fn parse(queries: &str, qrels: &str) -> Outcome<Vec<JudgedQuery>> {
    let mut grades: HashMap<&str, Grades> = HashMap::new();
    for line in qrels.lines() {
        let [query, _, product, grade] = columns(line)?;
        let grade =
            grade.parse().ok().filter(|g| *g <= 3).ok_or_else(|| {
                Failure::new(format!("qrels.txt: no grade of 0 to 3 in \"{line}\""))
            })?;
        let of_query = grades.entry(query).or_default();
        of_query.insert(product.to_owned(), grade);
    }
    let query = |line: &str| {
        let mut columns = line.split('\t');
        let (Some(id), Some(text), Some(language)) =
            (columns.next(), columns.next(), columns.next())
        else {
            return Err(Failure::new(format!(
                "queries.tsv: three columns expected in \"{line}\""
            )));
        };
        Ok(JudgedQuery {
            id: id.to_owned(),
            text: text.to_owned(),
            language: language.to_owned(),
            grades: grades.get(id).cloned().unwrap_or_default(),
        })
    };
    queries.lines().map(query).collect()
}

fn columns(line: &str) -> Outcome<[&str; 4]> {
    let columns: Vec<&str> = line.split_whitespace().collect();
    columns
        .try_into()
        .map_err(|_| Failure::new(format!("qrels.txt: four columns expected in \"{line}\"")))
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
    use super::{parse, run_lines};

    #[test]
    fn grades_belong_to_their_query() {
        let queries = parse(
            "q1\tgaming pc\ten\nq2\tlamp\ten\n",
            "q1 0 77 3\nq1 0 78 0\n",
        )
        .expect("the files parse");
        assert_eq!(queries[0].text, "gaming pc");
        assert_eq!(queries[0].grades["77"], 3);
        assert!(queries[1].grades.is_empty());
    }

    #[test]
    fn a_malformed_line_is_named() {
        let failure = parse("q1\tpc\ten\n", "q1 0 77\n").err().expect("an error");
        assert!(failure.to_string().contains("q1 0 77"), "{failure}");
        assert!(parse("q1\tpc\ten\n", "q1 0 77 9\n").is_err());
        assert!(parse("q1\tpc\n", "").is_err());
    }

    #[test]
    fn a_run_names_query_product_rank_and_falling_score() {
        let lines = run_lines("q1", &["77".to_owned(), "78".to_owned()]);
        assert_eq!(lines, "q1 Q0 77 1 1000 findwell\nq1 Q0 78 2 999 findwell\n");
    }
}
