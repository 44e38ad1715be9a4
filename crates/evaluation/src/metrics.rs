//! The measures of a ranking against judgements, as pure functions: NDCG (Järvelin, Kekäläinen 2002), recall, MRR.

use std::collections::HashMap;

/// Grades 0 to 3 of the judged products of one query.
pub type Grades = HashMap<String, u32>;

/// Grade from which on a product counts as relevant for recall and MRR.
pub const RELEVANT_GRADE: u32 = 2;
/// Positions that NDCG and judged@10 look at.
const TOP: usize = 10;
/// Positions that recall looks at.
pub const DEPTH: usize = 50;

/// The measures of one query; none where the judgements do not allow the measure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measures {
    /// NDCG of the first ten, unjudged products counting as grade 0.
    pub ndcg: Option<f64>,
    /// NDCG of the first ten of what is left when the unjudged products are dropped.
    pub condensed: Option<f64>,
    /// Share of the relevant products that are in the first 50.
    pub recall: Option<f64>,
    /// One divided by the position of the first relevant product; 0 when there is none.
    pub reciprocal_rank: Option<f64>,
    /// Share of the first ten results that are judged; none without a result.
    pub judged: Option<f64>,
}

/// The measures of the ranking `ids`.
pub fn measure(ids: &[String], grades: &Grades) -> Measures {
    let judged: Vec<String> = ids
        .iter()
        .filter(|id| grades.contains_key(*id))
        .cloned()
        .collect();
    Measures {
        ndcg: ndcg(ids, grades),
        condensed: ndcg(&judged, grades),
        recall: recall(ids, grades),
        reciprocal_rank: reciprocal_rank(ids, grades),
        judged: judged_share(ids, grades),
    }
}

/// The mean of those that exist; none when none does.
pub fn mean(values: impl IntoIterator<Item = Option<f64>>) -> Option<f64> {
    let values: Vec<f64> = values.into_iter().flatten().collect();
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// The smallest value that at least `share` of the values do not exceed; none without values.
pub fn quantile(values: &[f64], share: f64) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let rank = (share * sorted.len() as f64).ceil() as usize;
    sorted.get(rank.max(1) - 1).copied()
}

fn grade(id: &str, grades: &Grades) -> u32 {
    grades.get(id).copied().unwrap_or(0)
}

fn discounted(grades: impl IntoIterator<Item = u32>) -> f64 {
    let gain = |grade: u32| f64::from(2_u32.pow(grade) - 1);
    grades
        .into_iter()
        .take(TOP)
        .enumerate()
        .fold(0.0, |sum, (at, grade)| {
            sum + gain(grade) / (at as f64 + 2.0).log2()
        })
}

/// None when no product has a grade above 0: such a query does not count.
fn ndcg(ids: &[String], grades: &Grades) -> Option<f64> {
    let mut best: Vec<u32> = grades.values().copied().collect();
    best.sort_unstable_by(|a, b| b.cmp(a));
    let ideal = discounted(best);
    (ideal > 0.0).then(|| discounted(ids.iter().map(|id| grade(id, grades))) / ideal)
}

fn recall(ids: &[String], grades: &Grades) -> Option<f64> {
    let relevant = grades.values().filter(|g| **g >= RELEVANT_GRADE).count();
    let found = ids
        .iter()
        .take(DEPTH)
        .filter(|id| grade(id, grades) >= RELEVANT_GRADE)
        .count();
    (relevant > 0).then(|| found as f64 / relevant as f64)
}

fn reciprocal_rank(ids: &[String], grades: &Grades) -> Option<f64> {
    let countable = grades.values().any(|g| *g >= RELEVANT_GRADE);
    let first = ids
        .iter()
        .position(|id| grade(id, grades) >= RELEVANT_GRADE);
    countable.then(|| first.map_or(0.0, |at| 1.0 / (at as f64 + 1.0)))
}

fn judged_share(ids: &[String], grades: &Grades) -> Option<f64> {
    let countable = grades.values().any(|g| *g > 0);
    let shown = ids.len().min(TOP);
    let judged = ids
        .iter()
        .take(TOP)
        .filter(|id| grades.contains_key(*id))
        .count();
    (countable && shown > 0).then(|| judged as f64 / shown as f64)
}

#[cfg(test)]
mod tests {
    //! Proves, against values worked out by hand:
    //! 1. gain is 2^grade - 1, discounted by log2(position + 1), over the ideal of all judged products;
    //! 2. an unjudged product costs its position in NDCG and nothing in the condensed one;
    //! 3. a query without a graded product counts nowhere;
    //! 4. recall looks at 50 positions and, like MRR, at grades of 2 or more;
    //! 5. judged@10 is a share of what was shown.

    use super::*;

    fn ids(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    fn grades(pairs: &[(&str, u32)]) -> Grades {
        pairs.iter().map(|(id, g)| ((*id).to_owned(), *g)).collect()
    }

    fn assert_close(measured: Option<f64>, by_hand: f64) {
        let measured = measured.expect("the query counts");
        assert!((measured - by_hand).abs() < 1e-6, "{measured} {by_hand}");
    }

    #[test]
    fn ndcg_and_its_condensed_form_match_values_by_hand() {
        let grades = grades(&[("a", 3), ("b", 2), ("c", 1), ("d", 0)]);
        // Ideal: 7/1 + 3/1.5849625 + 1/2 = 9.3927893.
        let ideal = 9.392_789_3;
        let ranked = measure(&ids("x b a"), &grades);
        // 0/1 + 3/1.5849625 + 7/2 = 5.3927893.
        assert_close(ranked.ndcg, 5.392_789_3 / ideal);
        // Without x: 3/1 + 7/1.5849625 = 7.4165082.
        assert_close(ranked.condensed, 7.416_508_3 / ideal);
        assert_close(measure(&ids("a b c d"), &grades).ndcg, 1.0);
        assert_close(measure(&[], &grades).ndcg, 0.0);
    }

    #[test]
    fn positions_after_the_tenth_do_not_count_for_ndcg() {
        let grades = grades(&[("a", 3)]);
        assert_close(
            measure(&ids("1 2 3 4 5 6 7 8 9 a"), &grades).ndcg,
            1.0 / 11_f64.log2(),
        );
        assert_close(measure(&ids("1 2 3 4 5 6 7 8 9 10 a"), &grades).ndcg, 0.0);
        assert_close(
            measure(&ids("1 2 3 4 5 6 7 8 9 10 a"), &grades).condensed,
            1.0,
        );
    }

    #[test]
    fn a_query_without_a_graded_product_does_not_count() {
        let none = measure(&ids("a b"), &grades(&[("a", 0)]));
        assert_eq!((none.ndcg, none.recall, none.judged), (None, None, None));
        let only_ones = measure(&ids("a b"), &grades(&[("b", 1)]));
        assert_close(only_ones.ndcg, 1.0 / 3_f64.log2());
        assert_eq!((only_ones.recall, only_ones.reciprocal_rank), (None, None));
    }

    #[test]
    fn recall_looks_at_fifty_positions_and_mrr_at_the_first_relevant_one() {
        let grades = grades(&[("a", 2), ("b", 3), ("c", 1), ("e", 2), ("f", 2)]);
        let mut ranking = ids("x c a");
        ranking.extend((3..49).map(|n| format!("n{n}")));
        ranking.extend(ids("b e"));
        assert_eq!(ranking.len(), 51, "e is at position 51");
        let measures = measure(&ranking, &grades);
        assert_close(measures.recall, 0.5);
        assert_close(measures.reciprocal_rank, 1.0 / 3.0);
        assert_close(measure(&ids("x y"), &grades).reciprocal_rank, 0.0);
    }

    #[test]
    fn judged_is_a_share_of_the_results_shown() {
        let grades = grades(&[("a", 3), ("b", 0)]);
        assert_close(measure(&ids("a b x y"), &grades).judged, 0.5);
        assert_close(measure(&ids("1 2 3 4 5 6 7 8 9 a b"), &grades).judged, 0.1);
        assert_eq!(measure(&[], &grades).judged, None);
    }

    #[test]
    fn means_leave_out_what_does_not_count_and_quantiles_are_values_seen() {
        assert_eq!(mean([Some(1.0), None, Some(0.0)]), Some(0.5));
        assert_eq!(mean([None]), None);
        let times: Vec<f64> = (1..=20).rev().map(f64::from).collect();
        assert_eq!(quantile(&times, 0.5), Some(10.0));
        assert_eq!(quantile(&times, 0.95), Some(19.0));
        assert_eq!(quantile(&[3.0], 0.5), Some(3.0));
        assert_eq!(quantile(&[], 0.5), None);
    }
}
