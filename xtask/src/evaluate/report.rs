//! The printed result of an evaluation: the means over all queries, and a table of the queries.

use evaluation::metrics::{DEPTH, Measures, RELEVANT_GRADE, mean, quantile};
use std::fmt::Write;

/// What was measured of one query.
pub struct Row {
    /// Id of the query.
    pub id: String,
    /// What the shopper typed.
    pub text: String,
    /// Products found in all.
    pub total: u64,
    /// Milliseconds from sending the request to having read the response; none for a run read from a file.
    pub took_ms: Option<f64>,
    /// Its measures.
    pub measures: Measures,
}

/// The means over all queries, one per line.
pub fn summary(rows: &[Row]) -> String {
    let counted = rows.iter().filter(|r| r.measures.ndcg.is_some()).count();
    let relevant = rows.iter().filter(|r| r.measures.recall.is_some()).count();
    let empty = rows.iter().filter(|r| r.total == 0).count();
    let of = |pick: fn(&Measures) -> Option<f64>| {
        decimals(mean(rows.iter().map(|row| pick(&row.measures))))
    };
    let mut text = format!(
        "queries              {} ({counted} count, {relevant} with a product of grade {RELEVANT_GRADE} or more)\n",
        rows.len()
    );
    let lines = [
        ("NDCG@10", of(|m| m.ndcg)),
        ("condensed NDCG@10", of(|m| m.condensed)),
        (&format!("recall@{DEPTH}"), of(|m| m.recall)),
        ("MRR", of(|m| m.reciprocal_rank)),
        ("judged@10", of(|m| m.judged)),
        ("without results", empty.to_string()),
    ];
    for (name, value) in lines {
        put(&mut text, format_args!("{name:<20} {value}\n"));
    }
    let times: Vec<f64> = rows.iter().filter_map(|row| row.took_ms).collect();
    if let (Some(median), Some(p95)) = (quantile(&times, 0.5), quantile(&times, 0.95)) {
        let line = format_args!("search time          median {median:.1} ms, p95 {p95:.1} ms\n");
        put(&mut text, line);
    }
    text
}

/// One line per query, the lowest NDCG first.
pub fn per_query_table(rows: &[Row]) -> String {
    let mut sorted: Vec<&Row> = rows.iter().collect();
    let key = |row: &Row| row.measures.ndcg.unwrap_or(f64::INFINITY);
    sorted.sort_by(|a, b| key(a).total_cmp(&key(b)).then_with(|| a.id.cmp(&b.id)));
    let mut text = String::from(
        "id         ndcg@10  condensed  recall@50  rr     judged  found  ms     query\n",
    );
    for row in sorted {
        let m = &row.measures;
        let took = row.took_ms.map_or("-".to_owned(), |ms| format!("{ms:.1}"));
        let line = format_args!(
            "{:<10} {:<8} {:<10} {:<10} {:<6} {:<7} {:<6} {took:<6} {}\n",
            row.id,
            decimals(m.ndcg),
            decimals(m.condensed),
            decimals(m.recall),
            decimals(m.reciprocal_rank),
            decimals(m.judged),
            row.total,
            row.text
        );
        put(&mut text, line);
    }
    text
}

fn decimals(value: Option<f64>) -> String {
    value.map_or("-".to_owned(), |value| format!("{value:.3}"))
}

fn put(text: &mut String, line: std::fmt::Arguments<'_>) {
    text.write_fmt(line)
        .expect("writing to a string cannot fail");
}

#[cfg(test)]
mod tests {
    use super::{Row, per_query_table, summary};
    use evaluation::metrics::measure;
    use std::collections::HashMap;

    fn row(id: &str, ids: &[&str], took_ms: f64) -> Row {
        let ids: Vec<String> = ids.iter().map(|id| (*id).to_owned()).collect();
        Row {
            id: id.to_owned(),
            text: "lamp".to_owned(),
            total: ids.len() as u64,
            took_ms: Some(took_ms),
            measures: measure(&ids, &HashMap::from([("a".to_owned(), 3)])),
        }
    }

    #[test]
    fn the_summary_means_over_queries_and_counts_empty_ones() {
        let text = summary(&[row("q1", &["a"], 4.0), row("q2", &[], 2.0)]);
        assert!(text.contains("NDCG@10              0.500\n"), "{text}");
        assert!(text.contains("judged@10            1.000\n"), "{text}");
        assert!(text.contains("without results      1\n"), "{text}");
        assert!(text.contains("median 2.0 ms, p95 4.0 ms"), "{text}");
    }

    #[test]
    fn the_table_starts_with_the_lowest_ndcg() {
        let text = per_query_table(&[row("q1", &["a"], 4.0), row("q2", &["x"], 2.0)]);
        let second = text.lines().nth(1).expect("two rows follow the heading");
        assert!(second.starts_with("q2"), "{text}");
    }
}
