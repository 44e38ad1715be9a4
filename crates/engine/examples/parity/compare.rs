//! What differs between two results, with the cause.

use engine::{Hit, SearchResult};
use std::fmt;

/// Hits at the top that have to be the same.
const TOP: usize = 10;
/// Largest relative difference of two scores.
const TOLERANCE: f64 = 1e-5;

/// Why two results may differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// Scores of neighbours are closer than those of two engines.
    Near,
    /// Not known.
    Unknown,
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Near => "neighbours closer than 1e-5",
            Self::Unknown => "unknown cause",
        })
    }
}

fn is_close(own: f64, other: f64) -> bool {
    (own - other).abs() <= TOLERANCE * own.abs().max(other.abs()).max(1e-12)
}

/// Returns the differences.
pub fn differences(own: &SearchResult, other: &SearchResult) -> Vec<(Cause, String)> {
    let mut all = Vec::new();
    let mut unknown = |what: String| all.push((Cause::Unknown, what));
    if own.total != other.total {
        unknown(format!("total {} and {}", own.total, other.total));
    }
    if own.facets != other.facets {
        let differing = own.facets.iter().zip(&other.facets).find(|(a, b)| a != b);
        unknown(format!("facets: {differing:?}"));
    }
    if own.words != other.words {
        unknown(format!("words {:?} and {:?}", own.words, other.words));
    }
    for (at, (a, b)) in own.hits.iter().zip(&other.hits).enumerate() {
        if !is_close(a.score, b.score) {
            unknown(format!("score of hit {at}: {} and {}", a.score, b.score));
            break;
        }
        let tier = |hit: &Hit| hit.breakdown.as_ref().map(|own| own.tier);
        if a.id == b.id && tier(a) != tier(b) {
            unknown(format!("tier of {}", a.id));
        }
    }
    for (at, (a, b)) in own.hits.iter().zip(&other.hits).take(TOP).enumerate() {
        if a.id != b.id {
            let score =
                |hits: &[Hit], id: &str| hits.iter().find(|hit| hit.id == id).map(|hit| hit.score);
            let is_near = score(&own.hits, &b.id).is_some_and(|score| is_close(score, a.score));
            let cause = if is_near { Cause::Near } else { Cause::Unknown };
            all.push((cause, format!("hit {at}: {} and {}", a.id, b.id)));
            break;
        }
    }
    all
}
