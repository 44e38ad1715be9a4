//! Judged queries: a list of queries, and TREC lines with the grades of products.

use crate::metrics::Grades;
use std::collections::HashMap;

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

/// A line that does not say what it should.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum JudgementError {
    /// Not four columns in a line of grades.
    #[error("grades: four columns expected in {0:?}")]
    Columns(String),
    /// No grade.
    #[error("grades: no grade of 0 to 3 in {0:?}")]
    Grade(String),
    /// Not three columns in a line of queries.
    #[error("queries: three columns expected in {0:?}")]
    Query(String),
}

/// Returns the queries of `queries` (id, text and language, between tabs) in their order, with the grades of `qrels` (TREC:
/// query, anything, product and grade, between blanks).
///
/// Errors: the first line that is none.
pub fn parse(queries: &str, qrels: &str) -> Result<Vec<JudgedQuery>, JudgementError> {
    let mut grades: HashMap<&str, Grades> = HashMap::new();
    for line in qrels.lines() {
        let [query, _, product, grade] = columns(line)?;
        let grade = grade
            .parse()
            .ok()
            .filter(|g| *g <= 3)
            .ok_or_else(|| JudgementError::Grade(line.to_owned()))?;
        let of_query = grades.entry(query).or_default();
        of_query.insert(product.to_owned(), grade);
    }
    let query = |line: &str| {
        let mut columns = line.split('\t');
        let (Some(id), Some(text), Some(language)) =
            (columns.next(), columns.next(), columns.next())
        else {
            return Err(JudgementError::Query(line.to_owned()));
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

fn columns(line: &str) -> Result<[&str; 4], JudgementError> {
    let columns: Vec<&str> = line.split_whitespace().collect();
    columns
        .try_into()
        .map_err(|_| JudgementError::Columns(line.to_owned()))
}

#[cfg(test)]
mod tests {
    //! 1. Grades belong to their query. 2. A malformed line is named.

    use super::parse;

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
}
